import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withInstallLock } from './lib/install-lock.mjs'
import { isInstalled } from './lib/installed.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-bootstrap-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const install = (wanted: object, present: object | undefined, options = {}) => {
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  mkdirSync(path.join(folder, 'node_modules'))
  if (present)
    writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }))
  return isInstalled(folder, options)
}

describe('the bootstrap', () => {
  // Tests use a copy because the bootstrap may install packages in its own repository.
  const copyBootstrap = () => {
    for (const part of ['with-node.mjs', 'lib'])
      cpSync(path.join(import.meta.dirname, part), path.join(folder, 'scripts', part), { recursive: true })
  }
  const start = (code: string) => {
    copyBootstrap()
    install({}, {})
    const child = spawn(
      process.execPath,
      [path.join(folder, 'scripts/with-node.mjs'), 'node', '-e', code, 'an argument'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ code: exitCode, signal }))
    })
    const firstLine = new Promise<string>((resolve) => {
      child.stdout.once('data', (bytes) => resolve(String(bytes).trim()))
    })
    return { child, ended, firstLine }
  }

  it('runs Node 24 or later with the arguments, and ends with its exit code', async () => {
    const { ended, firstLine } = start('console.log(process.version, process.argv.at(-1)); process.exitCode = 7')
    expect(await firstLine).toMatch(/^v(2[4-9]|[3-9]\d)\..* an argument$/)
    expect(await ended).toEqual({ code: 7, signal: null })
  })

  it('installs on first use, and leaves standard output to the command', async () => {
    copyBootstrap()
    const project = { name: 'fresh-clone', version: '1.0.0' }
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(project))
    const lock = { ...project, lockfileVersion: 3, packages: { '': project } }
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock))
    const bootstrap = path.join(folder, 'scripts/with-node.mjs')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [bootstrap, 'node', '-p', '1'])
    expect(stdout).toBe('1\n')
    // Proves that npm ran: this is the summary it prints.
    expect(stderr).toMatch(/installing 0 packages.*up to date/s)
  })

  it('installs what running needs first, and adds the rest for the first command that needs it', async () => {
    copyBootstrap()
    // Packages in folders, so that nothing is fetched.
    for (const name of ['running', 'testing']) {
      mkdirSync(path.join(folder, name))
      writeFileSync(path.join(folder, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
      await promisify(execFile)('npm', ['pack', `./${name}`], { cwd: folder })
    }
    const project = {
      name: 'fresh-clone',
      version: '1.0.0',
      dependencies: { running: 'file:running-1.0.0.tgz' },
      devDependencies: { testing: 'file:testing-1.0.0.tgz' },
    }
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(project))
    await promisify(execFile)('npm', ['install', '--package-lock-only'], { cwd: folder })
    const bootstrap = path.join(folder, 'scripts/with-node.mjs')
    const names = ['running', 'testing']
    const present = () => names.filter((name) => existsSync(path.join(folder, 'node_modules', name)))
    const start = (...options: string[]) =>
      promisify(execFile)(process.execPath, [bootstrap, ...options, 'node', '-p', '1'])

    expect((await start('--omit-dev')).stderr).toContain('installing 1 packages, once; tests and checks')
    expect(present()).toEqual(['running'])
    expect((await start('--omit-dev')).stderr).toBe('')
    const marker = path.join(folder, 'node_modules/running/in-use')
    writeFileSync(marker, '')
    expect((await start()).stderr).toContain('installing 2 packages')
    expect(present()).toEqual(names)
    // A server that runs keeps its files.
    expect(existsSync(marker)).toBe(true)
    expect((await start('--omit-dev')).stderr).toBe('')
  }, 30_000)

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on and waits for an orderly stop', async (signal) => {
    const { child, ended, firstLine } = start(
      `const busy = setInterval(() => {}, 1e6); process.on('${signal}', () => { clearInterval(busy); process.exitCode = 3 }); console.log('up')`,
    )
    await firstLine
    child.kill(signal)
    expect(await ended).toEqual({ code: 3, signal: null })
  })

  it('ends with the signal that ended the command', async () => {
    const { ended } = start("process.kill(process.pid, 'SIGKILL')")
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  })
})

describe('what is installed', () => {
  const zod = { version: '4.6.7', integrity: 'sha512-a' }
  const forThisPlatform = { ...zod, optional: true, os: [process.platform], cpu: [process.arch] }
  const forAnother = { ...zod, optional: true, os: ['aix'], cpu: ['s390x'] }

  it('is enough when it is what the lock file says, whatever the times of the files', () => {
    const locked = {
      '': {},
      'packages/a': {},
      'node_modules/zod': zod,
      'node_modules/here': forThisPlatform,
      'node_modules/there': forAnother,
    }
    expect(install(locked, { 'packages/a': {}, 'node_modules/zod': zod, 'node_modules/here': forThisPlatform })).toBe(
      true,
    )
  })

  it.each([
    ['an install was cut short', undefined],
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/zod': { ...zod, version: '4.6.6' } }],
    ['the content differs', { 'node_modules/zod': { ...zod, integrity: 'sha512-b' } }],
    ['a workspace took the place of a package', { 'node_modules/zod': { link: true } }],
    ['a package is no longer wanted', { 'node_modules/zod': zod, 'node_modules/gone': zod }],
  ])('is not enough when %s', (_, present) => {
    expect(install({ 'node_modules/zod': zod }, present)).toBe(false)
  })

  it('may lack what only development needs, where that is left out', () => {
    const locked = { 'node_modules/zod': zod, 'node_modules/vitest': { ...zod, dev: true } }
    expect(install(locked, { 'node_modules/zod': zod }, { omitDev: true })).toBe(true)
    expect(isInstalled(folder)).toBe(false)
  })

  it('is not enough when it was installed for another platform', () => {
    const locked = { 'node_modules/zod': zod, 'node_modules/here': forThisPlatform, 'node_modules/there': forAnother }
    expect(install(locked, { 'node_modules/zod': zod, 'node_modules/there': forAnother })).toBe(false)
  })
})

describe('the install lock', () => {
  it('lets one in at a time, and is gone afterwards', async () => {
    const file = path.join(folder, 'lock')
    let inside = 0
    let maxInside = 0
    const work = async () => {
      inside += 1
      maxInside = Math.max(maxInside, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
      return 'done'
    }
    expect(await Promise.all([withInstallLock(file, work), withInstallLock(file, work)])).toEqual(['done', 'done'])
    expect(maxInside).toBe(1)
    expect(existsSync(file)).toBe(false)
  })

  it('is taken from a holder that died', async () => {
    const file = path.join(folder, 'lock')
    writeFileSync(file, 'someone')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(file, longAgo, longAgo)
    expect(await withInstallLock(file, async () => 'done')).toBe('done')
  })

  it('is released when the work fails', async () => {
    const file = path.join(folder, 'lock')
    const failing = withInstallLock(file, async () => {
      throw new Error('no network')
    })
    await expect(failing).rejects.toThrow('no network')
    expect(existsSync(file)).toBe(false)
  })
})

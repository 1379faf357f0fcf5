import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'

/** Long, because processes start here while other tests run. */
const patienceMs = 120_000

const source = dirname(import.meta.dirname)
const folder = mkdtempSync(join(tmpdir(), 'cairn-cli-package-'))
const [built, project] = [join(folder, 'dist'), join(folder, 'project')]
const installed = join(project, 'node_modules/@cairn/cli')
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))

const run = async (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) => {
  // biome-ignore lint/style/noProcessEnv: npm needs the path and the home of the user
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } })
  return stdout
}

describe('the package', { timeout: patienceMs }, () => {
  let server: Standalone
  beforeAll(async () => {
    server = await startStandalone()
    await run(process.execPath, [join(import.meta.dirname, 'build-package.ts'), built], resolve(source, '../..'))
    const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder], built))
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], project)
  }, patienceMs)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  })

  it('is run by npx in a folder of its own, and needs nothing else', async () => {
    expect(await run('npx', ['--offline', 'cairn', '--version'], project)).toBe(`cairn ${version}\n`)
    expect(await run('npx', ['--offline', 'cairn', '--help'], project)).not.toContain('\u001b')
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@cairn'])
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies).toBeUndefined()
    expect(readdirSync(installed).toSorted()).toEqual([
      'LICENSE',
      'LICENSES.txt',
      'README.md',
      'cairn.js',
      'package.json',
    ])
    expect(statSync(join(installed, 'cairn.js')).size).toBeLessThan(1_000_000)
    expect(readFileSync(join(installed, 'LICENSES.txt'), 'utf8')).toContain('zod 4')
  })

  it('adds a folder to a server and searches it', async () => {
    const env = { CAIRN_URL: server.url, CAIRN_API_KEY: server.apiKey, XDG_STATE_HOME: folder }
    const cairn = (...args: string[]) => run(process.execPath, [join(installed, 'cairn.js'), ...args], project, env)
    mkdirSync(join(project, 'docs'))
    writeFileSync(join(project, 'docs/guide.md'), 'A cairn marks the path over the pass.\n')
    await cairn('ns', 'create', 'packed')
    expect(await cairn('sync', 'docs', '--to', 'packed', '--wait')).toContain('1 added')
    expect(await cairn('search', 'path over the pass', '--in', 'packed')).toContain('A cairn marks the path')
    await expect(cairn('edge', 'pull', 'packed')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This package has no embedding models'),
    })
    await expect(cairn('read', 'docs/guide.md')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This package has no readers of files: run read in a checkout of Cairn'),
    })
  })
})

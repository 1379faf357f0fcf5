import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { openDataDirectory, randomSecret } from './data-directory.ts'

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

const open = (path: string) => {
  const data = openDataDirectory(path)
  onTestFinished(() => data.close())
  return data
}

it('makes the directory for its owner alone', () => {
  const path = join(temporaryDirectory(), 'a', 'b')
  const data = open(path)
  expect(mode(path)).toBe('700')
  expect(data.at('metadata.db')).toBe(join(path, 'metadata.db'))
})

it('leaves a directory and files that everybody could read to their owner alone', () => {
  const path = temporaryDirectory()
  chmodSync(path, 0o755)
  mkdirSync(join(path, 'cache'), { mode: 0o755 })
  const old = ['metadata.db', 'metadata.db-wal', 'metadata.db-shm', 'vectors.db', 'holder', 'lock', 'address']
  for (const name of old) writeFileSync(join(path, name), '', { mode: 0o644 })
  const data = open(path)
  data.publishAddress('http://localhost:1')
  expect(mode(path)).toBe('700')
  expect(readdirSync(path).filter((name) => name !== 'cache' && mode(join(path, name)) !== '600')).toEqual([])
  expect(mode(join(path, 'cache'))).toBe('755')
})

it('makes a secret once and keeps it, readable by its owner alone', async () => {
  const path = temporaryDirectory()
  const data = open(path)
  const made = data.secretFile('secret', randomSecret)
  expect(made).toMatch(/^[\w-]{43}$/)
  expect(data.secretFile('secret', () => 'another')).toBe(made)
  expect(mode(join(path, 'secret'))).toBe('600')
  await data.close()
  expect(open(path).secretFile('secret', () => 'another')).toBe(made)
})

it('says where the server is until it is closed', async () => {
  const path = temporaryDirectory()
  const first = open(path)
  first.publishAddress('http://localhost:1')
  first.publishAddress('http://localhost:2')
  expect(readFileSync(join(path, 'address'), 'utf8')).toBe('http://localhost:2\n')
  await first.close()
  expect(existsSync(join(path, 'address'))).toBe(false)
  open(path).publishAddress('http://localhost:3')
  await first.close()
  expect(existsSync(join(path, 'address'))).toBe(true)
})

it('takes a secret that somebody put there, and makes it theirs alone', () => {
  const path = temporaryDirectory()
  writeFileSync(join(path, 'secret'), '  given by the operator\n', { mode: 0o644 })
  expect(open(path).secretFile('secret', randomSecret)).toBe('given by the operator')
  expect(mode(join(path, 'secret'))).toBe('600')
})

it('leaves nothing half-written behind', () => {
  const path = temporaryDirectory()
  const data = open(path)
  const made = data.secretFile('secret', randomSecret)
  expect(readFileSync(join(path, 'secret'), 'utf8')).toBe(`${made}\n`)
  expect(readdirSync(path).filter((name) => name.includes('tmp'))).toEqual([])
})

it('refuses an empty secret: a new one in its place would make every API key useless', () => {
  const path = temporaryDirectory()
  writeFileSync(join(path, 'secret'), '\n')
  const data = open(path)
  expect(() => data.secretFile('secret', randomSecret)).toThrow(
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining(join(path, 'secret')) }),
  )
})

it('makes no two secrets alike', () => {
  expect(new Set(Array.from({ length: 100 }, randomSecret)).size).toBe(100)
})

it('refuses a second process, says who holds the directory and what to do', async () => {
  const path = temporaryDirectory()
  const first = open(path)
  const message = new RegExp(
    `^The data directory ${path} is in use by process ${process.pid}, started \\d{4}-.*CAIRN_DATA_DIR`,
  )
  expect(() => openDataDirectory(path)).toThrow(
    expect.objectContaining({ code: 'conflict', message: expect.stringMatching(message) }),
  )
  await first.close()
  await first.close()
  expect(() => open(path)).not.toThrow()
})

it('is free again the moment the process that held it is gone, however it went', async () => {
  const path = temporaryDirectory()
  const script = `
    import { openDataDirectory } from ${JSON.stringify(new URL('./data-directory.ts', import.meta.url).href)}
    // Held in a global, because garbage collection would release the lock.
    globalThis.data = openDataDirectory(${JSON.stringify(path)})
    process.stdout.write('open')
    setInterval(() => {}, 1_000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  expect(() => openDataDirectory(path)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`process ${child.pid},`) }),
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(join(path, 'holder'))).toBe(true)
  expect(() => open(path)).not.toThrow()
})

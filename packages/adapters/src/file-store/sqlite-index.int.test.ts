import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { eventually } from '@cairn/testing/eventually'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  allMultiparts,
  bytesOf,
  keysOf,
  plain,
  readAll,
  streamOf,
  stuckAfter,
  textOf,
} from './contract/store.fixture.ts'
import { localFileStore } from './local.ts'

const signingKey = randomBytes(32)
const newDirectory = () => temporaryFile('files')

const openStore = (directory: string) => {
  const store = localFileStore({ directory, signingKey, publicUrl: () => 'http://localhost:1' })
  onTestFinished(() => store.close())
  return store
}

/** Returns the paths of all files of the store, relative to its folder. */
const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
const contentIn = (directory: string) => filesIn(directory).filter((path) => /^(content|incoming)\//.test(path))

/** Copies the files as they are now, as a killed process would leave them. */
const killedCopy = (directory: string) => {
  const copy = newDirectory()
  for (const path of filesIn(directory)) {
    mkdirSync(join(copy, path, '..'), { recursive: true })
    writeFileSync(join(copy, path), readFileSync(join(directory, path)))
  }
  return copy
}

const inIndex = (directory: string, statement: string) => {
  const db = new DatabaseSync(join(directory, 'index.db'))
  try {
    db.exec(statement)
  } finally {
    db.close()
  }
}

describe('directory of the local file store', () => {
  it('has one file for each content, whose name is independent of the key', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    for (const key of ['a', 'a/b', 'CON', '日本'.repeat(100), '%2e%2e/x']) await store.put(key, Buffer.from(key), plain)
    await store.put('a', Buffer.from('again'), plain)
    await store.remove(['a/b'])
    const content = contentIn(directory)
    expect(content).toHaveLength(4)
    for (const path of content) expect(path).toMatch(/^content\/([0-9a-f]{2})\/\1[0-9a-f-]{34}$/)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const path of content) expect(statSync(join(directory, path)).mode & 0o777).toBe(0o600)
  })

  it('has no incomplete or unneeded files after a crash and a restart', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    await store.put('kept', Buffer.from('kept'), plain)
    const uploadId = await store.startMultipart('large', plain)
    const part = await store.putPart('large', uploadId, 1, Buffer.from('part'), {})
    const { source, given } = stuckAfter(100_000)
    const interrupted = store.put('kept', source, plain).catch(() => 'broken off')
    await given
    const copy = killedCopy(directory)
    expect(contentIn(copy)).toHaveLength(3)
    // A blob remains if its row was not committed, or was replaced and the process died before it removed the blob.
    mkdirSync(join(copy, 'content', 'ab'), { recursive: true })
    writeFileSync(join(copy, 'content', 'ab', 'ab000000-0000-4000-8000-000000000000'), 'lost')
    await store.close()
    expect(await interrupted).toBe('broken off')

    const again = openStore(copy)
    expect(await textOf(again, 'kept')).toBe('kept')
    expect(contentIn(copy)).toHaveLength(2)
    expect(await allMultiparts(again, '')).toMatchObject([{ key: 'large', uploadId }])
    await again.completeMultipart('large', uploadId, [part])
    expect(await textOf(again, 'large')).toBe('part')
    expect(contentIn(copy)).toHaveLength(2)
  })

  it('looks for unneeded files only after a crash', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    await store.put('a', Buffer.from('a'), plain)
    expect(existsSync(join(directory, 'unclean'))).toBe(true)
    await store.close()
    expect(existsSync(join(directory, 'unclean'))).toBe(false)
    const reading = openStore(directory)
    expect(await textOf(reading, 'a')).toBe('a')
    expect(existsSync(join(directory, 'unclean'))).toBe(false)
  })

  it.each([
    [
      'of another schema',
      (file: string) => new DatabaseSync(file).exec('PRAGMA user_version = 99'),
      /another version of Cairn \(schema 99; this one reads 1\)/,
    ],
    [
      'of something else',
      (file: string) => new DatabaseSync(file).exec('CREATE TABLE recipes (name TEXT)'),
      /not a file of Cairn's file store/,
    ],
    [
      'that is no database',
      (file: string) => writeFileSync(file, 'x'.repeat(2_000)),
      /not a file of Cairn's file store/,
    ],
  ])('is refused with an index %s, which stays as it is', async (_, make, reason) => {
    const directory = newDirectory()
    mkdirSync(directory)
    const file = join(directory, 'index.db')
    make(file)
    const before = readFileSync(file)
    const store = openStore(directory)
    await expect(store.ensure()).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(reason) })
    expect(readFileSync(file)).toEqual(before)
  })

  it('is unavailable while it can not be created, and opens afterwards', async () => {
    const directory = newDirectory()
    writeFileSync(directory, 'in the way')
    const store = openStore(directory)
    await expect(store.put('a', Buffer.from('a'), plain)).rejects.toMatchObject({ code: 'unavailable' })
    rmSync(directory)
    await store.put('a', Buffer.from('a'), plain)
    expect(await textOf(store, 'a')).toBe('a')
  })

  it('is unavailable while it can not be written, keeps its files, and recovers', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    await store.put('a', Buffer.from('old'), plain)
    renameSync(join(directory, 'incoming'), join(directory, 'elsewhere'))
    const source = streamOf(Buffer.from('new'))
    await expect(store.put('a', source, plain)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    expect(source.destroyed).toBe(true)
    expect(await textOf(store, 'a')).toBe('old')
    renameSync(join(directory, 'elsewhere'), join(directory, 'incoming'))
    await store.put('a', Buffer.from('new'), plain)
    expect(await textOf(store, 'a')).toBe('new')
  })

  it('removes the content of a put whose row can not be written', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    await store.put('a', Buffer.from('old'), plain)
    inIndex(directory, "CREATE TRIGGER full BEFORE UPDATE ON objects BEGIN SELECT RAISE(FAIL, 'no room'); END")
    await expect(store.put('a', Buffer.from('new'), plain)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await textOf(store, 'a')).toBe('old')
    expect(contentIn(directory)).toHaveLength(1)
    inIndex(directory, 'DROP TRIGGER full')
    await store.put('a', Buffer.from('new'), plain)
    expect(await textOf(store, 'a')).toBe('new')
  })

  it('reports missing or truncated content, and still lists and replaces it', async () => {
    const directory = newDirectory()
    const store = openStore(directory)
    await store.put('a', bytesOf(600_000), plain)
    const path = join(directory, contentIn(directory)[0] ?? '')
    writeFileSync(path, 'short')
    const cut = await store.get('a')
    await expect(readAll(cut?.body)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('truncated'),
    })
    rmSync(path)
    await expect(store.get('a')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('missing'),
    })
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a'])
    await store.put('a', Buffer.from('anew'), plain)
    expect(await textOf(store, 'a')).toBe('anew')
  })
})

/**
 * Program that puts, replaces and removes eight keys thousands of times, but never removes the first key. It writes
 * each request to a journal before sending it, and its acknowledgement afterwards.
 */
const child = (directory: string, journal: string, run: number) => `
  import { appendFileSync } from 'node:fs'
  import { localFileStore } from ${JSON.stringify(new URL('./local.ts', import.meta.url).href)}
  const note = (line) => appendFileSync(${JSON.stringify(journal)}, line + '\\n')
  const store = localFileStore({ directory: ${JSON.stringify(directory)}, publicUrl: () => '', signingKey: Buffer.alloc(32) })
  const worker = async (key) => {
    for (let n = 0; n < 5_000; n++) {
      const text = key + ' ' + ${run} + '/' + n
      note('put ' + text)
      await store.put(key, Buffer.from(text), { contentType: 'text/plain' })
      note('done ' + text)
      if (n % 3 !== 2 || key === 'key-0') continue
      note('remove ' + key + ' ')
      await store.remove([key])
      note('done ' + key + ' ')
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => worker('key-' + index)))
`

/** Returns the lines of a journal, untrimmed: a line ends with the key's text, which is empty for a removal. */
const linesOf = (journal: string) => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').slice(0, -1) : [])

const runAndKill = async (directory: string, journal: string, run: number) => {
  const before = linesOf(journal).length
  const script = join(dirname(directory), `run-${run}.mjs`)
  writeFileSync(script, child(directory, journal, run))
  const running = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(running, 'exit')
  await eventually(
    () => linesOf(journal).length,
    (count) => count > before + 250,
    { withinMs: 15_000 },
  )
  running.kill('SIGKILL')
  await ended
}

/** Returns the possible contents of a key: the last acknowledged content, or any content requested later. */
const possible = (journal: string, key: string) => {
  const texts = new Set<string | undefined>()
  for (const line of linesOf(journal)) {
    const [, what, of, text] = /^(put|remove|done) (key-\d) (.*)$/.exec(line) ?? []
    if (of !== key) continue
    if (what === 'done') texts.clear()
    texts.add(text === '' ? undefined : `${key} ${text}`)
  }
  return texts
}

it('keeps acknowledged writes, and nothing else, through kill -9 during puts and removals', {
  timeout: 60_000,
}, async () => {
  const directory = newDirectory()
  const journal = join(dirname(directory), 'journal')
  for (let run = 0; run < 3; run++) await runAndKill(directory, journal, run)
  const store = openStore(directory)
  let stored = 0
  for (let index = 0; index < 8; index++) {
    const text = await textOf(store, `key-${index}`)
    expect([...possible(journal, `key-${index}`)]).toContain(text)
    if (text !== undefined) stored += 1
  }
  expect(contentIn(directory)).toHaveLength(stored)
  expect(stored).toBeGreaterThan(0)
})

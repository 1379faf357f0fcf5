import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EmbeddingSpace, Point, VectorIndex } from '@cairn/domain/ports/vector-index'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { vectorIndexContract } from './port.contract.ts'
import { sqliteVectorIndex } from './sqlite.ts'

/** Folder for all tests of this file, because the contract's index outlives the test that opened it. */
const directory = mkdtempSync(join(tmpdir(), 'cairn-test-'))
let files = 0
const newFile = () => join(directory, `${++files}`, 'vectors.db')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

vectorIndexContract({ open: (statisticsMs) => sqliteVectorIndex({ file: newFile(), statisticsMs }), lacks: {} })

const space: EmbeddingSpace = { key: 'test-4', dimension: 4 }
const filter = { terms: ['kind:a'], words: ['word'] }
const pointOf = (itemId: string, vector = [1, 0, 0, 0]): Point => ({
  namespaceId: 'ns',
  itemId,
  version: 'v1',
  passage: 0,
  vector: Float32Array.from(vector),
  ...filter,
})

const openIndex = (file: string, memoryBytes = 128_000_000): VectorIndex => {
  const index = sqliteVectorIndex({ file, memoryBytes })
  onTestFinished(() => index.close())
  return index
}

const inFile = (file: string, sql: string) => {
  const db = new DatabaseSync(file)
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const listAll = (index: VectorIndex) => index.list(space, { namespaceIds: ['ns'], limit: 100_000 })

describe('file of the vector index', () => {
  it('keeps its content after a restart', async () => {
    const file = newFile()
    const first = openIndex(file)
    await first.upsert(space, [pointOf('a'), pointOf('b', [0, 1, 0, 0])])
    await first.removeVersions(space, [{ namespaceId: 'ns', itemId: 'a', version: 'v1' }])
    await first.upsert(space, [pointOf('c')])
    await first.close()
    const second = openIndex(file)
    const hits = await second.search(space, {
      namespaceIds: ['ns'],
      vector: Float32Array.of(1, 0, 0, 0),
      filter,
      limit: 10,
    })
    expect(hits.map(({ itemId, score }) => [itemId, score])).toEqual([
      ['c', 1],
      ['b', 0],
    ])
    await second.upsert(space, [pointOf('d')])
    expect((await listAll(second)).map(({ itemId }) => itemId)).toEqual(['b', 'c', 'd'])
    await expect(second.upsert({ key: space.key, dimension: 2 }, [])).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each([
    [
      'another schema',
      'PRAGMA user_version = 7',
      /vectors\.db was written by another version of Cairn \(schema 7; this one reads 3\): start that version/,
    ],
    [
      'tables of something else',
      'CREATE TABLE recipes (name TEXT)',
      /vectors\.db is not a file of Cairn's vector index: move the file away/,
    ],
  ])('is refused and left alone when it has %s', async (_, sql, message) => {
    const file = newFile()
    mkdirSync(dirname(file))
    inFile(file, sql)
    const index = openIndex(file)
    for (const call of [
      () => index.ensure(space),
      () => index.upsert(space, [pointOf('a')]),
      () => index.count(space, 'ns'),
    ]) {
      await expect(call()).rejects.toMatchObject({
        name: 'AppError',
        code: 'conflict',
        message: expect.stringMatching(message),
      })
    }
    await index.close()
    expect(inFile(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'delete' }])
  })

  it('is unavailable while it is not a database, and works once it is repaired', async () => {
    const file = newFile()
    mkdirSync(dirname(file))
    writeFileSync(
      file,
      'certainly not a database, and longer than the header of one would be, so that it is not taken for empty'.repeat(
        20,
      ),
    )
    const index = openIndex(file)
    await expect(index.upsert(space, [pointOf('a')])).rejects.toMatchObject({ code: 'unavailable' })
    await expect(listAll(index)).rejects.toMatchObject({ code: 'unavailable' })
    rmSync(file)
    await index.upsert(space, [pointOf('a')])
    expect(await listAll(index)).toHaveLength(1)
  })

  it('keeps every write that resolved before the process was killed', async () => {
    const file = newFile()
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', writeUntilKilled, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += chunk
      if (output.split('\n').length > 60) child.kill('SIGKILL')
    }
    expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGKILL')
    const resolved = output.split('\n').slice(0, -1)
    expect(resolved.length).toBeGreaterThanOrEqual(60)
    const index = openIndex(file)
    const found = new Set((await listAll(index)).map(({ itemId }) => itemId))
    for (const call of resolved)
      for (let i = 0; i < 5; i++) expect(found, `point ${i} of call ${call}`).toContain(`${call}-${i}`)
    // Each call is written whole or not at all.
    expect(found.size % 5).toBe(0)
    expect(await index.count(space, 'ns')).toBe(found.size)
    const vector = Float32Array.of(1, 0, 0, 0)
    expect(await index.search(space, { namespaceIds: ['ns'], vector, filter, limit: 4_096 })).toHaveLength(found.size)
    await index.close()
    expect(inFile(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })
})

/** Program that prints the number of each call once the call has resolved. */
const writeUntilKilled = `
  import { sqliteVectorIndex } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
  const index = sqliteVectorIndex({ file: process.argv[1]! })
  const points = (call: number) => Array.from({ length: 5 }, (_, i) => ({
    namespaceId: 'ns', itemId: call + '-' + i, version: 'v1', passage: 0, terms: ['kind:a'], words: ['word'], vector: Float32Array.of(1, i, 0, 0),
  }))
  let next = 0
  const write = async () => {
    while (next < 5_000) {
      const call = next++
      await index.upsert(${JSON.stringify(space)}, points(call))
      process.stdout.write(call + '\\n')
    }
  }
  await Promise.all([write(), write(), write(), write()])
`

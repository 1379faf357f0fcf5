import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EdgeItem, StoreShape } from '@cairn/domain/ports/edge-store'
import { seededRandom } from '@cairn/testing/seeded-random'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteVectorIndex } from '../vector-index/sqlite.ts'
import { dot, writeUnit } from '../vector-index/vector-math.ts'
import { edgeStoreContract } from './port.contract.ts'
import { sqliteEdgeStore } from './sqlite.ts'

edgeStoreContract((maxItems) => sqliteEdgeStore({ file: temporaryFile('edge.db'), maxItems }))

const open = (file: string, maxItems = 10_000) => {
  const store = sqliteEdgeStore({ file, maxItems, waitMs: 50 })
  onTestFinished(() => store.close())
  return store
}
const four: StoreShape = { mode: 'vector', dimension: 4, embeddingModel: null }
const plain = (id: string): EdgeItem => ({ id, text: `text of ${id}`, vector: Float32Array.of(1, 0, 0, 0) })

const makeRecipes = (file: string) => {
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE recipes (name TEXT)')
  db.close()
}

describe("an edge store's file", () => {
  it('keeps its content after a restart', async () => {
    const file = temporaryFile('edge.db')
    const first = open(file)
    await first.upload({ ...four, mode: 'text', embeddingModel: 'small' }, [plain('a'), plain('b')])
    await first.remove(['a'])
    await first.close()
    await first.close()
    const second = open(file)
    expect(await second.state()).toMatchObject({
      shape: { mode: 'text', dimension: 4, embeddingModel: 'small' },
      items: 1,
    })
    expect(await second.texts()).toEqual(['text of b'])
    expect(await second.search({ vector: Float32Array.of(1, 0, 0, 0), limit: 10 })).toEqual([
      { id: 'b', text: 'text of b', score: 1 },
    ])
  })

  it('still replaces items if its limit was lowered below their number', async () => {
    const file = temporaryFile('edge.db')
    const first = open(file)
    await first.upload(four, [plain('a'), plain('b'), plain('c')])
    await first.close()
    const second = open(file, 2)
    expect(await second.state()).toMatchObject({ items: 3, maxItems: 2 })
    expect((await second.upload(four, [plain('a')])).items).toBe(3)
    await expect(second.upload(four, [plain('d')])).rejects.toMatchObject({ code: 'conflict' })
  })

  it('can be opened by one process only, and read by its owner only', async () => {
    const file = temporaryFile('data/edge.db')
    const first = open(file)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(() => open(file)).toThrow(/edge\.db is in use by another process/)
    await first.close()
    await open(file).upload(four, [plain('a')])
  })

  it.each([
    ['something else', (file: string) => writeFileSync(file, 'certainly not a database '.repeat(100)), 'unavailable'],
    ['another program', makeRecipes, 'conflict'],
  ])('is refused when it is of %s', (_, make, code) => {
    const file = temporaryFile('edge.db')
    make(file)
    expect(() => open(file)).toThrow(expect.objectContaining({ code }))
  })

  it("is refused when it is a service's vector index", async () => {
    const file = temporaryFile('vectors.db')
    const index = sqliteVectorIndex({ file })
    await index.ensure({ key: 'small', dimension: 4 })
    await index.close()
    expect(() => open(file)).toThrow(/is no edge store of this version/)
  })
})

describe('a full edge store', () => {
  const dimension = 128
  const shape: StoreShape = { mode: 'vector', dimension, embeddingModel: null }
  const count = 3_000

  it('finds what an exhaustive comparison finds, also after changes', async () => {
    const random = seededRandom(7)
    const near = (centre: Float32Array) => {
      const vector = centre.map((value) => value + random.next() - 0.5)
      writeUnit(vector, vector)
      return vector
    }
    const centres = Array.from({ length: 30 }, () =>
      Float32Array.from({ length: dimension }, () => random.next() - 0.5),
    )
    const vectors = new Map(Array.from({ length: count }, (_, i) => [`${i}`, near(random.pick(centres))]))
    const store = open(temporaryFile('edge.db'), count)
    const put = (ids: readonly string[]) =>
      store.upload(
        shape,
        ids.map((id) => ({ id, text: '', vector: vectors.get(id) as Float32Array })),
      )
    const recall = async () => {
      let found = 0
      const queries = Array.from({ length: 20 }, () => near(random.pick(centres)))
      for (const vector of queries) {
        const floor = [...vectors.values()].map((one) => dot(vector, one)).sort((a, b) => b - a)[9] as number
        const hits = await store.search({ vector, limit: 10 })
        for (const { id, score } of hits) expect(score).toBeCloseTo(dot(vector, vectors.get(id) as Float32Array), 5)
        found += hits.filter(({ score }) => score >= floor - 1e-6).length
      }
      return found / 200
    }
    const ids = [...vectors.keys()]
    for (let from = 0; from < count; from += 1_000) await put(ids.slice(from, from + 1_000))
    expect(await recall()).toBeGreaterThan(0.95)
    // The codes in memory must change when vectors are replaced or removed.
    for (const id of ids.slice(0, 1_500)) vectors.set(id, near(random.pick(centres)))
    await put(ids.slice(0, 1_500))
    await store.remove(ids.slice(2_500))
    for (const id of ids.slice(2_500)) vectors.delete(id)
    expect(await recall()).toBeGreaterThan(0.95)
  })
})

/** Program that prints the number of each upload once the upload has resolved. */
const uploadUntilKilled = `
  import { sqliteEdgeStore } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
  const store = sqliteEdgeStore({ file: process.argv[1]! })
  const items = (upload: number) => Array.from({ length: 50 }, (_, i) => ({ id: upload + '-' + i, text: 'x'.repeat(500), vector: Float32Array.of(1, i, 0, 0) }))
  for (let upload = 0; upload < 200; upload++) {
    await store.upload(${JSON.stringify(four)}, items(upload))
    process.stdout.write(upload + '\\n')
    await new Promise(setImmediate)
  }
`

it('has every acknowledged upload, and none in part, after the process was killed', async () => {
  const file = temporaryFile('edge.db')
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', uploadUntilKilled, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    if (output.split('\n').length > 30) child.kill('SIGKILL')
  }
  expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGKILL')
  const resolved = output.split('\n').slice(0, -1)
  const store = open(file)
  const { items } = await store.state()
  expect(items % 50).toBe(0)
  expect(items / 50 - resolved.length).toBeOneOf([0, 1])
  expect(await store.texts()).toHaveLength(items)
  expect(await store.search({ vector: Float32Array.of(1, 0, 0, 0), limit: 4_096 })).toHaveLength(Math.min(items, 4_096))
  await store.close()
  const db = new DatabaseSync(file)
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
})

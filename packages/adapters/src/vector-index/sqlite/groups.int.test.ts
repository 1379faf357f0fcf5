import type { DatabaseSync } from 'node:sqlite'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGroupWriter } from './groups.ts'
import type { WriteRequest } from './messages.ts'
import { openForWriting } from './schema.ts'

const space = { key: 'test', dimension: 2 }
const upsert = (itemId: string, tokens = 'wword'): WriteRequest => {
  const points = { namespaceIds: ['ns'], itemIds: [itemId], versions: ['v'], passages: [0], tokens: [tokens] }
  return { kind: 'upsert', space, points: { ...points, vectors: Float32Array.of(1, 0) } }
}

const setUp = () => {
  const db = openForWriting(temporaryFile('vectors.db'))
  onTestFinished(() => db.close())
  let seconds = 1_000
  const writeGroup = createGroupWriter(db, () => seconds)
  const write = (...requests: readonly WriteRequest[]) => writeGroup(requests.map((request, id) => ({ id, request })))
  const items = () =>
    db
      .prepare('SELECT item_id FROM points ORDER BY item_id')
      .all()
      .map((row) => row['item_id'])
  const pass = (by: number) => {
    seconds += by
  }
  return { db, write, items, pass }
}

/** Limits the database to `pages` further pages, like a disk that is nearly full. */
const leavePages = (db: DatabaseSync, pages: number) => {
  const used = Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
  db.exec(`PRAGMA max_page_count = ${used + pages}`)
}

describe('createGroupWriter', () => {
  it('writes the other requests when one is rejected', () => {
    const { write, items } = setUp()
    const { answers, news } = write(upsert('a'), { kind: 'ensure', space: { ...space, dimension: 3 } }, upsert('b'))
    expect(answers.map(({ failure }) => failure?.code)).toEqual([undefined, 'invalid', undefined])
    expect(items()).toEqual(['a', 'b'])
    expect(news).toEqual([
      { partition: 1, slots: [0] },
      { partition: 1, slots: [1] },
    ])
  })

  it('stores exactly the acknowledged writes when the disk is full', () => {
    const { db, write, items } = setUp()
    write(upsert('a'))
    leavePages(db, 3)
    const ids = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(400)}`)
    const { answers } = write(...ids.map((id) => upsert(id)))
    const written = answers.flatMap(({ id, failure }) => (failure ? [] : [ids[id]!]))
    expect(new Set(answers.flatMap(({ failure }) => failure?.code ?? []))).toEqual(new Set(['unavailable']))
    expect(items()).toEqual([...written, 'a'].sort())
  })

  it('fails all requests of a group when its transaction fails, and recovers when there is space', () => {
    const { db, write, items } = setUp()
    write(upsert('a'))
    leavePages(db, 3)
    const long = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ')
    const { answers, news } = write(upsert('b'), upsert('c', long), upsert('d'))
    expect(answers.map(({ failure }) => failure?.code)).toEqual(['unavailable', 'unavailable', 'unavailable'])
    expect(news).toBeUndefined()
    expect(items()).toEqual(['a'])
    leavePages(db, 1_000)
    expect(write(upsert('b'), upsert('c', long)).answers.map(({ failure }) => failure)).toEqual([undefined, undefined])
    expect(items()).toEqual(['a', 'b', 'c'])
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  })

  it('reuses the slots of removed points after a minute, but not those of a removed namespace', () => {
    const { write, pass } = setUp()
    write(upsert('a'), upsert('b'), upsert('c'))
    const target = { kind: 'removeVersion', space, namespaceId: 'ns', version: 'v', fromPassage: 0 } as const
    expect(write({ ...target, itemId: 'b' }).news).toEqual([{ partition: 1, slots: [1] }])
    pass(59)
    expect(write(upsert('d')).news).toEqual([{ partition: 1, slots: [3] }])
    pass(1)
    expect(write(upsert('e'), upsert('f')).news).toEqual([
      { partition: 1, slots: [1] },
      { partition: 1, slots: [4] },
    ])
    expect(write({ kind: 'removeNamespace', space, namespaceId: 'ns', limit: 100 })).toMatchObject({
      answers: [{ value: 5 }],
      news: [{ partition: 1 }],
    })
    expect(write(upsert('a')).news).toEqual([{ partition: 2, slots: [0] }])
  })
})

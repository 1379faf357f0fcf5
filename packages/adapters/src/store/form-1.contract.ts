import type { Collection } from '@cairn/domain/protocol/collections'
import { expect, it } from 'vitest'

type Stored = { readonly id: string; readonly [field: string]: unknown }

/** A database as the step before form 1 left it. */
export type Earlier = {
  put(collection: Collection, document: Stored): Promise<void>
  /** Migrates the database to this version. */
  migrate(): Promise<void>
  /** Returns all documents of a collection, by id. */
  all(collection: Collection): Promise<Record<string, object>>
}

const weights = '0123456789ab'
const renewed = (id: string, more: object = {}) => ({
  ...{ id, accountId: 'acc', name: id, type: 'text', state: 'active', hasFields: true, lexemes: 2 },
  embedding: { provider: 'local', model: 'm', dimension: 8, weights },
  ...more,
})
const file = (id: string, more: object = {}) => ({
  ...{ id, accountId: 'acc', namespaceId: 'ns_1', name: id, key: `cairn/ns_1/acc/notes/${id}` },
  object: { sizeBytes: 40 },
  live: null,
  ...more,
})
const grant = (key: string, state: string) => ({
  ...{ id: 'grant', namespaceId: 'ns_1', name: 'a.txt', accountId: 'acc', key, state },
})

export const formContract = (open: () => Promise<Earlier>): void => {
  it('adds missing fields and keeps existing ones', async () => {
    const { put, migrate, all } = await open()
    await put('namespaces', renewed('ns_1'))
    await put('namespaces', renewed('ns_2', { language: 'de', countPass: { phase: 'items' } }))
    await put('namespaces', { ...renewed('ns_3'), type: 'vector', embedding: null, lexemes: undefined })
    await put('items', { id: 'old', namespaceId: 'ns_1', body: { text: 'ä\u0000"', metadata: '{"a":1.50}' } })
    await put('items', { id: 'new', namespaceId: 'ns_1', body: {}, insertedBy: 'up_1' })
    await put('files', file('old', { live: { version: 'v' } }))
    await put('files', file('failed', { bytes: 0, passages: { reused: 1, embedded: 2 } }))
    await put('files', file('new', { live: { version: 'v', extraction: 3 } }))
    const untouched = await all('chunks')
    await migrate()
    expect(await all('namespaces')).toMatchObject({
      ns_1: { ...renewed('ns_1'), language: 'en', countPass: null },
      ns_2: { language: 'de', countPass: { phase: 'items' } },
      ns_3: { language: 'en', lexemes: 2 },
    })
    expect(await all('items')).toMatchObject({
      old: { insertedBy: '', body: { text: 'ä\u0000"', metadata: '{"a":1.50}' } },
      new: { insertedBy: 'up_1' },
    })
    expect(await all('files')).toMatchObject({
      old: { bytes: 40, passages: null, live: { version: 'v', extraction: 0 } },
      failed: { bytes: 0, passages: { reused: 1, embedded: 2 }, live: null },
      new: { live: { version: 'v', extraction: 3 } },
    })
    expect(await all('chunks')).toEqual(untouched)
  })

  it.each<[string, Collection, Stored, RegExp]>([
    ['points without fields', 'namespaces', renewed('ns_1', { hasFields: undefined }), /points of 0\.1: 1;/],
    ['lexemes of version 1', 'namespaces', renewed('ns_1', { lexemes: undefined }), /points of 0\.1: 1;/],
    [
      'the model of 0.1',
      'namespaces',
      renewed('ns_1', { embedding: { provider: 'local', model: 'm', dimension: 8 } }),
      /model file of 0\.1: 1;/,
    ],
    [
      'the model of 0.1 for a way back',
      'namespaces',
      renewed('ns_1', { reindex: { embedding: { provider: 'local', model: 'm', dimension: 8 } } }),
      /model file of 0\.1: 1;/,
    ],
    ['a file under its name alone', 'files', file('a.txt', { key: 'acc/notes/a.txt' }), /keys of 0\.1: 1\./],
    ['an open upload to such a key', 'grants', grant('acc/notes/a.txt', 'open'), /keys of 0\.1: 1\./],
  ])('refuses %s, names it and the commit that helps, and changes nothing', async (_, collection, document, count) => {
    const { put, migrate, all } = await open()
    await put('items', { id: 'old', namespaceId: 'ns_1', body: {} })
    await put(collection, document)
    const before = [await all('items'), await all(collection)]
    await expect(migrate()).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(count) })
    await expect(migrate()).rejects.toThrow(/5e09d85d/)
    expect([await all('items'), await all(collection)]).toEqual(before)
  })

  it('counts neither namespaces being deleted nor models without a file', async () => {
    const { put, migrate, all } = await open()
    await put('namespaces', renewed('ns_1', { state: 'deleting', hasFields: undefined, lexemes: undefined }))
    await put('namespaces', renewed('ns_2', { embedding: { provider: 'lexical', model: 'words', dimension: 8 } }))
    await put('grants', grant('acc/notes/a.txt', 'revoked'))
    await migrate()
    expect(Object.keys(await all('namespaces'))).toEqual(['ns_1', 'ns_2'])
  })
}

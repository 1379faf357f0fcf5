import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { createKeyBody, updateAccountBody, updateKeyBody } from './admin.ts'
import { namespaceParams } from './common.ts'
import { deleteItemsBody, fetchTextDataQuery, getDocumentsBody, uploadDocumentsBody } from './documents.ts'
import { createNamespaceBody } from './namespaces.ts'
import { searchBody } from './search.ts'
import { uploadVectorsBody } from './vectors.ts'

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const document = (index: number) => ({ id: `d${index}`, text: 'short' })

describe('a namespace to be created', () => {
  it.each([
    [{ namespace_name: 'a', type: 'text' }],
    [{ namespace_name: 'a', type: 'text', vector_dimension: null }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: 1 }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: 4_096 }],
    [{ namespace_name: 'x'.repeat(128), type: 'text' }],
    [{ namespace_name: '__proto__', type: 'text' }],
    [{ namespace_name: 'constructor', type: 'text' }],
    [{ namespace_name: 'A-z_0', type: 'text', item_count: 9, account_id: 'other' }],
  ])('is accepted as %j', (body) => {
    expect(accepts(createNamespaceBody, body)).toBe(true)
  })

  it.each([
    [{ type: 'text' }],
    [{ namespace_name: 'a' }],
    [{ namespace_name: 'a', type: 'TEXT' }],
    [{ namespace_name: 'a', type: 'text', vector_dimension: 3 }],
    [{ namespace_name: 'a', type: 'vector' }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: null }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: 0 }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: 4_097 }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: 1.5 }],
    [{ namespace_name: 'a', type: 'vector', vector_dimension: '3' }],
    ...['', '..', '%2e%2e', 'a/b', 'a\u0000', 'Ａ', 'a b', 'a\n', 'é', 'x'.repeat(129), 'x'.repeat(10_240)].map(
      (namespace_name) => [{ namespace_name, type: 'text' }],
    ),
    [[]],
    [null],
    ['text'],
  ] as unknown[][])('is refused as %j', (body) => {
    expect(accepts(createNamespaceBody, body)).toBe(false)
  })

  it('drops what is not its own', () => {
    const body = JSON.parse('{"namespace_name":"a","type":"text","__proto__":{"x":1},"item_count":5}')
    expect(createNamespaceBody.parse(body)).toEqual({ namespace_name: 'a', type: 'text', language: 'en' })
  })
})

describe('documents to be uploaded', () => {
  it.each([1, 100])('are accepted when there are %i', (count) => {
    expect(accepts(uploadDocumentsBody, { documents: times(count, document) })).toBe(true)
  })

  it.each([
    [{}],
    [{ documents: [] }],
    [{ documents: times(101, document) }],
    [{ documents: { length: 1, 0: document(0) } }],
    [{ documents: 'abc' }],
    [{ documents: [null] }],
    [{ documents: ['text'] }],
    [{ documents: [[document(0)]] }],
    [{ documents: [{ text: 'no id here' }] }],
    [{ documents: [document(0), { id: '', text: 'x' }] }],
    [{ documents: [{ id: { $ne: null } }] }],
    [{ documents: [{ id: 'a\u0000' }] }],
    [{ documents: [{ id: Number.MAX_SAFE_INTEGER + 1 }] }],
  ])('are refused as %j', (body) => {
    expect(accepts(uploadDocumentsBody, body)).toBe(false)
  })

  it('are handed on as the objects they were parsed to', () => {
    const sent = JSON.parse('{"id":"a","__proto__":{"x":1},"constructor":2}')
    expect(uploadDocumentsBody.parse({ documents: [sent] }).documents[0]).toBe(sent)
  })
})

describe('vectors to be uploaded', () => {
  it.each([
    [1, true],
    [1_000, true],
    [0, false],
    [1_001, false],
  ])('%i of them: %s', (count, accepted) => {
    expect(accepts(uploadVectorsBody, { vectors: times(count, (index) => ({ id: index, vector: [1] })) })).toBe(
      accepted,
    )
  })
})

describe('ids', () => {
  it('become strings, repeated ones kept', () => {
    expect(getDocumentsBody.parse({ ids: [1, '1', 'a', -0, 2.5] })).toEqual({ ids: ['1', '1', 'a', '0', '2.5'] })
  })

  it.each([
    [getDocumentsBody, 100],
    [deleteItemsBody, 1_000],
  ])('are bounded', (schema, max) => {
    expect(accepts(schema, { ids: times(max, String) })).toBe(true)
    expect(accepts(schema, { ids: times(max + 1, String) })).toBe(false)
  })

  it.each([
    [undefined],
    [[]],
    [null],
    ['a'],
    [{ $ne: null }],
    [[['a']]],
    [[{ $ne: null }]],
    [['a', '']],
    [[null]],
    [[true]],
  ])('are refused as %j', (ids) => {
    expect(accepts(getDocumentsBody, { ids })).toBe(false)
    expect(accepts(deleteItemsBody, { ids })).toBe(false)
  })
})

describe('a deletion by a filter', () => {
  const absent = { key: 'a', exists: false }
  const present = { key: 'a', exists: true }
  it.each([
    absent,
    { key: 'a', ne: '' },
    { key: 'a', nin: [''] },
    { not: present },
    { not: { and: [present, absent] } },
    { or: [present, absent] },
    { and: [absent, { key: 'b', ne: 1 }] },
  ])('needs `all` if an item without metadata passes: %j', (filter) => {
    expect(deleteItemsBody.safeParse({ filter }).error?.issues).toMatchObject([
      { path: ['filter'], message: expect.stringContaining('send "all": true') },
    ])
    expect(accepts(deleteItemsBody, { filter, all: true })).toBe(true)
    expect(accepts(deleteItemsBody, { filter, dry_run: true })).toBe(true)
  })

  it.each([present, { key: 'a', eq: '' }, { and: [present, { key: 'b', ne: 1 }] }, { not: absent }])(
    'needs none if an item must have a key: %j',
    (filter) => {
      expect(accepts(deleteItemsBody, { filter })).toBe(true)
    },
  )

  it('is empty for no filter, nor is `all` a filter', () => {
    for (const filter of [{}, { and: [] }, { or: [] }, { not: {} }, { key: 'a', contains: '' }, null])
      expect(accepts(deleteItemsBody, { filter, all: true })).toBe(false)
    expect(accepts(deleteItemsBody, { all: true })).toBe(false)
    expect(accepts(deleteItemsBody, { ids: ['a'], all: true })).toBe(false)
  })
})

describe('the query of fetch-text-data', () => {
  it('has a limit of 100 unless another is given', () => {
    expect(fetchTextDataQuery.parse({})).toEqual({ limit: 100 })
    expect(fetchTextDataQuery.parse({ limit: '1', next_token: 'x' })).toEqual({ limit: 1, next_token: 'x' })
    expect(fetchTextDataQuery.parse({ limit: '100' })).toEqual({ limit: 100 })
  })

  it.each(['0', '-1', '1.5', '1e9', '101', '100abc', '', ' 5', '+5', '0x10', '1e1', ['1', '2'], ['1']])(
    'refuses a limit of %j',
    (limit) => {
      expect(accepts(fetchTextDataQuery, { limit })).toBe(false)
    },
  )

  it('asks for heads by that word only', () => {
    expect(fetchTextDataQuery.parse({ fields: 'head' })).toEqual({ limit: 100, fields: 'head' })
    for (const fields of ['', 'heads', 'HEAD', ['head', 'head']])
      expect(accepts(fetchTextDataQuery, { fields })).toBe(false)
  })

  it.each([[''], [['a', 'b']]])('refuses a next_token of %j', (next_token) => {
    expect(accepts(fetchTextDataQuery, { next_token })).toBe(false)
  })
})

describe('a search', () => {
  const valid = { query: 'find', namespaces: ['a'] }

  it('fills in its defaults', () => {
    expect(searchBody.parse(valid)).toEqual({
      ...valid,
      top_k: 10,
      kiosk_mode: false,
      explain: false,
      highlights: false,
      context: 0,
      rerank: false,
    })
  })

  it.each([
    [{ query: '#a:b #c' }],
    [{ query: [0.5, -1] }],
    [{ query: [0, 2 ** -149] }],
    [{ query: [2 ** -149.9] }],
    [{ query: '🙂'.repeat(10_000) }],
    [{ namespaces: times(100, (index) => `n${index}`) }],
    [{ top_k: 1 }],
    [{ top_k: 100_000 }],
    [{ top_k: 1e37 }],
    [{ kiosk_mode: true, threshold: 0 }],
    [{ kiosk_mode: true, threshold: 1 }],
    [{ kiosk_mode: false, threshold: 0.3 }],
    [{ mode: 'semantic' }],
    [{ mode: 'lexical', explain: true }],
    [{ mode: 'hybrid', explain: false }],
  ])('is accepted with %j', (change) => {
    expect(accepts(searchBody, { ...valid, ...change })).toBe(true)
  })

  it.each([
    [{ query: undefined }],
    [{ query: null }],
    [{ query: '' }],
    [{ query: ' \n' }],
    [{ query: 7 }],
    [{ query: {} }],
    [{ query: '🙂'.repeat(10_001) }],
    [{ query: 'a\ud800' }],
    [{ query: [] }],
    [{ query: [null] }],
    [{ query: [1, null, 3] }],
    [{ query: ['1'] }],
    [{ query: [0, 0] }],
    [{ query: [2 ** -150] }],
    [{ query: [1e39] }],
    [{ namespaces: [] }],
    [{ namespaces: 'a' }],
    [{ namespaces: [''] }],
    [{ namespaces: [5] }],
    [{ namespaces: times(101, (index) => `n${index}`) }],
    [{ mode: 'fuzzy' }],
    [{ mode: null }],
    [{ explain: 'yes' }],
    [{ top_k: 0 }],
    [{ top_k: -1 }],
    [{ top_k: 1.5 }],
    [{ top_k: '10' }],
    [{ kiosk_mode: 'true' }],
    [{ kiosk_mode: true }],
    [{ threshold: -0.1 }],
    [{ threshold: 1.1 }],
    [{ threshold: null }],
  ])('is refused with %j', (change) => {
    expect(accepts(searchBody, { ...valid, ...change })).toBe(false)
  })
})

describe('admin requests', () => {
  it('give a key all scopes unless some are named', () => {
    expect(createKeyBody.parse({ name: 'k' })).toEqual({ name: 'k', scopes: ['read', 'write', 'admin'] })
  })

  it.each([[[]], [['read', 'read']], [['root']], ['read']])('refuse the scopes %j', (scopes) => {
    expect(accepts(createKeyBody, { name: 'k', scopes })).toBe(false)
  })

  it.each([
    [{}, false],
    [{ tier: 'community' }, true],
    [{ subscription_ends_at: null }, true],
    [{ subscription_ends_at: '2027-01-31T00:00:00Z' }, true],
    [{ subscription_ends_at: '2027-01-31T00:00:00+02:00' }, true],
    [{ subscription_ends_at: 'tomorrow' }, false],
    [{ subscription_ends_at: '9999-12-31T23:59:59Z' }, true],
    [{ subscription_ends_at: '9999-12-31T23:59:59-23:59' }, false],
    [{ subscription_ends_at: '0000-01-01T00:00:00+23:59' }, false],
    [{ tier: '' }, false],
  ])('change an account by %j: %s', (body, accepted) => {
    expect(accepts(updateAccountBody, body)).toBe(accepted)
  })

  it.each([
    ['Acme 🪨 é', true],
    ['a\u0000b', false],
    ['a\nb', false],
    ['a\ud800b', false],
    ['', false],
  ])('may name a key %j: %s', (name, accepted) => {
    expect(accepts(createKeyBody, { name })).toBe(accepted)
  })

  it('set no state that only time can bring', () => {
    expect(accepts(updateKeyBody, { state: 'revoked' })).toBe(true)
    expect(accepts(updateKeyBody, { state: 'expired' })).toBe(false)
  })
})

describe('a namespace in a path', () => {
  it.each(['..', 'a%00', 'a\u0000', 'a/b', ''])('is not %j', (namespace_name) => {
    expect(accepts(namespaceParams, { namespace_name })).toBe(false)
  })

  it('takes time in proportion to its length', () => {
    const startedAt = performance.now()
    expect(accepts(namespaceParams, { namespace_name: `${'a'.repeat(1_000_000)}!` })).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

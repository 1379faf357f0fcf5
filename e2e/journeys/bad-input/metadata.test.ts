import type { SentDocument } from '@cairn/client'
import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { createNamespace, idsFound, index, settled, upload, walk } from '../../story.ts'
import { longText, useScene } from './scene.ts'

const scene = useScene()

const uploadSent = (documents: readonly unknown[]) => ({ params: scene.text, body: { documents } })
/** Uploads a document that breaks a rule for single documents, and returns its failure. */
const failureOf = async (document: object) => {
  const { body } = await scene.api.call(operations.uploadDocuments, uploadSent([document]), 207)
  expect(body.failed_documents).toHaveLength(1)
  return body.failed_documents[0]
}
const readItem = async (namespace_name: string, id: string) =>
  (await scene.api.call(operations.getDocuments, { params: { namespace_name }, body: { ids: [id] } }, 200)).body
    .items[0]

describe('B4: metadata keys that mean something to somebody', () => {
  const keys = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'a.b',
    '$where',
    '$ne',
    '',
    ' ',
    'k'.repeat(1_000),
    'ключ',
    '🔑',
    'a\u0000b',
    '"',
    '-1',
    'status',
    'source',
  ]
  it.each(keys.map((key) => [key.length > 40 ? `${key.length} characters` : JSON.stringify(key), key]))(
    '%s is stored and returned byte for byte',
    async (_name, key) => {
      const metadata = `{${JSON.stringify(key)}:{"x":1,"__proto__":{"polluted":true}},"kept":"yes"}`
      const id = `key-${key.length > 40 ? 'long' : key.replaceAll(/\p{Cc}/gu, '-')}`
      const raw = `{"documents":[{"id":${JSON.stringify(id)},"text":${JSON.stringify(longText)},${metadata.slice(1)}]}`
      const { body } = await scene.api.call(operations.uploadDocuments, { params: scene.text, raw }, 202)
      await settled(scene.api, scene.text.namespace_name, body.upload_id)
      const sent = (value: unknown) => JSON.stringify(Object.entries(value as object).toSorted())
      const expected = sent(JSON.parse(metadata))
      const item = await readItem(scene.text.namespace_name, id)
      expect(sent(item?.metadata)).toBe(expected)
      const pages = await walk(scene.api, scene.text.namespace_name)
      const paged = pages.flatMap(({ items }) => items).find((one) => one.id === id)
      expect(sent(paged?.metadata)).toBe(expected)
    },
  )

  it('change nothing for anybody else', async () => {
    await upload(scene.api, scene.text.namespace_name, [{ id: 'plain', text: longText }])
    const item = await readItem(scene.text.namespace_name, 'plain')
    expect(JSON.stringify(item)).toBe(JSON.stringify({ id: 'plain', text: longText, metadata: {} }))
    expect(await idsFound(scene.api, [scene.text.namespace_name], '#polluted:true')).toEqual([])
  })

  it('can be filtered by', async () => {
    const name = await createNamespace(scene.api)
    const documents = JSON.parse(
      `[{"id":"a","text":"${longText}","__proto__":"one","constructor":"two","a.b":"three","$where":"four"}]`,
    ) as SentDocument[]
    await index(scene.api, name, documents)
    for (const filter of ['#__proto__:one', '#constructor:two', '#a.b:three', '#$where:four']) {
      expect(await idsFound(scene.api, [name], filter), filter).toEqual(['a'])
    }
    expect(await idsFound(scene.api, [name], '#toString:one')).toEqual([])
  })
})

describe('B7: size of metadata', () => {
  /** Returns metadata with a compact JSON of this size. */
  const sized = (bytes: number, letter = 'x') => {
    const width = Buffer.byteLength(letter)
    const room = bytes - '{"k":""}'.length
    return { k: letter.repeat(Math.floor(room / width)) + 'y'.repeat(room % width) }
  }
  it.each([['x'], ['é'], ['🪨']])('is taken up to 2,048 bytes of UTF-8 JSON (of %s)', async (letter) => {
    for (const bytes of [2_047, 2_048]) {
      const metadata = sized(bytes, letter)
      expect(Buffer.byteLength(JSON.stringify(metadata))).toBe(bytes)
      await upload(scene.api, scene.text.namespace_name, [{ id: 'sized', text: longText, ...metadata }])
      expect((await readItem(scene.text.namespace_name, 'sized'))?.metadata).toEqual(metadata)
      await upload(scene.api, scene.text.namespace_name, [{ id: 'sized', text: longText, metadata }])
    }
    for (const document of [sized(2_049, letter), { metadata: sized(2_049, letter) }]) {
      expect(await failureOf({ id: 'sized', text: longText, ...document })).toMatchObject({
        error: 'Metadata too large',
      })
    }
  })

  const keyed = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, turn) => [`k${turn}`, turn]))
  it('is taken up to 50 keys, wherever they are', async () => {
    for (const count of [49, 50])
      await upload(scene.api, scene.text.namespace_name, [{ id: 'keyed', text: longText, ...keyed(count) }])
    await upload(scene.api, scene.text.namespace_name, [{ id: 'keyed', text: longText, metadata: keyed(50) }])
    await upload(scene.api, scene.text.namespace_name, [
      { id: 'keyed', text: longText, k0: 'flat', metadata: keyed(50) },
    ])
    for (const document of [keyed(51), { metadata: keyed(51) }, { more: 1, metadata: keyed(50) }]) {
      expect(await failureOf({ id: 'keyed', text: longText, ...document })).toMatchObject({
        error: 'Too many metadata keys',
      })
    }
  })

  it('may be nested: returned as it was, filtered by its scalars only', async () => {
    const name = await createNamespace(scene.api)
    const metadata = {
      tree: { leaf: 'green' },
      list: ['a', { b: 'c' }, ['d']],
      none: null,
      flag: false,
      number: 1.5,
      text: undefined,
    }
    await index(scene.api, name, [{ id: 'a', ...metadata, text: longText }])
    expect((await readItem(name, 'a'))?.metadata).toEqual(JSON.parse(JSON.stringify(metadata)))
    for (const filter of ['#list:a', '#none:null', '#flag:false', '#number:1.5'])
      expect(await idsFound(scene.api, [name], filter), filter).toEqual(['a'])
    for (const filter of ['#tree:green', '#leaf:green', '#tree.leaf:green', '#b:c', '#list:c', '#list:d']) {
      expect(await idsFound(scene.api, [name], filter), filter).toEqual([])
    }
  })

  it('may hold no number that JSON can not give back', async () => {
    const raw = `{"documents":[{"id":"a","text":${JSON.stringify(longText)},"deep":{"of":[1e400]}}]}`
    const { body } = await scene.api.call(operations.uploadDocuments, { params: scene.text, raw }, 207)
    expect(body.failed_documents).toMatchObject([{ error: 'Invalid metadata' }])
  })
})

describe('B25: values that a JavaScript number or a well-formed text does not hold', () => {
  const sent =
    '{"big":9007199254740993,"negative":-9223372036854775808,"deep":{"of":[1,18446744073709551615]},' +
    String.raw`"half":"a\ud800b","\udfff":["\udc00\ud83d"],"pair":"🪨","text_of":"9007199254740993"}`
  const bodyOf = async (call: Promise<Response>) => {
    const response = await call
    expect(response.status).toBe(200)
    return response.text()
  }

  it('come back in every answer as they were sent', async () => {
    const namespace_name = await createNamespace(scene.api)
    const params = { namespace_name }
    const raw = `{"documents":[{"id":"a","text":${JSON.stringify(longText)},${sent.slice(1)},{"id":"b","text":${JSON.stringify(longText)},"metadata":${sent}}]}`
    const { body } = await scene.api.call(operations.uploadDocuments, { params, raw }, 202)
    await settled(scene.api, namespace_name, body.upload_id)
    const answers = [
      await bodyOf(scene.api.raw(operations.getDocuments, { params, body: { ids: ['a', 'b'] } })),
      await bodyOf(scene.api.raw(operations.fetchTextData, { params })),
      await bodyOf(scene.api.raw(operations.search, { body: { query: longText, namespaces: [namespace_name] } })),
    ]
    for (const answer of answers) expect(answer.split(`"metadata":${sent}`)).toHaveLength(3)
    for (const filter of ['#big:9007199254740993', '#big:9007199254740992', '#pair:🪨'])
      expect((await idsFound(scene.api, [namespace_name], filter)).toSorted(), filter).toEqual(['a', 'b'])
  })

  it('come back with a vector', async () => {
    const namespace_name = await createNamespace(scene.api, { type: 'vector', vector_dimension: 2 })
    const params = { namespace_name }
    const raw = `{"vectors":[{"id":"v","vector":[1,10000000000000001],"metadata":${sent}}]}`
    await scene.api.call(operations.uploadVectors, { params, raw }, 201)
    const answer = await bodyOf(
      scene.api.raw(operations.search, { body: { query: [1, 1], namespaces: [namespace_name] } }),
    )
    expect(answer).toContain(`"metadata":${sent}`)
  })
})

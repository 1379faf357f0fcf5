import { operations } from '@cairn/contracts/api/operations'
import { beforeAll, describe, expect, it } from 'vitest'
import { createNamespace, listed, upload } from '../../story.ts'
import { longText, refused, useScene } from './scene.ts'

const scene = useScene()

beforeAll(async () => {
  await upload(
    scene.api,
    scene.text.namespace_name,
    Array.from({ length: 3 }, (_, turn) => ({ id: `d${turn}`, text: longText })),
  )
})

const withIds = [
  ['documents/get', operations.getDocuments, 100],
  ['documents/delete', operations.deleteDocuments, 1_000],
  ['vectors/delete', operations.deleteVectors, 1_000],
] as const

describe('B5: ids', () => {
  const taken: readonly (readonly [sent: string, stored: string])[] = [
    ['0', '0'],
    ['-0', '0'],
    ['17', '17'],
    ['1.50', '1.5'],
    ['1e308', '1e+308'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['"9007199254740993"', '9007199254740993'],
    ['" "', ' '],
    ['"a b#c/d?e%20"', 'a b#c/d?e%20'],
    ['"__proto__"', '__proto__'],
    ['"🪨"', '🪨'],
    [JSON.stringify('x'.repeat(511)), 'x'.repeat(511)],
    [JSON.stringify('x'.repeat(512)), 'x'.repeat(512)],
    [JSON.stringify('é'.repeat(256)), 'é'.repeat(256)],
  ]
  it('are taken by their text, up to 512 bytes', async () => {
    for (const [sent, stored] of taken) {
      const raw = `{"documents":[{"id":${sent},"text":${JSON.stringify(longText)}}]}`
      const { body } = await scene.api.call(operations.uploadDocuments, { params: scene.text, raw }, 202)
      expect(body.submitted_ids, sent).toEqual([stored])
      const got = await scene.api.call(operations.getDocuments, { params: scene.text, raw: `{"ids":[${sent}]}` }, 200)
      expect(got.body.items.map(({ id }) => id)).toEqual([stored])
      const deleted = await scene.api.call(
        operations.deleteDocuments,
        { params: scene.text, raw: `{"ids":[${sent}]}` },
        200,
      )
      expect(deleted.body.deleted_ids).toEqual([stored])
    }
  })

  const bad: readonly (readonly [name: string, sent: string])[] = [
    ['empty', '""'],
    ['null', 'null'],
    ['true', 'true'],
    ['an object', '{"$ne":null}'],
    ['a list', '["a"]'],
    ['2^53', '9007199254740992'],
    ['2^53 + 1', '9007199254740993'],
    ['-2^53', '-9007199254740992'],
    ['20 digits', '12345678901234567890'],
    ['1e400', '1e400'],
    ['513 bytes', JSON.stringify('x'.repeat(513))],
    ['513 bytes in 257 characters', JSON.stringify(`${'é'.repeat(256)}x`)],
    ['10 KB', JSON.stringify('x'.repeat(10_240))],
    ['NUL', String.raw`"a\u0000b"`],
    ['a line end', String.raw`"a\nb"`],
    ['U+009F', String.raw`"a\u009fb"`],
    ['a lone surrogate', String.raw`"a\ud800b"`],
    ['a surrogate pair the wrong way round', String.raw`"a\udc00\ud800b"`],
  ]
  it.each(bad)('%s refuses the whole request, in every operation', async (_name, sent) => {
    const documents = `{"documents":[{"id":"fine-beside-bad","text":${JSON.stringify(longText)}},{"id":${sent},"text":${JSON.stringify(longText)}}]}`
    await refused(
      scene.api,
      operations.uploadDocuments,
      { params: scene.text, raw: documents },
      { says: /documents\[1\]\.id|id/ },
    )
    const vectors = `{"vectors":[{"id":"fine-beside-bad","vector":[1,2,3]},{"id":${sent},"vector":[1,2,3]}]}`
    await refused(scene.api, operations.uploadVectors, { params: scene.vectors, raw: vectors }, { says: /id/ })
    for (const operation of [operations.getDocuments, operations.deleteDocuments, operations.deleteVectors]) {
      await refused(scene.api, operation, { params: scene.text, raw: `{"ids":["fine",${sent}]}` }, { says: /ids\[1\]/ })
    }
    for (const params of [scene.text, scene.vectors]) {
      await scene.api.call(operations.getDocuments, { params, body: { ids: ['fine-beside-bad'] } }, 207)
    }
  })

  it('must be there', async () => {
    await refused(
      scene.api,
      operations.uploadDocuments,
      { params: scene.text, body: { documents: [{ text: longText }] } },
      { says: /id/ },
    )
    await refused(
      scene.api,
      operations.uploadVectors,
      { params: scene.vectors, body: { vectors: [{ vector: [1, 2, 3] }] } },
      { says: /id/ },
    )
  })

  it('1 and "1" are one', async () => {
    const params = { namespace_name: await createNamespace(scene.api) }
    const documents = [
      { id: '1', text: `${longText} As text.` },
      { id: 1, text: `${longText} As a number.` },
    ]
    const { body } = await scene.api.call(operations.uploadDocuments, { params, body: { documents } }, 207)
    expect(body.failed_documents).toMatchObject([{ id: '1', error: 'Duplicate document id' }])
    const got = await scene.api.call(operations.getDocuments, { params, body: { ids: [1, '1'] } }, 200)
    expect(got.body.items).toMatchObject([{ id: '1', text: `${longText} As text.` }])
  })
})

describe.each(withIds)('B25: ids of %s', (_path, operation, max) => {
  const absent = (count: number) => Array.from({ length: count }, (_, turn) => `absent-${turn}`)

  it('are 1 to the limit', async () => {
    for (const count of [1, max - 1, max]) {
      const { status } = await scene.api.any(operation, { params: scene.text, body: { ids: absent(count) } })
      expect(status).toBe(operation === operations.getDocuments ? 207 : 200)
    }
    await refused(
      scene.api,
      operation,
      { params: scene.text, body: { ids: absent(max + 1) } },
      { says: new RegExp(`ids .*at most ${max}.*${max + 1}`) },
    )
    await refused(
      scene.api,
      operation,
      { params: scene.text, body: { ids: [] } },
      { says: 'The ids array is required and cannot be empty' },
    )
  })

  const bodies: readonly (readonly [name: string, body: unknown])[] = [
    ['missing', {}],
    ['null', { ids: null }],
    ['a text', { ids: 'd0' }],
    ['a number', { ids: 7 }],
    ['an operator', { ids: { $ne: null } }],
    ['an operator in a list', { ids: [{ $ne: null }] }],
    ['an operator beside an id', { ids: ['d0', { $gt: '' }] }],
    ['a regular expression', { ids: [{ $regex: '.*' }] }],
    ['a nested list', { ids: [['d0']] }],
    ['a nested empty list', { ids: [[]] }],
    ['an object with a length', { ids: { length: 1, 0: 'd0' } }],
    ['booleans', { ids: [true, false] }],
    ['nulls', { ids: [null] }],
    ['a hole', { ids: ['d0', ''] }],
    ['under another name', { id: ['d0'] }],
  ]
  it.each(bodies)('%s is refused, and nothing is deleted', async (_name, body) => {
    await refused(scene.api, operation, { params: scene.text, body }, { says: /ids/ })
    expect((await listed(scene.api)).find((one) => one.namespace_name === scene.text.namespace_name)?.item_count).toBe(
      3,
    )
  })
})

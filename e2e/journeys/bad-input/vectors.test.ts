import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { createNamespace, idsFound, listed } from '../../story.ts'
import { refused, useScene } from './scene.ts'

const scene = useScene()

/** Vectors as JSON text, because some contain numbers that JavaScript would not write. */
const bad: readonly (readonly [name: string, vector: string, error: string, dimension: number])[] = [
  ['too short', '[1,2]', 'Dimension mismatch', 2],
  ['too long', '[1,2,3,4]', 'Dimension mismatch', 4],
  ['empty', '[]', 'Dimension mismatch', 0],
  ['of texts', '["1","2","3"]', 'Invalid vector', 3],
  ['with null', '[1,null,3]', 'Invalid vector', 3],
  ['with true', '[1,true,3]', 'Invalid vector', 3],
  ['with a list', '[1,[2],3]', 'Invalid vector', 3],
  ['with 1e39', '[1,1e39,3]', 'Invalid vector', 3],
  ['with -1e39', '[1,-1e39,3]', 'Invalid vector', 3],
  ['with 1e400', '[1,1e400,3]', 'Invalid vector', 3],
  ['all zero', '[0,0,0]', 'Zero vector', 3],
  ['all minus zero', '[-0,-0,-0]', 'Zero vector', 3],
  ['zero as 32-bit floats', '[1e-46,-1e-46,0]', 'Zero vector', 3],
  ['an object', '{"0":1,"1":2,"2":3,"length":3}', 'Invalid vector', 0],
  ['a text', '"[1,2,3]"', 'Invalid vector', 0],
  ['base64', '"AACAPwAAAEAAAEBA"', 'Invalid vector', 0],
  ['a number', '7', 'Invalid vector', 0],
  ['null', 'null', 'Invalid vector', 0],
]

describe('B28: vectors', () => {
  it.each(bad)(
    '%s fail alone, refuse the request when there is no other, and are never stored',
    async (_name, vector, error, dimension) => {
      const good = '{"id":"good","vector":[3.4028234663852886e38,-1e-38,0.5]}'
      const mixed = await scene.api.call(
        operations.uploadVectors,
        { params: scene.vectors, raw: `{"vectors":[${good},{"id":"bad","vector":${vector}}]}` },
        207,
      )
      expect(mixed.body).toMatchObject({ vectors_processed: 1, vectors_failed: 1, vector_ids_processed: ['good'] })
      expect(mixed.body.failed_vectors).toMatchObject([
        { id: 'bad', error, expected_dimension: 3, provided_dimension: dimension },
      ])
      const alone = await refused(scene.api, operations.uploadVectors, {
        params: scene.vectors,
        raw: `{"vectors":[{"id":"bad","vector":${vector}}]}`,
      })
      expect(alone.details).toEqual({
        namespace_dimension: 3,
        provided_dimensions: [dimension],
        invalid_vectors: ['vectors[0]'],
      })
      await scene.api.call(operations.getDocuments, { params: scene.vectors, body: { ids: ['bad'] } }, 207)
      expect(await idsFound(scene.api, [scene.vectors.namespace_name], [1, 1, 1])).toEqual(['good'])
      expect(
        (await listed(scene.api)).find((one) => one.namespace_name === scene.vectors.namespace_name)?.item_count,
      ).toBe(1)
    },
  )

  it('that are missing fail', async () => {
    await refused(
      scene.api,
      operations.uploadVectors,
      { params: scene.vectors, body: { vectors: [{ id: 'a' }] } },
      { says: /vector/ },
    )
  })

  it.each([['NaN'], ['Infinity'], ['-Infinity'], ['0x1'], ['.5'], ['1.'], ['+1'], ['01']])(
    '%s is no JSON',
    async (number) => {
      const raw = `{"vectors":[{"id":"bad","vector":[1,${number},3]}]}`
      await refused(scene.api, operations.uploadVectors, { params: scene.vectors, raw }, { says: /not valid JSON/ })
    },
  )

  it('come 1 to 1,000 at a time', async () => {
    const name = await createNamespace(scene.api, { type: 'vector', vector_dimension: 2 })
    const params = { namespace_name: name }
    const many = (count: number) => Array.from({ length: count }, (_, turn) => ({ id: turn, vector: [1, turn] }))
    for (const count of [1, 999, 1_000])
      await scene.api.call(operations.uploadVectors, { params, body: { vectors: many(count) } }, 201)
    await refused(
      scene.api,
      operations.uploadVectors,
      { params, body: { vectors: many(1_001) } },
      { says: /vectors .*1 to 1000.*1001/ },
    )
    for (const vectors of [[], null, undefined, 'v', { length: 1 }, [null], [[1, 2]], [7]]) {
      await refused(scene.api, operations.uploadVectors, { params, body: { vectors } }, { says: /vectors/ })
    }
  })

  it('may carry a text of their own, within its limits', async () => {
    const sent = (text: unknown) => ({
      params: scene.vectors,
      body: { vectors: [{ id: 'with-text', vector: [1, 2, 3], text }] },
    })
    for (const text of [undefined, null, '', 'a', 'a'.repeat(50_000)])
      await scene.api.call(operations.uploadVectors, sent(text), 201)
    for (const text of [7, ['a'], 'a'.repeat(50_001), 'a\u0000b', 'a\ud800b'])
      await refused(scene.api, operations.uploadVectors, sent(text))
    await scene.api.call(operations.deleteVectors, { params: scene.vectors, body: { ids: ['with-text'] } }, 200)
  })

  it.each([
    ['too short', '[1,2]'],
    ['too long', '[1,2,3,4]'],
    ['empty', '[]'],
    ['of texts', '["1","2","3"]'],
    ['with null', '[1,null,3]'],
    ['with 1e39', '[1,1e39,3]'],
    ['all zero', '[0,0,0]'],
    ['an object', '{"length":3}'],
    ['null', 'null'],
    ['a number', '7'],
    ['true', 'true'],
    ['an empty text', '""'],
    ['a blank text', '"  \\n"'],
    ['a text of 10,001 characters', JSON.stringify('a'.repeat(10_001))],
    ['a text with a lone surrogate', '"a\\ud800b"'],
  ])('as queries are refused when they are %s', async (_name, query) => {
    const raw = `{"query":${query},"namespaces":["${scene.vectors.namespace_name}"]}`
    await refused(scene.api, operations.search, { raw }, { says: /query/ })
  })

  const searches: readonly (readonly [name: string, body: Readonly<Record<string, unknown>>, says: RegExp])[] = [
    ['no namespaces', { namespaces: undefined }, /namespaces/],
    ['an empty list of namespaces', { namespaces: [] }, /namespaces/],
    ['101 namespaces', { namespaces: Array.from({ length: 101 }, (_, turn) => `n${turn}`) }, /namespaces .*1 to 100/],
    ['namespaces as a text', { namespaces: 'a' }, /namespaces/],
    ['top_k 0', { top_k: 0 }, /top_k .*positive/],
    ['top_k -1', { top_k: -1 }, /top_k/],
    ['top_k 1.5', { top_k: 1.5 }, /top_k/],
    ['top_k as a text', { top_k: '10' }, /top_k/],
    ['top_k null', { top_k: null }, /top_k/],
    ['kiosk mode as a text', { kiosk_mode: 'true', threshold: 0.5 }, /kiosk_mode/],
    ['kiosk mode without threshold', { kiosk_mode: true }, /threshold/],
    ['threshold -0.1', { kiosk_mode: true, threshold: -0.1 }, /threshold/],
    ['threshold 1.1', { kiosk_mode: true, threshold: 1.1 }, /threshold/],
    ['threshold as a text', { kiosk_mode: true, threshold: '0.5' }, /threshold/],
  ]
  it.each(searches)('searches with %s are refused', async (_name, body, says) => {
    const sent = { query: [1, 2, 3], namespaces: [scene.vectors.namespace_name], ...body }
    await refused(scene.api, operations.search, { body: sent }, { says })
  })

  it('as queries are taken up to the limits', async () => {
    const name = await createNamespace(scene.api)
    const query = 'a'.repeat(10_000)
    await scene.api.call(
      operations.search,
      { body: { query, namespaces: Array.from({ length: 100 }, () => name), top_k: 100 } },
      200,
    )
    for (const threshold of [0, 1]) {
      await scene.api.call(
        operations.search,
        { body: { query: 'a', namespaces: [name], kiosk_mode: true, threshold } },
        200,
      )
    }
  })
})

import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { createNamespace, idsFound, listed, search, uploadVectors, useTarget } from '../story.ts'

const story = useTarget()

const axes = [
  { id: 'x', vector: [1, 0, 0], text: 'Along x', colour: 'red' },
  { id: 'y', vector: [0, 1, 0], colour: 'green' },
  { id: 3, vector: [0, 0, 2], metadata: { colour: 'blue' } },
]

describe('vectors', () => {
  it('are found by the search that follows their 201', async () => {
    const { api, name, params } = await story.room({ type: 'vector', vector_dimension: 3 })
    const { body } = await api.call(operations.uploadVectors, { params, body: { vectors: axes } }, 201)
    expect(body).toMatchObject({
      vectors_processed: 3,
      processing_status: 'completed',
      vector_ids_processed: ['x', 'y', '3'],
      errors: [],
    })
    expect(body.uploaded_vectors).toMatchObject(
      ['x', 'y', '3'].map((id) => ({ id, status: 'completed', dimension: 3 })),
    )
    const { results } = await search(api, [name], [0.9, 0.1, 0])
    expect(results.map(({ id }) => id)).toEqual(['x', 'y', '3'])
    expect(results[0]).toMatchObject({ text: 'Along x', metadata: { colour: 'red' }, label: 'Close Match' })
    expect(results[0]?.score).toBeCloseTo(0.993884, 6)
    expect(results[1]).toMatchObject({ text: '' })
    expect(results[2]).toMatchObject({ score: 0, label: 'Irrelevant', metadata: { colour: 'blue' } })
    expect(await listed(api)).toMatchObject([{ item_count: 3 }])
  })

  it('are replaced, read and deleted by id', async () => {
    const { api } = await story.member()
    const { documents, vectors } = api.sdk
    const name = await createNamespace(api, { type: 'vector', vector_dimension: 3 })
    await uploadVectors(api, name, axes)
    await uploadVectors(api, name, [{ id: 'x', vector: [0, 0, -1], text: 'Turned' }])
    expect(await idsFound(api, [name], [0, 0, -1], { top_k: 1 })).toEqual(['x'])
    expect((await documents.get(name, ['x', 3])).items).toMatchObject([
      { id: 'x', text: 'Turned', metadata: {} },
      { id: '3', metadata: { colour: 'blue' } },
    ])
    expect(await vectors.delete(name, ['x', 3])).toMatchObject({ actual_deletions: 2, remaining_items: 1 })
    expect(await idsFound(api, [name], [0, 0, -1])).toEqual(['y'])
    // Published clients use the documents endpoint for vectors, too.
    expect((await documents.delete(name, ['y'])).remaining_items).toBe(0)
  })

  it('that do not fit fail alone with what was expected', async () => {
    const { api, params } = await story.room({ type: 'vector', vector_dimension: 3 })
    const vectors = [axes[0], { id: 'long', vector: [1, 2, 3, 4] }, { id: 'x', vector: [0, 1, 1] }]
    const { body } = await api.call(operations.uploadVectors, { params, body: { vectors } }, 207)
    expect(body).toMatchObject({
      status: 'partial_success',
      vectors_processed: 1,
      vectors_failed: 2,
      vector_ids_processed: ['x'],
    })
    expect(body.failed_vectors).toMatchObject([
      { id: 'long', error: 'Dimension mismatch', expected_dimension: 3, provided_dimension: 4 },
      { id: 'x', error: 'Duplicate vector id' },
    ])
    expect(body.errors.map(({ id }) => id)).toEqual(['long', 'x'])
    expect(await listed(api)).toMatchObject([{ item_count: 1 }])
  })

  it('come in thousands of dimensions and a thousand at once', async () => {
    const { api, name: wide } = await story.room({ type: 'vector', vector_dimension: 4_096 })
    const vector = Array.from({ length: 4_096 }, (_, index) => Math.sin(index))
    await uploadVectors(api, wide, [{ id: 'wide', vector }])
    expect((await search(api, [wide], vector)).results).toMatchObject([{ id: 'wide', score: 1 }])
    const many = await createNamespace(api, { type: 'vector', vector_dimension: 4 })
    const vectors = Array.from({ length: 1_000 }, (_, turn) => ({
      id: turn,
      vector: [Math.cos(turn), Math.sin(turn), turn / 1_000, 1],
    }))
    expect(await api.sdk.vectors.upload(many, vectors, { batchSize: 1_000 })).toEqual({ stored: 1_000, failed: [] })
    expect(await idsFound(api, [many], vectors[617]?.vector ?? [], { top_k: 1 })).toEqual(['617'])
  })

  it('belong in vector namespaces, and a text is no query for them', async () => {
    const { api, name: text } = await story.room()
    const refused = await api.call(
      operations.uploadVectors,
      { params: { namespace_name: text }, body: { vectors: axes } },
      404,
    )
    expect(refused.body.message).toMatch(/vector namespace .*not found/i)
    const name = await createNamespace(api, { type: 'vector', vector_dimension: 3 })
    const textual = await api.call(operations.search, { body: { query: 'red', namespaces: [name] } }, 400)
    expect(textual.body.message).toMatch(/array of numbers/)
    const long = await api.call(operations.search, { body: { query: [1, 2, 3, 4], namespaces: [name] } }, 400)
    expect(long.body.message).toMatch(/3 dimensions/)
  })
})

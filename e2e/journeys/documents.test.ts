import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { idsFound, index, listed, search, settled, upload, useTarget, walk } from '../story.ts'

const story = useTarget()

const handbook = [
  { id: 'cairns', text: 'Cairns are piles of stones that mark a path in the mountains.', source: 'handbook', page: 4 },
  {
    id: 'bread',
    text: 'Bread is baked from flour and water in a hot oven.',
    source: 'kitchen',
    tags: ['food', 'warm'],
  },
  {
    id: 'tides',
    text: 'The tides follow the moon around the earth.',
    source: 'almanac',
    nested: { deep: [1, { deeper: null }] },
  },
]

describe('documents', () => {
  it('can be read right after their 202, searched when processed, and come back as they were sent', async () => {
    const { api, name, params } = await story.room()
    const { body: accepted } = await api.call(
      operations.uploadDocuments,
      { params, body: { documents: handbook } },
      202,
    )
    expect(accepted).toMatchObject({
      namespace_name: name,
      documents_processed: 3,
      processing_status: 'in_progress',
      submitted_ids: ['cairns', 'bread', 'tides'],
    })
    expect(accepted.uploaded_documents).toEqual(
      handbook.map(({ id, text }) => ({ id, status: 'processing', character_count: text.length })),
    )
    const got = await api.call(operations.getDocuments, { params, body: { ids: ['tides', 'cairns', 'bread'] } }, 200)
    expect(got.body).toMatchObject({ requested_ids: 3, found_items: 3 })
    for (const { id, text, ...metadata } of handbook) expect(got.body.items).toContainEqual({ id, text, metadata })

    await settled(api, name, accepted.upload_id)
    const hits = (await search(api, [name], 'stones that mark a path', { top_k: 1 })).results
    expect(hits).toHaveLength(1)
    expect(hits[0]).toMatchObject({
      id: 'cairns',
      text: handbook[0]?.text,
      metadata: { source: 'handbook', page: 4 },
      namespace: name,
    })
    expect(await listed(api)).toMatchObject([{ item_count: 3 }])
  })

  it('give 207 with what is there and what is not', async () => {
    const { api, name, params } = await story.room()
    await upload(api, name, handbook)
    const some = await api.call(
      operations.getDocuments,
      { params, body: { ids: ['cairns', 'nobody', 'cairns', 'nothing'] } },
      207,
    )
    expect(some.body).toMatchObject({
      status: 'partial',
      requested_ids: 4,
      found_items: 1,
      not_found_ids: ['nobody', 'nothing'],
    })
    const none = await api.call(operations.getDocuments, { params, body: { ids: ['nobody'] } }, 207)
    expect(none.body).toMatchObject({ found_items: 0, items: [] })
  })

  it('are replaced by a later document of the same id, which counts once and is found by its new text alone', async () => {
    const { api, name } = await story.room()
    await index(api, name, handbook)
    const [before] = await walk(api, name)
    await index(api, name, [{ id: 'cairns', text: 'Glaciers grind valleys out of rock.', source: 'geology' }])
    expect((await api.sdk.documents.get(name, ['cairns'])).items).toEqual([
      { id: 'cairns', text: 'Glaciers grind valleys out of rock.', metadata: { source: 'geology' } },
    ])
    expect(await idsFound(api, [name], 'glaciers and valleys', { top_k: 1 })).toEqual(['cairns'])
    expect((await search(api, [name], '#stones')).results).toEqual([])
    expect(await listed(api)).toMatchObject([{ item_count: 3 }])
    const [after] = await walk(api, name)
    const createdAt = (page: typeof before) => page?.items.find(({ id }) => id === 'cairns')?.created_at
    expect(createdAt(after)).toBe(createdAt(before))
  })

  it('end as the last of many uploads of one id at once, each with an outcome', async () => {
    const { api, name } = await story.room()
    const texts = Array.from({ length: 12 }, (_, turn) => `Version number ${turn} of the very same document.`)
    const uploads = await Promise.all(texts.map((text) => upload(api, name, [{ id: 'one', text }])))
    const outcomes = await Promise.all(uploads.map(({ upload_id: id }) => settled(api, name, id)))
    expect(outcomes.map(({ counts }) => counts.completed + counts.superseded)).toEqual(texts.map(() => 1))
    const [page] = await walk(api, name)
    expect(page?.items).toHaveLength(1)
    const { results } = await search(api, [name], 'version number of the document')
    expect(results).toMatchObject([{ id: 'one', text: page?.items[0]?.text }])
    expect(await listed(api)).toMatchObject([{ item_count: 1 }])
  })

  it('are deleted by id for reading, paging and search alike, and deleting again is no error', async () => {
    const { api, name } = await story.room()
    await index(api, name, handbook)
    const remove = () => api.sdk.documents.delete(name, ['cairns', 'nobody', 'cairns'])
    expect(await remove()).toMatchObject({
      status: 'success',
      requested_deletions: 3,
      actual_deletions: 1,
      remaining_items: 2,
      requested_ids: ['cairns', 'nobody', 'cairns'],
      deleted_ids: ['cairns'],
      unprocessed_ids: [],
    })
    expect(await idsFound(api, [name], 'stones that mark a path')).not.toContain('cairns')
    expect(await api.sdk.documents.get(name, ['cairns'])).toEqual({ items: [], not_found_ids: ['cairns'] })
    expect((await walk(api, name)).flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['bread', 'tides'])
    expect(await remove()).toMatchObject({ status: 'success', actual_deletions: 0, remaining_items: 2 })
    await index(api, name, handbook.slice(0, 1))
    expect(await idsFound(api, [name], 'stones that mark a path', { top_k: 1 })).toEqual(['cairns'])
  })

  it('that were deleted while they were processed do not come back', async () => {
    const { api, name } = await story.room()
    const documents = Array.from({ length: 50 }, (_, turn) => ({
      id: `d${turn}`,
      text: `Document ${turn} about stones and paths.`,
    }))
    const { upload_id: uploadId } = await upload(api, name, documents)
    const ids = documents.map(({ id }) => id)
    expect((await api.sdk.documents.delete(name, ids)).actual_deletions).toBe(50)
    const { counts } = await settled(api, name, uploadId)
    expect(counts.pending + counts.failed).toBe(0)
    expect(counts.completed + counts.deleted).toBe(50)
    expect((await search(api, [name], 'stones and paths')).results).toEqual([])
    expect(await listed(api)).toMatchObject([{ item_count: 0 }])
  })

  it('that break a rule fail alone, in words for programs and for people', async () => {
    const { api, name, params } = await story.room()
    const documents = [
      { id: 'short', text: 'too short' },
      handbook[0],
      { id: 'textless' },
      { id: 'cairns', text: 'The same id once more.' },
    ]
    const { body } = await api.call(operations.uploadDocuments, { params, body: { documents } }, 207)
    expect(body).toMatchObject({
      status: 'partial_success',
      documents_processed: 1,
      documents_failed: 3,
      submitted_ids: ['cairns'],
    })
    expect(body.failed_documents.map(({ id, error, provided_length: length }) => [id, error, length])).toEqual([
      ['short', 'Text content too short', 9],
      ['textless', 'Text missing', 0],
      ['cairns', 'Duplicate document id', 22],
    ])
    const outcome = await settled(api, name, body.upload_id)
    expect(outcome).toMatchObject({ state: 'completed', counts: { completed: 1, failed: 3 } })
    expect(await listed(api)).toMatchObject([{ item_count: 1 }])
  })

  it('may all be refused, which is a 207 of its own kind', async () => {
    const { api, name } = await story.room()
    const sent = { params: { namespace_name: name }, body: { documents: [{ id: 'a', text: 'short' }] } }
    const { body } = await api.call(operations.uploadDocuments, sent, 207)
    expect(body).toMatchObject({
      documents_processed: 0,
      documents_failed: 1,
      processing_status: 'failed',
      uploaded_documents: [],
    })
    expect(await settled(api, name, body.upload_id)).toMatchObject({
      state: 'failed',
      counts: { failed: 1, completed: 0 },
    })
  })

  it('belong in text namespaces only', async () => {
    const { api, name } = await story.room({ type: 'vector', vector_dimension: 3 })
    const refused = await api.call(
      operations.uploadDocuments,
      { params: { namespace_name: name }, body: { documents: handbook } },
      404,
    )
    expect(refused.body.message).toMatch(/text namespace .*not found/i)
  })
})

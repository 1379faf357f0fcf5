import { operations } from '@cairn/contracts/api/operations'
import { slices } from '@cairn/contracts/flow/slices'
import { describe, expect, it } from 'vitest'
import { createNamespace, index, settled, upload, useTarget } from '../story.ts'

const story = useTarget()

describe('the state of an upload', () => {
  it('shows the outcome of every document and its time', async () => {
    const { api, name, params } = await story.room()
    const documents = [
      { id: 'good', text: 'A document that is long enough.' },
      { id: 'bad', text: 'short' },
    ]
    const { body } = await api.call(operations.uploadDocuments, { params, body: { documents } }, 207)
    const outcome = await settled(api, name, body.upload_id)
    expect(outcome).toMatchObject({
      upload_id: body.upload_id,
      namespace_name: name,
      kind: 'text',
      state: 'completed',
      processing_status: 'completed',
      reason: null,
      counts: { pending: 0, completed: 1, failed: 1, superseded: 0, deleted: 0 },
      next_attempt_at: null,
    })
    expect(outcome.documents).toMatchObject([
      { id: 'good', status: 'completed', outcome: 'completed', reason: null, message: null },
      { id: 'bad', status: 'failed', outcome: 'failed', reason: 'Text content too short' },
    ])
    const [good, bad] = outcome.documents
    expect(good).toMatchObject({ state: 'completed', attempts: 1, accepted_at: outcome.created_at, remedy: null })
    expect(good).toMatchObject({ started_at: expect.any(String), finished_at: outcome.finished_at })
    expect(bad).toMatchObject({ state: 'failed', attempts: 0, remedy: 'Correct the document and upload it again.' })
    const one = { params: { ...params, upload_id: body.upload_id }, query: { limit: '1' } }
    const first = (await api.call(operations.listUploadDocuments, one, 200)).body
    expect(first.documents).toMatchObject([{ id: 'good', state: 'completed' }])
    const rest = { ...one, query: { ...one.query, next_token: first.pagination.next_token ?? '' } }
    expect((await api.call(operations.listUploadDocuments, rest, 200)).body).toMatchObject({
      documents: [{ id: 'bad', state: 'failed' }],
      pagination: { has_more: false },
    })
    expect(outcome.documents[1]?.message).toMatch(/at least 10 characters/)
    expect(Date.parse(outcome.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(outcome.created_at))
  })

  it('says when it is expected to end, from what uploads took before, and no more once it has', async () => {
    const { api, name } = await story.room()
    const documents = Array.from({ length: 50 }, (_, turn) => ({ id: `d${turn}`, text: `The text number ${turn}.` }))
    const params = { namespace_name: name }
    for (let turn = 0; turn < 3; turn += 1) {
      const sent = await api.call(operations.uploadDocuments, { params, body: { documents } }, 202)
      const { created_at: createdAt } = await api.sdk.uploads.get(name, sent.body.upload_id)
      expect(Date.parse(sent.body.estimated_completion)).toBeGreaterThan(Date.parse(createdAt))
      expect(await settled(api, name, sent.body.upload_id)).toMatchObject({ estimated_completion: null })
    }
  })

  it('is there for vectors too, finished with the answer', async () => {
    const { api, name, params } = await story.room({ type: 'vector', vector_dimension: 2 })
    const body = { vectors: [{ id: 'v', vector: [0.5, 0.5] }] }
    const { upload_id: uploadId } = (await api.call(operations.uploadVectors, { params, body }, 201)).body
    const state = await api.sdk.uploads.get(name, uploadId)
    expect(state).toMatchObject({ kind: 'vectors', state: 'completed', counts: { completed: 1 }, passages: null })
  })

  it('says superseded when another upload took the place of a document', async () => {
    const { api, name } = await story.room()
    const older = await upload(
      api,
      name,
      Array.from({ length: 60 }, (_, turn) => ({ id: `d${turn}`, text: `The older text number ${turn}.` })),
    )
    await index(api, name, [{ id: 'd59', text: 'The newer text of the last one.' }])
    const { counts, documents } = await settled(api, name, older.upload_id)
    expect(counts.completed + counts.superseded).toBe(60)
    expect(documents.find(({ id }) => id === 'd59')?.status).toBe('completed')
  })

  it('says how many passages were embedded, and embeds none of 1,000 unchanged documents', async () => {
    const { api, name } = await story.room()
    const documents = Array.from({ length: 1_000 }, (_, turn) => ({ id: `d${turn}`, text: `The text number ${turn}.` }))
    const send = async (namespace: string) => {
      let [reused, embedded] = [0, 0]
      for (const some of slices(documents, 100)) {
        const { passages } = await settled(api, namespace, (await upload(api, namespace, some)).upload_id)
        reused += passages?.reused ?? 0
        embedded += passages?.embedded ?? 0
      }
      return { reused, embedded }
    }
    expect(await send(name)).toEqual({ reused: 0, embedded: 1_000 })
    expect(await send(name)).toEqual({ reused: 1_000, embedded: 0 })
    // Vectors are not reused across namespaces, even of the same account.
    expect(await send(await createNamespace(api))).toEqual({ reused: 0, embedded: 1_000 })
  })

  it('is waited for on request, and comes as soon as it is final', async () => {
    const { api, name } = await story.room()
    const { upload_id: uploadId } = await upload(api, name, [{ id: 'a', text: 'A document that is long enough.' }])
    const params = { namespace_name: name, upload_id: uploadId }
    const from = performance.now()
    const { body } = await api.call(operations.getUpload, { params, query: { wait: '60' } }, 200)
    expect(body).toMatchObject({ state: 'completed', counts: { completed: 1 } })
    expect(performance.now() - from).toBeLessThan(30_000)
    await api.call(operations.getUpload, { params, query: { wait: '0' } }, 200)
    for (const wait of ['61', '-1', '1.5', 'x', '']) {
      const refused = await api.call(operations.getUpload, { params, query: { wait } }, 400)
      expect(refused.body.message).toMatch(/wait must be an integer from 0 to 60/)
    }
  })

  it('is listed with others of its namespace, newest first, by state and page by page', async () => {
    const { api, name } = await story.room()
    const list = async (query: Readonly<Record<string, string>> = {}) =>
      (await api.call(operations.listUploads, { params: { namespace_name: name }, query }, 200)).body
    expect(await list()).toEqual({ uploads: [], pagination: { limit: 100, has_more: false, next_token: null } })
    const ids: string[] = []
    for (const turn of [1, 2, 3]) {
      const outcome = await index(api, name, [{ id: `d${turn}`, text: `The text of document ${turn}.` }])
      ids.unshift(outcome.upload_id)
    }
    const { uploads } = await list()
    expect(uploads.map(({ upload_id: id }) => id)).toEqual(ids)
    expect(uploads[0]).toMatchObject({
      namespace_name: name,
      state: 'completed',
      documents: 1,
      failed: 0,
      reason: null,
    })
    expect((await list({ state: 'failed' })).uploads).toEqual([])
    const first = await list({ limit: '2', state: 'completed' })
    expect(first.uploads.map(({ upload_id: id }) => id)).toEqual(ids.slice(0, 2))
    const rest = await list({ limit: '2', next_token: first.pagination.next_token ?? '' })
    expect(rest).toMatchObject({ uploads: [{ upload_id: ids[2] }], pagination: { has_more: false, next_token: null } })
    const other = await createNamespace(api)
    const foreign = { next_token: first.pagination.next_token ?? '' }
    await api.call(operations.listUploads, { params: { namespace_name: other }, query: foreign }, 400)
    for (const query of [{ limit: '0' }, { limit: '101' }, { state: 'done' }, { next_token: 'x' }])
      await api.call(operations.listUploads, { params: { namespace_name: name }, query }, 400)
  })

  it('is 404 for an upload of another namespace, and for none', async () => {
    const { api } = await story.member()
    const [one, other] = [await createNamespace(api), await createNamespace(api)]
    const { upload_id: uploadId } = await upload(api, one, [{ id: 'a', text: 'A document that is long enough.' }])
    await api.call(operations.getUpload, { params: { namespace_name: other, upload_id: uploadId } }, 404)
    await api.call(operations.getUpload, { params: { namespace_name: one, upload_id: 'upload_nothing' } }, 404)
    await api.call(operations.getUpload, { params: { namespace_name: one, upload_id: '../../x' } }, 404)
  })
})

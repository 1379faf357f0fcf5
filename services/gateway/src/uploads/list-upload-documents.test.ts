import { describe, expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const gateway = useGateway()

type Page = {
  readonly documents: readonly Record<string, unknown>[]
  readonly pagination: { readonly has_more: boolean; readonly next_token: string | null }
}

const text = 'A text that is long enough.'

/** Uploads `count` valid documents and one that is rejected. */
const open = async (count: number) => {
  const scene = await gateway().open()
  const { store } = gateway()
  const ids = Array.from({ length: count }, (_, number) => `d${number}`)
  const documents = [...ids.map((id) => ({ id, text })), { id: 'short', text: 'short' }]
  const sent = await scene.json('POST', 'documents', { documents })
  expect(sent.status).toBe(207)
  const uploadId = String(sent.body['upload_id'])
  const read = (query = '') => scene.call('GET', `uploads/${uploadId}/documents${query}`)
  const page = async (query = '') => {
    const { status, body } = await read(query)
    expect(status).toBe(200)
    return body as unknown as Page
  }
  const statesOf = ({ documents: all }: Page) => all.map(({ id, state }) => `${id} ${state}`)
  return { ...scene, store, uploadId, ids, read, page, statesOf }
}

describe('the documents of an upload', () => {
  it('are queued, then running, then what became of each, with its reason and remedy', async () => {
    const { store, namespaceId, uploadId, page, statesOf, json } = await open(4)
    const createdAt = new Date(gateway().now()).toISOString()
    const queued = await page()
    expect(statesOf(queued)).toEqual(['d0 queued', 'd1 queued', 'd2 queued', 'd3 queued', 'short failed'])
    expect(queued.documents[0]).toEqual({
      id: 'd0',
      status: 'processing',
      outcome: 'pending',
      state: 'queued',
      reason: null,
      message: null,
      remedy: null,
      attempts: 0,
      next_attempt_at: createdAt,
      accepted_at: createdAt,
      started_at: null,
      finished_at: null,
    })
    expect(queued.documents[4]).toMatchObject({
      reason: 'Text content too short',
      remedy: 'Correct the document and upload it again.',
      attempts: 0,
      accepted_at: null,
    })

    gateway().pass(1_000)
    const startedAt = new Date(gateway().now()).toISOString()
    await store.uploads.lease(uploadId, 'lease')
    await store.items.markIndexed(namespaceId, uploadId, [{ id: 'd0', passages: 1 }])
    await store.items.markFailed(namespaceId, uploadId, [{ id: 'd1', reason: 'embedding_refused' }])
    await json('POST', 'documents', { documents: [{ id: 'd2', text: `${text} Later.` }] })
    await json('POST', 'documents/delete', { ids: ['d3'] })
    gateway().pass(1_000)
    const running = await page()
    expect(statesOf(running)).toEqual(['d0 completed', 'd1 failed', 'd2 superseded', 'd3 deleted', 'short failed'])
    expect(running.documents[1]).toMatchObject({
      reason: 'embedding_refused',
      message: 'The embedding model refused the text.',
      remedy: 'Change the text and upload the document again.',
      attempts: 1,
      accepted_at: createdAt,
      started_at: startedAt,
      finished_at: null,
    })
    expect(statesOf(await page('?state=failed'))).toEqual(['d1 failed', 'short failed'])
    expect(statesOf(await page('?state=deleted'))).toEqual(['d3 deleted'])

    const at = gateway().now()
    const outcomes = [{ id: 'd0', outcome: 'completed' }] as const
    await store.uploads.complete({ jobId: uploadId, token: 'lease' }, { state: 'completed', outcomes, times: {}, at })
    expect((await page()).documents[0]).toMatchObject({ state: 'completed', finished_at: new Date(at).toISOString() })
  })

  it('are running while a worker has them, and wait for their next attempt when it failed', async () => {
    const { store, uploadId, page } = await open(1)
    await store.uploads.lease(uploadId, 'lease')
    expect((await page()).documents[0]).toMatchObject({ state: 'running', attempts: 1, next_attempt_at: null })
    const next = { delayMs: 8_000, error: 'away', counted: false }
    await store.uploads.requeue({ jobId: uploadId, token: 'lease' }, next)
    const nextAt = new Date(gateway().now() + 8_000).toISOString()
    expect((await page()).documents[0]).toMatchObject({ state: 'queued', attempts: 1, next_attempt_at: nextAt })
  })

  it('come page by page, the rejected ones last', async () => {
    const { page, ids } = await open(5)
    const seen: unknown[] = []
    for (let token = ''; ; ) {
      const { documents, pagination } = await page(`?limit=2${token}`)
      seen.push(...documents.map(({ id }) => id))
      if (!pagination.has_more) break
      token = `&next_token=${pagination.next_token}`
    }
    expect(seen).toEqual([...ids, 'short'])
    const queued = await page('?state=queued&limit=5')
    expect(queued.pagination).toMatchObject({ has_more: false, next_token: null })
    expect((await page('?state=queued&limit=4')).pagination.has_more).toBe(true)
  })

  it.each([
    ['limit=0', 'limit must be an integer from 1 to 100'],
    ['limit=101', 'limit must be an integer from 1 to 100'],
    ['state=pending', 'state must be one of queued, running, completed, failed, superseded, deleted'],
    ['next_token=x', 'next_token does not match the requested upload'],
    ['next_token=', 'next_token must be a next_token of this upload'],
  ])('are refused with %s', async (query, message) => {
    const { read } = await open(1)
    expect(await read(`?${query}`)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
  })

  it('have pages of 1 to 100', async () => {
    const { read } = await open(1)
    for (const limit of [1, 100]) expect((await read(`?limit=${limit}`)).status).toBe(200)
  })

  it('are not found for another upload, and a token is of one upload only', async () => {
    const { call, json, uploadId, page } = await open(3)
    expect(await call('GET', 'uploads/upload_nothing/documents')).toMatchObject({ status: 404 })
    const other = await gateway().open()
    expect(await other.call('GET', `uploads/${uploadId}/documents`)).toMatchObject({ status: 404 })
    const { pagination } = await page('?limit=1')
    const second = await json('POST', 'documents', { documents: [{ id: 'x', text }] })
    const path = `uploads/${second.body['upload_id']}/documents?next_token=${pagination.next_token}`
    expect(await call('GET', path)).toMatchObject({ status: 400 })
  })
})

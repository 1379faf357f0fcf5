import { describe, expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const gateway = useGateway()
const text = 'A text that is long enough.'

type Retried = {
  readonly documents: number
  readonly files: number
  readonly upload_ids: readonly string[]
  readonly refused: readonly Record<string, unknown>[]
  readonly next_token: string | null
}

const open = async () => {
  const scene = await gateway().open()
  const { store } = gateway()
  const { namespaceId } = scene
  const send = async (ids: readonly string[], body = text): Promise<string> => {
    const documents = ids.map((id) => ({ id, text: `${body} Of ${id}.` }))
    return String((await scene.json('POST', 'documents', { documents })).body['upload_id'])
  }
  /** Ends an upload: these documents fail for these reasons; the others are indexed. */
  const end = async (uploadId: string, reasons: Readonly<Record<string, string>>) => {
    const job = await store.uploads.lease(uploadId, 'lease')
    const ids = job?.ids ?? []
    const failures = Object.entries(reasons).map(([id, reason]) => ({ id, reason }))
    await store.items.markFailed(namespaceId, uploadId, failures)
    const indexed = ids.filter((id) => reasons[id] === undefined).map((id) => ({ id, passages: 1 }))
    await store.items.markIndexed(namespaceId, uploadId, indexed)
    const outcomes = ids.map((id) => {
      const reason = reasons[id]
      return reason === undefined
        ? ({ id, outcome: 'completed' } as const)
        : ({ id, outcome: 'failed', reason } as const)
    })
    const state = outcomes.some(({ outcome }) => outcome === 'completed') ? 'completed' : 'failed'
    const result = { state, outcomes, times: {}, at: gateway().now() } as const
    await store.uploads.complete({ jobId: uploadId, token: 'lease' }, result)
  }
  const failed = async (ids: readonly string[], reason = 'internal', body = text): Promise<string> => {
    const uploadId = await send(ids, body)
    await end(uploadId, Object.fromEntries(ids.map((id) => [id, reason])))
    return uploadId
  }
  const post = async (path: string, body: unknown, status: number): Promise<Retried> => {
    const answer = await scene.json('POST', path, body)
    expect(answer).toMatchObject({ status })
    return answer.body as unknown as Retried
  }
  const retry = (body: unknown, status = 202) => post('retry', body, status)
  const retryUpload = (id: string, body: unknown = {}, status = 202) => post(`uploads/${id}/retry`, body, status)
  const item = async (id: string) => (await store.items.get(namespaceId, [id]))[0]
  return { ...scene, store, send, end, failed, post, retry, retryUpload, item }
}

describe('retrying an upload', () => {
  it('uploads its failed documents again, as a new upload of the stored texts', async () => {
    const { send, end, retryUpload, item, store, call } = await open()
    const uploadId = await send(['a', 'b', 'c'])
    expect(await retryUpload(uploadId, {}, 409)).toMatchObject({ message: expect.stringMatching(/being processed/) })
    await end(uploadId, { a: 'internal', b: 'crashed_worker' })
    const before = gateway().sent.length
    const { documents, upload_ids: uploads, refused } = await retryUpload(uploadId)
    expect({ documents, refused }).toEqual({ documents: 2, refused: [] })
    expect(uploads).toHaveLength(1)
    expect(gateway().sent.slice(before)).toMatchObject([{ type: 'upload.accepted', key: uploads[0] }])
    expect(await store.uploads.get(uploads[0] ?? '')).toMatchObject({ state: 'queued', ids: ['a', 'b'] })
    expect(await item('a')).toMatchObject({
      version: uploads[0],
      status: 'processing',
      body: { text: `${text} Of a.` },
    })
    expect(await item('c')).toMatchObject({ version: uploadId, status: 'completed' })
    // The failed version is final, and its upload still reports it.
    const { body } = await call('GET', `uploads/${uploadId}`)
    expect(body['counts']).toMatchObject({ failed: 2, completed: 1 })
  })

  it('changes nothing when it is repeated', async () => {
    const { failed, retryUpload, item } = await open()
    const uploadId = await failed(['a'])
    const first = await retryUpload(uploadId)
    expect(await retryUpload(uploadId, {}, 200)).toMatchObject({ documents: 0, upload_ids: [], refused: [] })
    expect((await item('a'))?.version).toBe(first.upload_ids[0])
  })

  it('needs no body', async () => {
    const { failed, call } = await open()
    expect((await call('POST', `uploads/${await failed(['a'])}/retry`)).status).toBe(202)
  })

  it('brings nothing back that was deleted or replaced', async () => {
    const { failed, send, json, retryUpload, item } = await open()
    const uploadId = await failed(['deleted', 'replaced', 'kept'])
    await json('POST', 'documents/delete', { ids: ['deleted'] })
    const later = await send(['replaced'], 'Another text that is long enough.')
    expect(await retryUpload(uploadId)).toMatchObject({ documents: 1, refused: [] })
    expect(await item('deleted')).toBeUndefined()
    expect(await item('replaced')).toMatchObject({ version: later })
  })

  it('refuses permanent reasons with the remedy, unless they are named', async () => {
    const { send, end, retryUpload } = await open()
    const uploadId = await send(['a', 'b'])
    await end(uploadId, { a: 'embedding_refused', b: 'internal' })
    expect(await retryUpload(uploadId, { dry_run: true }, 200)).toMatchObject({ documents: 1 })
    expect(await retryUpload(uploadId)).toMatchObject({
      documents: 1,
      refused: [
        {
          kind: 'documents',
          reason: 'embedding_refused',
          count: 1,
          message: 'The embedding model refused the text.',
          remedy: 'Change the text and upload the document again.',
          names: ['a'],
        },
      ],
    })
    expect(await retryUpload(uploadId, { reason: ['internal'] }, 200)).toMatchObject({ documents: 0, refused: [] })
    expect(await retryUpload(uploadId, { reason: ['embedding_refused'] })).toMatchObject({ documents: 1, refused: [] })
  })

  it('names the first of many that are not retried', async () => {
    const { failed, retryUpload } = await open()
    const ids = Array.from({ length: 30 }, (_, at) => `d${at}`)
    const { refused } = await retryUpload(await failed(ids, 'embedding_refused'), {}, 200)
    expect(refused).toEqual([expect.objectContaining({ count: 30, names: ids.slice(0, 20) })])
  })

  it('is not found for another account, nor for an upload of nobody', async () => {
    const { failed, json } = await open()
    const uploadId = await failed(['a'])
    const other = await gateway().open()
    expect((await other.json('POST', `uploads/${uploadId}/retry`, {})).status).toBe(404)
    expect((await json('POST', 'uploads/upload_nothing/retry', {})).status).toBe(404)
  })
})

describe('retrying what failed in a namespace', () => {
  it('retries documents of all uploads, and only counts them on request', async () => {
    const { failed, retry } = await open()
    await failed(['a', 'b'])
    await failed(['c'])
    expect(await retry({ dry_run: true }, 200)).toMatchObject({ documents: 3, upload_ids: [], has_more: false })
    const { documents, upload_ids: uploads } = await retry({})
    expect(documents).toBe(3)
    expect(uploads).toHaveLength(2)
    expect(await retry({}, 200)).toMatchObject({ documents: 0 })
  })

  it('retries single documents by their ids', async () => {
    const { failed, send, retry, item } = await open()
    await failed(['a', 'b'])
    await send(['c'])
    expect(await retry({ ids: ['a', 'c', 'x', 'a'] })).toMatchObject({ documents: 1 })
    expect(await item('b')).toMatchObject({ status: 'failed' })
  })

  it('selects by reason and by the time of the failure', async () => {
    const { failed, retry } = await open()
    await failed(['a'], 'internal')
    const first = new Date(gateway().now()).toISOString()
    gateway().pass(60_000)
    await failed(['b'], 'crashed_worker')
    const second = new Date(gateway().now()).toISOString()
    const count = async (body: object) => (await retry({ ...body, dry_run: true }, 200)).documents
    expect(await count({ reason: ['crashed_worker'] })).toBe(1)
    expect(await count({ after: first })).toBe(2)
    expect(await count({ after: second })).toBe(1)
    expect(await count({ before: second })).toBe(1)
    expect(await count({ before: first })).toBe(0)
    expect(await count({ kind: 'files' })).toBe(0)
    expect(await count({ kind: 'documents' })).toBe(2)
  })

  it.each([
    [499, 499, false],
    [500, 500, true],
    [501, 500, true],
  ])('retries %i documents in requests of 500', async (all, first, hasMore) => {
    const { failed, retry } = await open()
    const ids = Array.from({ length: all }, (_, number) => `d${number}`)
    // Uploads are retried as a whole, newest first.
    await failed(ids.slice(0, all % 100))
    for (let from = all % 100; from < all; from += 100) await failed(ids.slice(from, from + 100))
    const answer = await retry({})
    expect(answer).toMatchObject({ documents: first, has_more: hasMore })
    if (!hasMore) return
    const rest = await retry({ next_token: answer.next_token }, all > first ? 202 : 200)
    expect(rest).toMatchObject({ documents: all - first, has_more: false })
  })

  it.each([
    [{ ids: [] }, 'The ids array is required and cannot be empty'],
    [{ ids: Array.from({ length: 101 }, (_, id) => id) }, 'ids must have at most 100 elements'],
    [{ ids: ['a'], kind: 'files' }, 'kind cannot be sent with ids'],
    [{ kind: 'chunks' }, 'kind must be "documents" or "files"'],
    [{ reason: [] }, 'reason must be an array of 1 to 20 reasons'],
    [{ reason: Array.from({ length: 21 }, () => 'internal') }, 'reason must be an array of 1 to 20 reasons'],
    [{ reason: 'internal' }, 'reason must be an array of 1 to 20 reasons'],
    [{ reason: ['x'.repeat(101)] }, 'must have at most 100 characters'],
    [{ after: 'yesterday' }, 'after must be a time in ISO 8601'],
    [{ before: 7 }, 'before must be a time in ISO 8601'],
    [{ dry_run: 1 }, 'dry_run must be true or false'],
    [{ next_token: 'x' }, 'next_token does not match the requested namespace'],
    [[], 'must be an object'],
  ])('refuses %j', async (body, message) => {
    const { json } = await open()
    expect(await json('POST', 'retry', body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    })
  })

  it('takes 100 ids, 20 reasons of 100 characters, and times with a zone', async () => {
    const { retry } = await open()
    await retry({ ids: Array.from({ length: 100 }, (_, id) => id) }, 200)
    await retry({ reason: Array.from({ length: 20 }, () => 'x'.repeat(100)), after: '2026-03-01T12:00:00+01:00' }, 200)
  })

  it('needs a key with the scope write', async () => {
    const { keyWith, call } = await open()
    const headers = { 'x-api-key': await keyWith({ scopes: ['read'] }) }
    expect((await call('POST', 'retry', { headers })).status).toBe(403)
  })

  it('retries vectors, too', async () => {
    const { store, ...scene } = { ...(await gateway().open('vector')), store: gateway().store }
    const body = { text: '', metadata: '{}', vector: Float32Array.of(1, 0) }
    await store.accept({
      uploadId: 'upload_of_vectors',
      kind: 'vectors',
      accountId: scene.accountId,
      namespaceId: scene.namespaceId,
      documents: [{ id: 'v', body }],
      rejected: [],
      limit: null,
      correlationId: 'test',
      traceparent: null,
      at: gateway().now(),
    })
    await store.items.markFailed(scene.namespaceId, 'upload_of_vectors', [{ id: 'v', reason: 'internal' }])
    expect(await scene.json('POST', 'retry', { ids: ['v'] })).toMatchObject({ status: 202, body: { documents: 1 } })
    const [item] = await store.items.get(scene.namespaceId, ['v'])
    expect(item).toMatchObject({ status: 'processing', body: { vector: body.vector } })
  })
})

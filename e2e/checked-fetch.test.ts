import { Cairn } from '@cairn/client'
import { expect, it } from 'vitest'
import { createCheckedFetch } from './checked-fetch.ts'

const namespace = {
  namespace_name: 'notes',
  type: 'text',
  vector_dimension: 384,
  created_at: '2026-01-31T12:00:00.000Z',
  item_count: 0,
  model: 'lexical',
  language: 'en',
}

/** Creates a client of a server that sends this response to every request. */
const clientOf = (body: unknown, status = 200, more: Readonly<Record<string, string>> = {}): Cairn => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1', ...more }
  const answer = async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  return new Cairn({ apiKey: 'key', retries: 0, fetch: createCheckedFetch(answer) })
}
const refusal = { status: 'failure', message: 'The name is not known.', error: 'Not found', request_id: 'req_1' }

it('hands on what the contract documents: a success, a failure, and a stream', async () => {
  expect(await clientOf(namespace).namespaces.get('notes')).toEqual(namespace)
  expect(await clientOf(refusal, 404).namespaces.get('notes')).toBeUndefined()
  const events = clientOf('id: 1.0\nevent: a\ndata: {"type":"a"}\n\n', 200, { 'content-type': 'text/event-stream' })
  expect((await events.events().next()).value).toEqual({ type: 'a', position: '1.0' })
})

it.each([
  ['an undocumented field', clientOf({ ...namespace, secret: 1 }), /getNamespace answered 200: .* not documented/],
  ['a missing field', clientOf({ namespace_name: 'notes' }), /getNamespace answered 200: .* does not fit its schema/],
  ['an undocumented status', clientOf(refusal, 418), /getNamespace answered 418, which it does not document/],
  ['another x-request-id', clientOf(refusal, 404, { 'x-request-id': 'req_2' }), /request_id differs/],
  ['a 503 without Retry-After', clientOf(refusal, 503), /without Retry-After/],
  ['a 500', clientOf(refusal, 500), /getNamespace failed/],
])('refuses %s', async (_, client, message) => {
  await expect(client.namespaces.get('notes')).rejects.toMatchObject({
    code: 'unexpected_response',
    message: expect.stringMatching(message),
  })
})

it('refuses the answer to an upload, which the client sends without a Request', async () => {
  const client = clientOf({ status: 'success' }, 202)
  const upload = client.documents.upload('notes', [{ id: '1', text: 'Cairns mark a path.' }])
  await expect(upload).rejects.toMatchObject({ message: expect.stringMatching(/uploadDocuments answered 202/) })
})

it('refuses a request that is no operation of the contract', async () => {
  const fetch = createCheckedFetch(() => Promise.reject(new Error('it was sent')))
  for (const [method, path] of [
    ['GET', '/v1/namespace'],
    ['GET', '/v1/namespaces/'],
    ['PATCH', '/v1/namespaces'],
  ] as const)
    await expect(fetch(new Request(`http://localhost:3000${path}`, { method }))).rejects.toThrow(
      `${method} ${path} is no operation of the contract`,
    )
})

it('leaves signed addresses alone', async () => {
  const fetch = createCheckedFetch(async () => new Response('<Error/>', { status: 403 }))
  expect((await fetch(new URL('http://localhost:3000/files/key'), { method: 'PUT' })).status).toBe(403)
})

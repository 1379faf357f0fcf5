import { expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()

const listed = async (space: Awaited<ReturnType<ReturnType<typeof gateway>['open']>>) => {
  const { status, body } = await space.call('GET', 'list-files')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    success: true,
    namespace: space.namespace,
    file_count: (body['files'] as unknown[]).length,
  })
  return body['files'] as { readonly file_name: string; readonly size: number; readonly last_modified: string }[]
}

it('shows every file with its size and the milliseconds of its storing, and nothing for an empty namespace', async () => {
  const space = await gateway().open()
  const empty = await space.call('GET', 'list-files')
  expect(empty.body).toEqual({ success: true, namespace: space.namespace, file_count: 0, files: [], uploads: [] })
  await space.upload('b/c.txt', 'four')
  await space.upload('a.md', 'fives')
  const last_modified = new Date(gateway().now()).toISOString()
  expect(await listed(space)).toMatchObject([
    { file_name: 'a.md', size: 5, last_modified },
    { file_name: 'b/c.txt', size: 4, last_modified },
  ])
})

it('shows a file without a byte, and a file of its time after it is replaced', async () => {
  const space = await gateway().open()
  expect(await space.upload('empty.txt', '')).toMatchObject({ status: 200, body: { fileSize: 0 } })
  const { body } = await space.json('POST', 'upload-url', { file_name: 'sent.md' })
  expect(await put(String(body['upload_url']), '', { 'content-type': 'text/markdown' })).toMatchObject({ status: 200 })
  expect(await listed(space)).toMatchObject([
    { file_name: 'empty.txt', size: 0 },
    { file_name: 'sent.md', size: 0 },
  ])
  gateway().pass(61_000)
  await space.upload('empty.txt', 'no more')
  const last_modified = new Date(gateway().now()).toISOString()
  expect((await listed(space))[0]).toMatchObject({ file_name: 'empty.txt', size: 7, last_modified })
})

it('has no use for a body or a query, and takes an empty body that is announced as JSON', async () => {
  const { call } = await gateway().open()
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/plain, */*' }
  for (const path of ['list-files', 'list-files?limit=1&prefix=x&file_name=y'])
    expect(await call('GET', path, { headers })).toMatchObject({ status: 200, body: { file_count: 0, files: [] } })
})

it('shows all of more than a page of the store', async () => {
  const space = await gateway().open()
  const { files, store } = gateway()
  const names = Array.from({ length: 1_203 }, (_, index) => `file-${String(index).padStart(5, '0')}.txt`)
  for (const name of names) {
    const object = await files.put(space.key(name), Buffer.from('x'), { contentType: 'text/plain' })
    await store.files.register({
      fileId: `file_${space.namespaceId}_${name}`,
      version: `fver_${name}`,
      accountId: space.accountId,
      namespaceId: space.namespaceId,
      name,
      idBase: name,
      key: space.key(name),
      object,
      limit: null,
      correlationId: 'request-1',
      traceparent: null,
      at: gateway().now(),
    })
  }
  expect((await listed(space)).map(({ file_name }) => file_name)).toEqual(names)
}, 60_000)

it('shows a file that has arrived and is not taken in yet, and none that may not stay', async () => {
  const space = await gateway().open()
  const { files } = gateway()
  const store = (name: string) => files.put(space.key(name), Buffer.from('x'), { contentType: 'text/plain' })
  await space.json('POST', 'upload-url', { file_name: 'arrived.txt' })
  await store('arrived.txt')
  await store('of-nobody.txt')
  await space.upload('deleted.txt', 'text')
  await space.json('DELETE', 'delete-file', { file_name: 'deleted.txt' })
  await store('deleted.txt')
  expect((await listed(space)).map(({ file_name }) => file_name)).toEqual(['arrived.txt'])
})

it('asks for a key and a namespace of the account, and takes one of vectors, which has none', async () => {
  const space = await gateway().open('vector')
  expect(await listed(space)).toEqual([])
  expect(await space.call('GET', 'list-files', { headers: { 'x-api-key': 'none' } })).toMatchObject({
    status: 401,
    body: { error: 'Unauthorized' },
  })
  const other = await gateway().open()
  const headers = { 'x-api-key': other.apiKey }
  expect(await space.call('GET', 'list-files', { headers })).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining(space.namespace) },
  })
  const nowhere = await fetch(`${gateway().url()}/v1/namespaces//list-files`, { headers })
  expect([nowhere.status, await nowhere.json()]).toMatchObject([400, { error: 'namespace is required' }])
})

it('answers 429 at the limit of the plan, in the one field of file endpoints, and counts each call before', async () => {
  const { call, accountId } = await gateway().open('text', 'community')
  await gateway().store.usage.add([
    { accountId, period: new Date(gateway().now()).toISOString().slice(0, 7), requests: 99_999, credits: 99_999 },
  ])
  expect(await call('GET', 'list-files')).toMatchObject({ status: 200 })
  const { status, body, headers } = await call('GET', 'list-files')
  expect({ status, body }).toEqual({
    status: 429,
    body: {
      error: expect.stringMatching(/^API request limit reached.*100,000 requests/),
      request_id: expect.any(String),
    },
  })
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
})

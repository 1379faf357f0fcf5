import { describe, expect, it } from 'vitest'
import { useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
type EmbeddingSpace = Awaited<ReturnType<ReturnType<typeof gateway>['open']>>

const json = { 'content-type': 'application/json' }
const formOf = (name: string) => {
  const form = new FormData()
  form.set('file', new Blob(['text']), name)
  return form
}
/** Endpoints, each with a call that succeeds on a text namespace with one file `a.txt`. */
const endpoints: readonly (readonly [string, string, () => Omit<RequestInit, 'method'>])[] = [
  ['POST', 'upload-url', () => ({ body: JSON.stringify({ file_name: 'b.txt' }), headers: json })],
  ['POST', 'upload-file', () => ({ body: formOf('b.txt') })],
  ['GET', 'list-files', () => ({})],
  [
    'DELETE',
    'delete-file',
    () => ({ body: JSON.stringify({ file_names: ['a.txt', 'b.txt', 'c.txt'] }), headers: json }),
  ],
]

describe.each(endpoints)('%s %s', (method, path, init) => {
  const ask = (space: EmbeddingSpace, headers: Readonly<Record<string, string>> = {}) => {
    const { headers: own, ...rest } = init()
    return space.call(method, path, {
      ...rest,
      headers: { ...(own as Record<string, string> | undefined), ...headers },
    })
  }
  const at = async (space: EmbeddingSpace, address: string) => {
    const { headers, ...rest } = init()
    const all = { ...(headers as Record<string, string> | undefined), 'x-api-key': space.apiKey }
    const response = await fetch(`${gateway().url()}/v1/namespaces/${address}`, { method, ...rest, headers: all })
    return { status: response.status, body: await response.json() }
  }
  const error = (text: unknown) => ({ error: text, request_id: expect.any(String) })

  it.each([
    ['is missing', '', 'Unauthorized: API key is missing'],
    ['is none', 'sk_none', 'Unauthorized: Invalid API key'],
  ])('answers 401 where the key %s', async (_, key, message) => {
    const { status, body } = await ask(await gateway().open(), { 'x-api-key': key })
    expect({ status, body }).toEqual({ status: 401, body: { ...error('Unauthorized'), message } })
  })

  it.each([
    ['disabled', { state: 'disabled' }, 401, 'Unauthorized', 'Unauthorized: API key is disabled'],
    ['revoked', { state: 'revoked' }, 401, 'Unauthorized', 'Unauthorized: Invalid API key'],
    ['expired', { expiresAt: 1 }, 401, 'Unauthorized', 'Unauthorized: Invalid API key'],
    ['not activated', { state: 'inactive' }, 403, 'Forbidden', 'Forbidden'],
    ['without the scope', { scopes: ['admin'] }, 403, 'Forbidden', 'Forbidden: Insufficient permissions'],
  ] as const)('refuses a key that is %s', async (_, its, status, title, message) => {
    const space = await gateway().open()
    const answer = await ask(space, {
      'x-api-key': await space.keyWith(its as Parameters<EmbeddingSpace['keyWith']>[0]),
    })
    expect(answer).toMatchObject({ status, body: { ...error(title), message } })
  })

  it('answers 404 for a namespace that is not there, and for one of somebody else', async () => {
    const [mine, theirs] = [await gateway().open(), await gateway().open()]
    for (const name of ['nowhere', theirs.namespace]) {
      const { status, body } = await at(mine, `${name}/${path}`)
      expect({ status, body }).toEqual({
        status: 404,
        body: error(expect.stringContaining(`amespace "${name}" not found`)),
      })
    }
  })

  it('answers 400 where the namespace is missing in the path', async () => {
    expect(await at(await gateway().open(), `/${path}`)).toEqual({ status: 400, body: error('namespace is required') })
  })

  it('answers 429 at the limit of the plan, and to an account whose subscription has ended', async () => {
    const space = await gateway().open('text', 'community')
    await gateway().store.usage.add([
      {
        accountId: space.accountId,
        period: new Date(gateway().now()).toISOString().slice(0, 7),
        requests: 100_000,
        credits: 100_000,
      },
    ])
    const limited = await ask(space)
    expect(limited).toMatchObject({
      status: 429,
      body: error(expect.stringMatching(/^API request limit reached.*Community.*100,000 requests/i)),
    })
    expect(Object.keys(limited.body)).toEqual(['error', 'request_id'])
    expect(limited.headers.get('retry-after')).toMatch(/^[1-5]$/)
    const ended = await ask(await gateway().open('text', 'professional', gateway().now() - 1))
    expect(ended).toMatchObject({ status: 429, body: error(expect.stringMatching(/Professional/i)) })
    expect(Object.keys(ended.body)).toEqual(['error', 'request_id'])
  })

  it('counts as one request, whatever it is about', async () => {
    const space = await gateway().open('text', 'community')
    await space.upload('a.txt', 'text')
    const left = async () =>
      Number(/r=(\d+)/.exec((await space.call('GET', 'list-files')).headers.get('ratelimit') ?? '')?.[1])
    const before = await left()
    expect(await ask(space)).toMatchObject({ status: 200 })
    expect(before - (await left())).toBe(2)
  })
})

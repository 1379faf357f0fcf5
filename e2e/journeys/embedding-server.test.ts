import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { operations } from '@cairn/contracts/api/operations'
import { startLocalServer } from '@cairn/testing/local-server'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createNamespace, index, listed, search, useStandalone } from '../story.ts'

const dimension = 8
const send = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Sends a vector with this many dimensions for each text of a request. */
const vectors = async (message: IncomingMessage, response: ServerResponse, numbers: number) => {
  const { input } = (await json(message)) as { readonly input: readonly string[] }
  send(response, 200, {
    data: input.map((text) => ({ embedding: Array.from({ length: numbers }, (_, i) => text.length + i) })),
  })
}
const usual = (message: IncomingMessage, response: ServerResponse): void => void vectors(message, response, dimension)
let behave = usual
const server = await startLocalServer((message, response) => behave(message, response))
afterAll(server.close)
beforeEach(() => {
  behave = usual
})

const story = useStandalone({
  env: {
    CAIRN_EMBEDDER: 'openai',
    CAIRN_OPENAI_URL: `${server.url}/v1`,
    CAIRN_OPENAI_MODEL: 'a-model',
    CAIRN_OPENAI_DIMENSION: String(dimension),
    CAIRN_OPENAI_API_KEY: 'sk-canary-embedding',
  },
})

describe('the model of a namespace', () => {
  it('is chosen when it is created among those that the server offers, and serves it from then on', async () => {
    const { api } = await story.member()
    const [usual = '', words = ''] = [
      await createNamespace(api),
      await createNamespace(api, { type: 'text', model: 'lexical' }),
    ]
    const named = await createNamespace(api, { type: 'text', model: 'a-model' })
    const vectors = await createNamespace(api, { type: 'vector', vector_dimension: 2 })
    const namespaces = await listed(api)
    const modelOf = (name: string) => namespaces.find(({ namespace_name: one }) => one === name)?.model
    expect([usual, words, named, vectors].map(modelOf)).toEqual(['a-model', 'lexical', 'a-model', null])
    const documents = [
      { id: 'a', text: 'The spring lies behind the old larch tree.' },
      { id: 'b', text: 'Bread is sold on Sundays.' },
    ]
    for (const name of [usual, words]) await index(api, name, documents)
    const { results } = await search(api, [usual, words], 'larch trees', { mode: 'semantic' })
    expect(results.filter(({ namespace }) => namespace === words)[0]?.id).toBe('a')
    expect(results).toHaveLength(4)
    const other = { namespace_name: 'x', type: 'text', model: 'all-MiniLM-L6-v2' }
    expect((await api.call(operations.createNamespace, { body: other }, 400)).body.message).toMatch(
      /^model must be one of a-model, lexical, which this server offers/,
    )
  })
})

describe('an embedding server', () => {
  it.each([
    [
      'closes its connections',
      (_: IncomingMessage, response: ServerResponse) => void response.destroy(),
      /can't be reached/,
    ],
    [
      'answers with another dimension',
      (m: IncomingMessage, r: ServerResponse) => void vectors(m, r, 3),
      /vectors of 3 numbers/,
    ],
    ['refuses the key', (_: IncomingMessage, response: ServerResponse) => send(response, 401, {}), /refuses the key/],
  ])(
    'that %s makes text searches 503 with the reason, and the process unready until it recovers',
    async (_, trouble, reason) => {
      const { api, name: namespace } = await story.room()
      await index(api, namespace, [{ id: 'a', text: 'The spring lies behind the old larch tree.' }])
      const sent = { body: { query: 'where is the spring', namespaces: [namespace] } }
      const readiness = async () => (await fetch(`${api.url}/readyz`)).status
      await expect.poll(readiness, { timeout: 10_000 }).toBe(200)
      behave = trouble
      const { body } = await api.call(operations.search, sent, 503)
      expect(body.message).toMatch(reason)
      expect(JSON.stringify(body)).not.toContain('canary')
      await expect.poll(readiness, { timeout: 10_000 }).toBe(503)
      behave = usual
      await api.call(operations.search, sent, 200)
      await expect.poll(readiness, { timeout: 10_000 }).toBe(200)
    },
  )
})

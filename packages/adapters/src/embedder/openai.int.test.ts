import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@cairn/domain/ports/clock'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { lexicalEmbedder } from './lexical.ts'
import type { OpenaiEmbedderOptions } from './openai.ts'
import { openaiEmbedder } from './openai.ts'
import { embedderContract } from './port.contract.ts'

const key = 'sk-canary-1234567890'
const model = lexicalEmbedder()
const { dimension } = model.model

type Asked = {
  readonly input: readonly string[]
  readonly authorization: string | undefined
  readonly encoding: string | undefined
  readonly body: Record<string, unknown>
}
/** Replaces the server's answer to the `nth` request. If it returns `undefined`, the server answers normally. */
type Behaviour = (asked: Asked, response: ServerResponse, nth: number) => unknown

const readJson = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): true => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
  return true
}

/**
 * Starts a server like OpenAI's. It refuses a blank text, and answers in reverse order with vectors that do not have
 * length 1.
 */
const startServer = async (behave: Behaviour = () => undefined) => {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const input = body.input as string[]
    const { authorization, 'accept-encoding': accepted } = request.headers
    const one: Asked = { input, authorization, encoding: accepted?.toString(), body }
    asked.push(one)
    if (request.url !== '/v1/embeddings') return send(response, 404, { error: { message: `no ${request.url}` } })
    if (behave(one, response, asked.length) !== undefined) return
    if (input.some((text) => text.trim() === ''))
      return send(response, 400, { error: { message: 'input cannot be an empty string' } })
    const vectors = await model
      .embed(
        input.map((text) => text.replaceAll('\u0000', '') || '?'),
        { kind: 'document' },
      )
      .catch(() => undefined)
    if (vectors === undefined) return send(response, 400, { error: { message: 'nothing in it' } })
    const data = vectors.map((vector, index) => ({ index, embedding: [...vector].map((value) => value * 3) }))
    return send(response, 200, { data: data.reverse() })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, stop }
}

const settings = { model: 'test-model', dimension, maxTokens: 64, clock: systemClock() } as const

const open = async (behave?: Behaviour, options: Partial<OpenaiEmbedderOptions> = {}) => {
  const server = await startServer(behave)
  const embedder = openaiEmbedder({ ...settings, baseUrl: server.baseUrl, apiKey: key, ...options })
  onTestFinished(async () => {
    await embedder.close()
    server.stop()
  })
  return { embedder, asked: server.asked, embed: (...texts: string[]) => embedder.embed(texts, { kind: 'document' }) }
}

const shared = await startServer()
embedderContract({ open: () => openaiEmbedder({ ...settings, baseUrl: shared.baseUrl, batchSize: 8 }), lacks: {} })

/** Creates a clock that advances only by its waits and records them. */
const eagerClock = (waits: number[]): Clock => {
  let ms = 0
  return {
    now: () => Date.UTC(2026, 0, 1) + ms,
    monotonic: () => ms,
    delay: async (waitMs, signal) => {
      // Only request timeouts wait this long; they never fire.
      if (waitMs >= 20_000)
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      waits.push(waitMs)
      ms += waitMs
    },
  }
}

describe('openai embedder', () => {
  it('sends the key, the model and whole batches, cut by count and by size', async () => {
    const { embed, asked } = await open(undefined, { batchSize: 3, batchCharacters: 100, parallelRequests: 1 })
    await embed('a', 'b', 'c', 'd', 'e'.repeat(90), 'f'.repeat(20), 'g'.repeat(120))
    expect(asked.map(({ input }) => input.map((text) => text[0]).join(''))).toEqual(['abc', 'de', 'f', 'g'])
    expect(asked[0]).toMatchObject({
      authorization: `Bearer ${key}`,
      encoding: 'identity',
      body: { model: 'test-model', encoding_format: 'float' },
    })
    expect(asked[0]?.body).not.toHaveProperty('dimensions')
  })

  it('sends the dimension if configured, and no key if none is set', async () => {
    const server = await startServer()
    const embedder = openaiEmbedder({ ...settings, baseUrl: `${server.baseUrl}/`, sendDimension: true })
    await embedder.embed(['x'], { kind: 'query' })
    expect(server.asked[0]).toMatchObject({ authorization: undefined, body: { dimensions: dimension } })
    server.stop()
  })

  it('waits as long as the server asks for, in seconds or until a date, and tries again', async () => {
    const waits: number[] = []
    const later = new Date(Date.UTC(2026, 0, 1, 0, 0, 9)).toUTCString()
    const { embed } = await open(
      (_, response, nth) => {
        if (nth === 1) return send(response, 429, { error: 'slow down' }, { 'retry-after': '2' })
        if (nth === 2) return send(response, 503, 'overloaded', { 'retry-after': later })
        return undefined
      },
      { clock: eagerClock(waits) },
    )
    expect(await embed('patience')).toHaveLength(1)
    expect(waits).toEqual([2_000, 7_000])
  })

  it('is unavailable with a retry time when the server stays busy', async () => {
    const waits: number[] = []
    const { embed, asked, embedder } = await open((_, response) => send(response, 500, { detail: 'out of memory' }), {
      clock: eagerClock(waits),
    })
    await expect(embed('never')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('500 out of memory'),
    })
    expect(asked.length).toBeGreaterThan(3)
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(20_000)
    expect(embedder.status()).toEqual({ state: 'ready' })
  })

  it('does not wait past its deadline, least of all for a query', async () => {
    const { embedder, asked } = await open((_, response) => send(response, 429, {}, { 'retry-after': '60' }), {
      clock: eagerClock([]),
    })
    await expect(embedder.embed(['now'], { kind: 'query' })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 60,
    })
    expect(asked).toHaveLength(1)
  })

  it('is unavailable when the server hangs, hangs up or is not there', async () => {
    const hanging = await open(() => true, { timeoutMs: 50, retryForMs: 10 })
    await expect(hanging.embed('x')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('within 50 ms'),
    })
    const breaking = await open((_, response) => response.destroy(), { retryForMs: 10 })
    await expect(breaking.embed('x')).rejects.toMatchObject({ code: 'unavailable' })
    const absent = openaiEmbedder({ ...settings, baseUrl: 'http://127.0.0.1:9/v1', retryForMs: 10 })
    await expect(absent.embed(['x'], { kind: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('names the text that the server refuses, and sends no more requests than needed', async () => {
    const { embed, asked } = await open((one, response) =>
      one.input.includes('culprit') ? send(response, 400, { error: { message: 'this is too long' } }) : undefined,
    )
    const texts = Array.from({ length: 16 }, (_, index) => (index === 10 ? 'culprit' : `text ${index}`))
    await expect(embed(...texts)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/Text 11 of 16 .*this is too long/),
    })
    expect(asked.length).toBeLessThanOrEqual(10)
  })

  it('makes smaller batches of one that is too large for the server', async () => {
    const { embed } = await open((one, response) =>
      one.input.length > 5 ? send(response, 413, 'batch size') : undefined,
    )
    expect(await embed(...Array.from({ length: 16 }, (_, index) => `text ${index}`))).toHaveLength(16)
  })

  it('reports a wrong setting, not a wrong text, when nothing is accepted', async () => {
    const { embed, embedder } = await open((_, response) =>
      send(response, 400, { error: { message: 'dimensions not supported' } }),
    )
    await expect(embed('fine')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('dimensions not supported'),
    })
    expect(embedder.status()).toMatchObject({ state: 'failed' })
  })

  it.each([
    [401, 'key'],
    [403, 'key'],
    [404, 'model'],
    [301, 'redirects'],
  ])('has failed after %i until the server answers again', async (status, named) => {
    const { embed, embedder } = await open((_, response, nth) =>
      nth === 1 ? send(response, status, { error: { message: `bad ${key}` } }, { location: '/' }) : undefined,
    )
    const error: unknown = await embed('x').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(named), retryAfterSeconds: 10 })
    expect(String(error) + JSON.stringify(embedder.status())).not.toContain(key)
    expect(embedder.status()).toMatchObject({ state: 'failed' })
    await embed('x')
    expect(embedder.status()).toEqual({ state: 'ready' })
  })

  it('checks by itself whether a failed server has recovered', async () => {
    const gates: (() => void)[] = []
    const clock: Clock = {
      ...systemClock(),
      delay: (ms, signal) =>
        new Promise((resolve) => {
          if (ms === 30_000 && signal !== undefined) gates.push(resolve)
          signal?.addEventListener('abort', () => resolve(), { once: true })
        }),
    }
    const { embed, embedder } = await open((_, response, nth) => (nth === 1 ? send(response, 401, {}) : undefined), {
      clock,
      timeoutMs: 29_000,
    })
    await expect(embed('x')).rejects.toMatchObject({ code: 'unavailable' })
    gates[0]?.()
    await eventually(
      () => embedder.status(),
      ({ state }) => state === 'ready',
    )
  })

  it.each([
    ['a vector too few', { data: [] }, '0 vectors for 1'],
    [
      'a number too large for a float',
      { data: [{ index: 0, embedding: [1e39, ...Array(dimension - 1).fill(0)] }] },
      'not finite',
    ],
    ['null for a number', { data: [{ index: 0, embedding: Array(dimension).fill(null) }] }, 'not finite'],
    ['only zeros', { data: [{ index: 0, embedding: Array(dimension).fill(0) }] }, 'direction'],
    ['an index that was not asked for', { data: [{ index: 1, embedding: Array(dimension).fill(1) }] }, 'index 1'],
    ['no vector', { data: [null] }, 'no list of numbers'],
    ['no data', { vectors: [] }, '`data`'],
    ['no JSON', '<html>', 'not JSON'],
    ['far too much', `{"data": [${' '.repeat(200_000)}]}`, 'larger'],
  ])('takes %s for an internal error', async (_, body, named) => {
    const { embed } = await open((__, response) => send(response, 200, body))
    await expect(embed('x')).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining(named) })
  })

  it('has failed, and waits for an operator, while vectors have another dimension', async () => {
    const { embed, embedder } = await open((_, response, nth) =>
      nth === 1 ? send(response, 200, { data: [{ index: 0, embedding: [1, 0] }] }) : undefined,
    )
    await expect(embed('x')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/vectors of 2 numbers .* CAIRN_OPENAI_DIMENSION/),
    })
    expect(embedder.status()).toMatchObject({ state: 'failed' })
    await embed('x')
    expect(embedder.status()).toEqual({ state: 'ready' })
  })

  it('combines concurrent checks into one request, and sends none while a response is recent', async () => {
    let ms = 0
    const clock: Clock = { ...systemClock(), monotonic: () => ms }
    const { embed, embedder, asked } = await open(undefined, { clock })
    expect(await Promise.all([embedder.check(), embedder.check()])).toEqual([{ state: 'ready' }, { state: 'ready' }])
    expect(asked).toHaveLength(1)
    ms = 29_000
    await embedder.check()
    expect(asked).toHaveLength(1)
    ms = 31_000
    await embedder.check()
    await embed('x')
    ms = 60_000
    await embedder.check()
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['refuses the key', (_: Asked, response: ServerResponse) => send(response, 401, {}), /refuses the key/],
    [
      'has another dimension',
      (_: Asked, response: ServerResponse) => send(response, 200, { data: [{ embedding: [1, 0] }] }),
      /vectors of 2 numbers/,
    ],
    [
      'refuses what any model embeds',
      (_: Asked, response: ServerResponse) => send(response, 422, {}),
      /refuses every request/,
    ],
    ['closes connections', (_: Asked, response: ServerResponse) => response.destroy(), /can't be reached/],
  ])('is found to have failed by a check where the server %s', async (_, behave, detail) => {
    const { embedder } = await open(behave)
    expect(await embedder.check()).toMatchObject({ state: 'failed', detail: expect.stringMatching(detail) })
  })

  it('is failed after a check of an unreachable server', async () => {
    const absent = openaiEmbedder({ ...settings, baseUrl: 'http://127.0.0.1:9/v1' })
    onTestFinished(() => absent.close())
    expect(await absent.check()).toMatchObject({ state: 'failed', detail: expect.stringContaining("can't be reached") })
  })

  it('accepts vectors without an index in the order of the response', async () => {
    const unit = (place: number) => Array.from({ length: dimension }, (_, index) => (index === place ? 2 : 0))
    const { embed } = await open((_, response) =>
      send(response, 200, { data: [{ embedding: unit(0) }, { embedding: unit(1) }] }),
    )
    const [first, second] = await embed('a', 'b')
    expect([first?.[0], second?.[1]]).toEqual([1, 1])
  })

  it('serves a query while documents use all parallel requests', async () => {
    const held: (() => void)[] = []
    const { embedder, embed, asked } = await open(
      (one, response) =>
        one.input[0]?.startsWith('slow')
          ? held.push(() => send(response, 200, { data: [{ embedding: Array(dimension).fill(1) }] }))
          : undefined,
      { batchSize: 1, parallelRequests: 2 },
    )
    const documents = embed('slow 1', 'slow 2', 'slow 3')
    await eventually(
      () => held.length,
      (count) => count === 2,
    )
    expect(await embedder.embed(['quick'], { kind: 'query' })).toHaveLength(1)
    expect(asked).toHaveLength(3)
    for (const release of held.splice(0)) release()
    await eventually(
      () => held.length,
      (count) => count === 1,
    )
    held[0]?.()
    expect(await documents).toHaveLength(3)
  })

  it('rejects an invalid address', () => {
    expect(() => openaiEmbedder({ ...settings, baseUrl: 'localhost:11434' })).toThrow('no http URL')
  })
})

import type { ServerResponse } from 'node:http'
import { isAppError } from '@cairn/contracts/errors'
import type { AnswerRequest } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import { type ChatBehaviour, chunkOf, startChatServer } from '@cairn/testing/chat-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { type OpenaiAnswererOptions, openaiAnswerer } from './openai.ts'
import { answererContract, type ModelState, pieces } from './port.contract.ts'

const key = 'sk-canary-0987654321'
const models = new Map([
  ['large', { model: 'local-large', credits: 3 }],
  ['small', { model: 'local-small', credits: 1 }],
])
const question: AnswerRequest = {
  model: 'small',
  query: 'Where is the spring?',
  passages: [{ id: 'a', text: 'The spring is behind the larch.' }],
  history: [],
  headerPrompt: '',
  footerPrompt: '',
  temperature: 0.3,
}

/** Creates a clock that records pauses instead of waiting. */
const quickClock = () => {
  const pauses: number[] = []
  const clock: Clock = { ...systemClock(), delay: async (ms) => void pauses.push(ms) }
  return { clock, pauses }
}

const open = async (behave: ChatBehaviour, more: Partial<OpenaiAnswererOptions> = {}) => {
  const server = await startChatServer(behave)
  onTestFinished(server.close)
  const { clock, pauses } = quickClock()
  const answerer = openaiAnswerer({
    baseUrl: server.baseUrl,
    apiKey: key,
    models,
    defaultModel: 'small',
    timeoutMs: 20_000,
    clock,
    ...more,
  })
  const ask = async (request: AnswerRequest = question, signal = new AbortController().signal) => {
    const pieces: string[] = []
    for await (const piece of answerer.write(request, { signal })) pieces.push(piece)
    return pieces
  }
  return { answerer, ask, server, pauses }
}

const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `secret detail ${key}` } }))

const failure = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => expect.unreachable('it was answered'),
    (reason: unknown) => reason,
  )
  return error as Error
}

const breakOff: ChatBehaviour = async (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf('Behind '))
  response.end()
  return undefined
}
const fallSilent: ChatBehaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf('Behind '))
  return new Promise(() => undefined)
}
const failWith =
  (status: number): ChatBehaviour =>
  (_, response) =>
    refuse(status)(response) as undefined

const behaviours: Readonly<Record<ModelState, ChatBehaviour>> = {
  answering: () => pieces,
  silent: () => new Promise(() => undefined),
  'silent after a piece': fallSilent,
  'breaking off': breakOff,
  blank: () => [' ', ''],
  busy: failWith(429),
  failing: failWith(500),
  unreachable: () => pieces,
  refusing: failWith(400),
  misconfigured: failWith(404),
}

answererContract({
  open: async (state) => {
    const { answerer, server } = await open(behaviours[state], { silenceMs: 100 })
    if (state === 'unreachable') await server.close()
    return answerer
  },
})

describe('an answering model', () => {
  it('streams pieces, with the key and the model that the operator has set', async () => {
    const { ask, server } = await open(() => ['Behind ', 'the larch.'])
    expect(await ask()).toEqual(['Behind ', 'the larch.'])
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(server.asked[0]?.headers['accept-encoding']).toBe('identity')
    expect(server.asked[0]?.body).toMatchObject({ model: 'local-small', temperature: 0.3, stream: true })
  })

  it('receives the schema of a form', async () => {
    const { ask, server } = await open(() => ['{}'])
    const schema = { type: 'object', properties: { answer: { type: 'string' } } }
    await ask({ ...question, form: { name: 'reply', description: 'A reply', schema } })
    expect(server.asked[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'reply', description: 'A reply', schema },
    })
  })

  it('is retried after the time that it asks for when it is busy', async () => {
    const { ask, pauses } = await open(
      (_, response, nth) => (nth < 3 ? refuse(429, { 'retry-after': '2' })(response) : ['now']) as undefined,
    )
    expect(await ask()).toEqual(['now'])
    expect(pauses).toEqual([2_000, 2_000])
  })

  it('is not retried when it stays busy beyond the deadline; the error says how long', async () => {
    const { ask, server, pauses } = await open(
      (_, response) => refuse(429, { 'retry-after': '3600' })(response) as undefined,
    )
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable') && error.retryAfterSeconds).toBe(3_600)
    expect([server.asked.length, pauses]).toEqual([1, []])
  })

  it('is tried three times with growing pauses when it fails', async () => {
    const { ask, server, pauses } = await open(failWith(500))
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable')).toBe(true)
    expect(error.message).not.toContain('secret')
    expect([server.asked.length, pauses]).toEqual([3, [500, 1_000]])
  })

  it.each([400, 413, 422])('is not retried after it refuses a request with %i', async (status) => {
    const { ask, server } = await open(failWith(status))
    const error = await failure(ask())
    expect(isAppError(error, 'invalid')).toBe(true)
    expect(error.message).not.toContain(key)
    expect(server.asked).toHaveLength(1)
  })

  it.each([401, 403, 404])(
    'fails with an error for the operator when the address, key or name is wrong (%i)',
    async (status) => {
      const { ask, server } = await open(failWith(status))
      const error = await failure(ask())
      expect(isAppError(error)).toBe(false)
      expect(error.message).toContain(String(status))
      expect(server.asked).toHaveLength(1)
    },
  )

  it('is tried three times when it sends nothing', async () => {
    const { ask, server } = await open(() => new Promise(() => undefined), { silenceMs: 50 })
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable')).toBe(true)
    expect(server.asked).toHaveLength(3)
  })

  it('is not retried when it stops in the middle of an answer', async () => {
    const { ask, server } = await open(fallSilent, { silenceMs: 100 })
    expect(isAppError(await failure(ask()), 'unavailable')).toBe(true)
    expect(server.asked).toHaveLength(1)
  })

  it('is stopped when the whole answer takes too long', async () => {
    const slow: ChatBehaviour = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(chunkOf('and ')), 20)
      response.once('close', () => clearInterval(timer))
      return undefined
    }
    const { ask } = await open(slow, { timeoutMs: 300 })
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable') && error.message).toContain('300 ms')
  })

  it('has not answered when its connection breaks off', async () => {
    const cut: ChatBehaviour = async (_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '9999' })
        .write(chunkOf('Behind '))
      response.destroy()
      return undefined
    }
    expect(isAppError(await failure((await open(cut)).ask()), 'unavailable')).toBe(true)
  })

  it('is stopped when its answer has no end', async () => {
    const endless: ChatBehaviour = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const part = Buffer.alloc(64 * 1024, 'x')
      const go = () => {
        while (response.write(part));
        response.once('drain', go)
      }
      response.once('close', () => response.off('drain', go))
      go()
      return undefined
    }
    const { ask } = await open(endless)
    expect(isAppError(await failure(ask()), 'unavailable')).toBe(true)
  })

  it('has not answered when it sends a web page', async () => {
    const page: ChatBehaviour = async (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no</p>')
    expect(isAppError(await failure((await open(page as ChatBehaviour)).ask()), 'unavailable')).toBe(true)
  })
})

import type { ServerResponse } from 'node:http'
import { isAppError } from '@cairn/contracts/errors'
import type { AnswerRequest } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import { type ChatBehaviour, chunkOf, startChatServer } from '@cairn/testing/chat-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { type OpenaiAnswererOptions, openaiAnswerer } from './openai.ts'

const key = 'sk-canary-0987654321'
const models = new Map([
  ['anthropic.claude-sonnet-4-6', { model: 'local-large', credits: 3 }],
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

describe('an answering model', () => {
  it('answers piece by piece, and is asked as the operator has set it', async () => {
    const { ask, server } = await open(() => ['Behind ', 'the larch.'])
    expect(await ask()).toEqual(['Behind ', 'the larch.'])
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(server.asked[0]?.headers['accept-encoding']).toBe('identity')
    expect(server.asked[0]?.body).toMatchObject({ model: 'local-small', temperature: 0.3, stream: true })
  })

  it('is the one that is wanted, or the default one', async () => {
    const { answerer } = await open(() => [])
    expect(answerer.modelFor('anthropic.claude-sonnet-4-6')).toEqual({
      id: 'anthropic.claude-sonnet-4-6',
      credits: 3,
    })
    expect(answerer.modelFor('meta.retired')).toEqual({ id: 'small', credits: 1 })
    expect(answerer.modelFor(undefined)).toEqual({ id: 'small', credits: 1 })
  })

  it('is told the schema of a form', async () => {
    const { ask, server } = await open(() => ['{}'])
    const schema = { type: 'object', properties: { answer: { type: 'string' } } }
    await ask({ ...question, form: { name: 'reply', description: 'A reply', schema } })
    expect(server.asked[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'reply', description: 'A reply', schema },
    })
  })

  it('that is busy is asked again after the time it says', async () => {
    const { ask, pauses } = await open(
      (_, response, nth) => (nth < 3 ? refuse(429, { 'retry-after': '2' })(response) : ['now']) as undefined,
    )
    expect(await ask()).toEqual(['now'])
    expect(pauses).toEqual([2_000, 2_000])
  })

  it('that is busy for longer than there is time is not waited for, and says how long', async () => {
    const { ask, server, pauses } = await open(
      (_, response) => refuse(429, { 'retry-after': '3600' })(response) as undefined,
    )
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable') && error.retryAfterSeconds).toBe(3_600)
    expect([server.asked.length, pauses]).toEqual([1, []])
  })

  it('that fails is asked three times, further apart each time', async () => {
    const { ask, server, pauses } = await open((_, response) => refuse(500)(response) as undefined)
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable')).toBe(true)
    expect(error.message).not.toContain('secret')
    expect([server.asked.length, pauses]).toEqual([3, [500, 1_000]])
  })

  it.each([400, 413, 422])('that refuses the request with %i is not asked again', async (status) => {
    const { ask, server } = await open((_, response) => refuse(status)(response) as undefined)
    const error = await failure(ask())
    expect(isAppError(error, 'invalid')).toBe(true)
    expect(error.message).not.toContain(key)
    expect(server.asked).toHaveLength(1)
  })

  it.each([401, 403, 404])('that is set up wrongly (%i) is nobody’s fault but the operator’s', async (status) => {
    const { ask, server } = await open((_, response) => refuse(status)(response) as undefined)
    const error = await failure(ask())
    expect(isAppError(error)).toBe(false)
    expect(error.message).toContain(String(status))
    expect(server.asked).toHaveLength(1)
  })

  it('that says nothing is given up', async () => {
    const { ask, server } = await open(() => new Promise(() => undefined), { silenceMs: 50 })
    const error = await failure(ask())
    expect(isAppError(error, 'unavailable')).toBe(true)
    expect(server.asked).toHaveLength(3)
  })

  it('that falls silent in the middle is given up, and what was passed on is not asked for again', async () => {
    const stuck: ChatBehaviour = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf('Behind '))
      return new Promise(() => undefined)
    }
    const { ask, server } = await open(stuck, { silenceMs: 100 })
    expect(isAppError(await failure(ask()), 'unavailable')).toBe(true)
    expect(server.asked).toHaveLength(1)
  })

  it('that takes too long in all is given up', async () => {
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

  it('whose answer breaks off has given none', async () => {
    const broken: ChatBehaviour = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf('Behind '))
      response.end()
      return undefined
    }
    const { ask } = await open(broken)
    expect(isAppError(await failure(ask()), 'unavailable')).toBe(true)
    const cut: ChatBehaviour = async (_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '9999' })
        .write(chunkOf('Behind '))
      response.destroy()
      return undefined
    }
    expect(isAppError(await failure((await open(cut)).ask()), 'unavailable')).toBe(true)
  })

  it('whose answer has no end is stopped', async () => {
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

  it('that gives nothing, or something else than an answer, has given none', async () => {
    expect(isAppError(await failure((await open(() => [' ', ''])).ask()), 'unavailable')).toBe(true)
    const page: ChatBehaviour = async (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no</p>')
    expect(isAppError(await failure((await open(page as ChatBehaviour)).ask()), 'unavailable')).toBe(true)
  })

  it('that is out of reach is unavailable', async () => {
    const { ask, server } = await open(() => [])
    await server.close()
    expect(isAppError(await failure(ask()), 'unavailable')).toBe(true)
  })

  it('is asked no more when nobody wants the answer', async () => {
    const gone = new AbortController()
    const { ask, server } = await open(() => new Promise(() => undefined))
    const asked = ask(question, gone.signal)
    gone.abort(new Error('the client went away'))
    expect((await failure(asked)).message).toBe('the client went away')
    expect(server.asked.length).toBeLessThanOrEqual(1)
  })
})

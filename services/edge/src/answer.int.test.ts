import { openaiAnswerer } from '@cairn/adapters/answerer/openai'
import { systemClock } from '@cairn/adapters/clock/system'
import { type ChatBehaviour, chunkOf, startChatServer } from '@cairn/testing/chat-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEdge, textItem, textUpload, vectorOf } from './edge.fixture.ts'

const nothing = 'Nothing relevant was found in the documents.'

/** Starts a store of two teas, with a model that behaves as given. */
const startShop = async (behave: ChatBehaviour) => {
  const model = await startChatServer(behave)
  onTestFinished(() => model.close())
  const answerer = openaiAnswerer({
    baseUrl: model.baseUrl,
    models: new Map([['small', { model: 'served-small', credits: 1 }]]),
    defaultModel: 'small',
    timeoutMs: 2_000,
    clock: systemClock(),
  })
  const edge = await startEdge({ answerer })
  await edge.call(
    'POST',
    '/upload',
    textUpload(
      textItem('green', vectorOf(1), 'Brew green tea at 80 °C.'),
      textItem('black', vectorOf(0, 1), 'Boil black tea.'),
    ),
  )
  return { ...edge, model }
}

const asked = { query: 'How hot is green tea brewed?', query_vector: vectorOf(1, 0.2), top_k: 1 }
const source = {
  id: 'green',
  score: 0.980581,
  label: 'Close Match',
  text: 'Brew green tea at 80 °C.',
  passages: [{ start: 0, end: 24 }],
}

const eventsOf = async (response: Response) => {
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'))
  return frames.map((frame) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
    return { event, data: JSON.parse(data as string) as unknown }
  })
}

describe('an answer of the edge store', () => {
  it('is written by the model from what is nearest', async () => {
    const { call, model } = await startShop(() => ['At 80', ' °C.'])
    const sent = {
      ...asked,
      header_prompt: 'You sell tea.',
      footer_prompt: 'Be short.',
      chat_history: [{ role: 'user', content: 'Hello' }],
    }
    expect(await call('POST', '/answer', sent)).toMatchObject({ status: 200 })
    expect((await call('POST', '/answer', sent)).body).toEqual({
      answer: 'At 80 °C.',
      model: 'small',
      query: asked.query,
      context_count: 1,
      sources: [source],
    })
    const { model: name, temperature, messages } = model.asked[0]!.body
    expect([name, temperature]).toEqual(['served-small', 0.2])
    const said = messages.map(({ content }) => content).join('\n')
    for (const part of ['You sell tea.', 'Hello', 'Brew green tea at 80 °C.', asked.query, 'Be short.'])
      expect(said).toContain(part)
    expect(said).not.toContain('Boil black tea.')
  })

  it('says that nothing was found, and does not ask the model', async () => {
    const { call, send, model } = await startShop(() => ['never'])
    const far = { ...asked, kiosk_mode: true, threshold: 0.99 }
    const about = { model: 'small', context_count: 0, query: asked.query }
    expect(await call('POST', '/answer', far)).toMatchObject({
      status: 200,
      body: { ...about, answer: nothing, sources: [] },
    })
    expect(await eventsOf(await send('POST', '/answer/stream', far))).toEqual([
      { event: 'meta', data: { ...about, sources: [] } },
      { event: 'token', data: { delta: nothing } },
      { event: 'done', data: { ...about, answer: nothing, sources: [] } },
    ])
    expect(model.asked).toEqual([])
  })

  it('is sent while it is made', async () => {
    const { send } = await startShop(() => ['At 80', ' °C.'])
    const response = await send('POST', '/answer/stream', asked)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const about = { model: 'small', context_count: 1, query: asked.query }
    expect(await eventsOf(response)).toEqual([
      { event: 'meta', data: { ...about, sources: [source] } },
      { event: 'token', data: { delta: 'At 80' } },
      { event: 'token', data: { delta: ' °C.' } },
      { event: 'done', data: { ...about, answer: 'At 80 °C.', sources: [source] } },
    ])
  })

  it('is a 400, or an event, when the model can not', async () => {
    const { call, send } = await startShop(
      (_, response) => void response.writeHead(401).end('{"error":{"message":"secret words"}}'),
    )
    const message = 'The answering model can not be used as it is configured.'
    expect(await call('POST', '/answer', asked)).toMatchObject({ status: 400, body: { status: 'failure', message } })
    const events = await eventsOf(await send('POST', '/answer/stream', asked))
    expect(events.map(({ event }) => event)).toEqual(['meta', 'error'])
    expect(events[1]).toEqual({ event: 'error', data: { message } })
  })

  it('ends with an event when the model breaks off', async () => {
    const { send } = await startShop((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunkOf('At'), () => response.destroy())
      return undefined
    })
    const events = await eventsOf(await send('POST', '/answer/stream', asked))
    expect(events.slice(1)).toEqual([
      { event: 'token', data: { delta: 'At' } },
      { event: 'error', data: { message: 'The answering model broke off its answer.' } },
    ])
  })

  it('is a 400 before it is begun', async () => {
    const { call } = await startShop(() => ['never'])
    for (const path of ['/answer', '/answer/stream']) {
      for (const bad of [
        { query: '' },
        { query: 7 },
        { query_vector: 'x' },
        { query_vector: [1] },
        { kiosk_mode: true },
        { temperature: 3 },
        { chat_history: [{ role: 'system', content: '' }] },
      ]) {
        const answer = await call('POST', path, { ...asked, ...bad })
        expect([answer.status, answer.body], JSON.stringify(bad)).toEqual([
          400,
          { status: 'failure', message: expect.any(String) },
        ])
      }
    }
  })

  it('is a 400 where no model is configured, also when nothing would be found', async () => {
    const { call } = await startEdge()
    for (const path of ['/answer', '/answer/stream'])
      expect(await call('POST', path, asked)).toMatchObject({
        status: 400,
        body: { status: 'failure', message: expect.stringContaining('No answering model is configured') },
      })
  })
})

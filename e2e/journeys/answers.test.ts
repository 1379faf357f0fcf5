import type { Answer } from '@cairn/client'
import { nothingFoundIn, notSaid } from '@cairn/contracts/api/answer-form'
import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, index, useTarget } from '../story.ts'

const story = useTarget()

const library = [
  { id: 'water', text: 'The hut opens in June. The spring lies behind the old larch tree. Bread is sold on Sundays.' },
  { id: 'path', text: 'The path to the saddle is marked with cairns. In winter it is closed.' },
]

const filled = async () => {
  const { api, name: namespace } = await story.room()
  await index(api, namespace, library)
  const ask = (question: Partial<Answer> & { readonly query: string }) => api.sdk.answer({ namespace, ...question })
  const refuse = async (body: Readonly<Record<string, unknown>>, status = 400) =>
    (await api.call(operations.answer, { body: { namespace, ...body } }, status as 400)).body
  return { api, namespace, ask, refuse }
}

describe('answers without a model', () => {
  it('are sentences of what was found, with where they stand', async () => {
    const { namespace, ask } = await filled()
    const body = await ask({ query: 'where does the spring lie, behind which tree?', top_k: 2 })
    expect(body).toMatchObject({
      model: 'extractive',
      query: 'where does the spring lie, behind which tree?',
      context_count: 2,
    })
    expect(body.answer).toContain('The spring lies behind the old larch tree.')
    expect(body.sources.map(({ id }) => id)).toEqual(['water', 'path'])
    expect(body.sources[0]).toMatchObject({ namespace, text: library[0]?.text })
    expect(body).not.toHaveProperty('structured_data')
  })

  it('say that there is nothing where nothing was found', async () => {
    const { api, namespace, ask } = await filled()
    const empty = await createNamespace(api)
    expect(await ask({ query: 'where is the spring', namespace: empty })).toEqual({
      answer: nothingFoundIn(`"${empty}"`),
      model: 'extractive',
      query: 'where is the spring',
      context_count: 0,
      sources: [],
      answered: false,
    })
    const strict = await ask({ query: 'where is the spring', kiosk_mode: true, threshold: 1 })
    expect(strict).toMatchObject({ answer: nothingFoundIn(`"${namespace}"`), context_count: 0 })
    const filtered = await ask({ query: 'where is the spring #larch' })
    expect(filtered.sources.map(({ id }) => id)).toEqual(['water'])
  })

  it('fill in the usual form, and no other', async () => {
    const { namespace, ask, refuse } = await filled()
    const body = await ask({ query: 'where is the spring', structured_response: { enabled: true } })
    expect(body).toMatchObject({
      used_context: true,
      structured_data: { answer: body.answer, sources: [{ id: 'water' }, { id: 'path' }] },
    })
    const none = await ask({ query: 'x', structured_response: { enabled: true }, kiosk_mode: true, threshold: 1 })
    expect(none).toMatchObject({
      used_context: false,
      structured_data: { answer: nothingFoundIn(`"${namespace}"`), confidence: 0, sources: [] },
    })
    const own = { enabled: true, schema: { type: 'object', properties: { tree: { type: 'string' } } } }
    expect((await refuse({ query: 'which tree', structured_response: own }, 409)).message).toMatch(
      /no answering model is configured/,
    )
  })

  it('without a namespace need a model; what is wrong with the request is said first', async () => {
    const { refuse } = await filled()
    const direct = { query: 'hello', namespace: '' }
    for (const body of [direct, { ...direct, top_k: 10, kiosk_mode: false, type: 'text' }])
      expect((await refuse(body, 503)).message).toMatch(/no answering model is configured.*CAIRN_ANSWER_URL/)
    for (const field of [{ top_k: 3 }, { kiosk_mode: true, threshold: 0.5 }, { threshold: 0.5 }, { other: 1 }]) {
      const name = Object.keys(field)[0]
      expect((await refuse({ ...direct, ...field })).message).toMatch(
        new RegExp(`^${name} can not be sent without a namespace`),
      )
    }
  })

  it('come as events where they are asked for', async () => {
    const { namespace, api } = await filled()
    const question = { namespace, query: 'where is the spring' }
    const response = await api.raw(operations.answer, { body: { ...question, stream: true } })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    const events = await Array.fromAsync(api.sdk.answerStream(question))
    const { answer, ...found } = await api.sdk.answer(question)
    expect(found).toMatchObject({ model: 'extractive', context_count: 2, query: 'where is the spring' })
    expect(events).toEqual([
      { event: 'meta', ...found },
      { event: 'token', delta: answer },
      { event: 'done', answer, ...found },
    ])
    const frames = events.map(({ event, ...data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    expect(await response.text()).toBe(frames.join(''))
  })

  it('say where in the sources they were found, and that nothing is relevant when no source is', async () => {
    const { ask } = await filled()
    const body = await ask({ query: 'where is the spring' })
    expect(body.sources[0]).toMatchObject({ passages: [{ start: 0, end: library[0]?.text.length }] })
    expect(body.sources[0]).not.toHaveProperty('explanation')
    const unrelated = { query: 'how do vaccines against measles work?' }
    expect(await ask(unrelated)).toMatchObject({
      answer: expect.stringMatching(/^The files do not say it\. Nearest: ./),
      context_count: 0,
      answered: false,
      sources: [{ id: expect.any(String) }, { id: expect.any(String) }],
    })
    const chosen = await ask({ ...unrelated, kiosk_mode: true, threshold: 0 })
    expect(chosen.context_count).toBe(2)
  })

  it('quote the beginning of a source without sentences, as the answer in kiosk mode', async () => {
    const { api, name: namespace } = await story.room()
    await index(api, namespace, [{ id: 'city', text: 'Reykjavík, Iceland' }])
    const question = { query: 'Which city is the capital of Iceland?', namespace }
    expect(await api.sdk.answer(question)).toMatchObject({
      answer: notSaid('Reykjavík, Iceland'),
      answered: false,
      context_count: 0,
      sources: [{ id: 'city' }],
    })
    const chosen = await api.sdk.answer({ ...question, kiosk_mode: true, threshold: 0 })
    expect(chosen).toMatchObject({ answer: 'Reykjavík, Iceland', answered: true, context_count: 1 })
  })

  it('are refused with what is wrong', async () => {
    const { api, namespace, refuse } = await filled()
    const vectors = await createNamespace(api, { type: 'vector', vector_dimension: 4 })
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{}, /^query must be a text/],
      [{ query: ' ' }, /^query must be a text/],
      [{ query: [1, 2] }, /^query must be a text/],
      [{ query: 'x'.repeat(10_001) }, /^query must be a text/],
      [{ query: 'x', namespace: 7 }, /^namespace must be the name/],
      [{ query: 'x', namespaces: ['notes'] }, /^namespaces can not be sent with namespace/],
      [{ query: 'x', namespace: '', namespaces: ['notes'] }, /^namespaces can not be sent with namespace/],
      [{ query: 'x', namespace: undefined, namespaces: [] }, /^namespaces must be an array of 1 to 100/],
      [{ query: 'x', namespace: undefined, namespaces: [namespace, vectors] }, /not text-based/],
      [{ query: 'x', namespace: vectors }, /not text-based/],
      [{ query: 'x', kiosk_mode: true }, /^threshold is required/],
      [{ query: 'x', threshold: 1.1 }, /^threshold must be a number from 0 to 1/],
      [{ query: 'x', temperature: 2.1 }, /^temperature must be a number from 0 to 2/],
      [{ query: 'x', temperature: -0.1 }, /^temperature must be a number from 0 to 2/],
      [{ query: 'x', top_k: 0 }, /^top_k must be a positive integer/],
      [{ query: 'x', type: 'vector' }, /^type must be "text"/],
      [{ query: 'x', ai_model: 7 }, /^ai_model must be a string/],
      [
        { query: 'x', chat_history: [{ role: 'system', content: 'obey' }] },
        /^chat_history\[0\]\.role must be "user" or "assistant"/,
      ],
      [{ query: 'x', chat_history: [{ role: 'user' }] }, /^chat_history\[0\]\.content must be a string/],
      [
        { query: 'x', chat_history: [{ role: 'user', content: 'y'.repeat(200_001) }] },
        /^chat_history must be an array of at most 200/,
      ],
      [{ query: 'x', header_prompt: 'y'.repeat(10_001) }, /^header_prompt must be a text of at most 10000/],
      [
        { query: 'x', stream: true, structured_response: { enabled: true } },
        /^stream can not be used with structured_response/,
      ],
      [{ query: 'x', structured_response: { enabled: true, tool_name: 'a b' } }, /tool_name must be 1 to 64/],
    ]
    for (const [body, message] of cases)
      expect(await refuse(body), JSON.stringify(body).slice(0, 80)).toMatchObject({
        message: expect.stringMatching(message),
      })
    expect(await refuse({ query: 'x', namespace: freshName() }, 404)).toMatchObject({ error: 'Namespace not found' })
    await story.visitor.call(operations.answer, { body: { query: 'x', namespace: '' } }, 401)
  })

  it('are given under earlier names as well, with a notice', async () => {
    const { api, namespace } = await filled()
    const question = { namespace, query: 'where is the spring' }
    const former = { ...question, aiModel: 'anthropic.claude-3-7', chatHistory: [], headerPrompt: 'Be kind.' }
    const { body, headers } = await api.call(operations.answer, { body: former }, 200)
    expect(body).toMatchObject({ context_count: 2, contextCount: 2 })
    expect(headers.get('deprecation')).toBe('@1767225600')
    expect(headers.get('sunset')).toBe('Fri, 01 May 2026 00:00:00 GMT')
    expect(headers.get('warning')).toMatch(/^299 - "aiModel/)
    const present = await api.call(operations.answer, { body: question }, 200)
    expect(present.headers.get('deprecation')).toBeNull()
    expect(present.body).not.toHaveProperty('contextCount')
  })

  it('are of the account’s own namespaces only', async () => {
    const { namespace } = await filled()
    const { api: other } = await story.member()
    const body = { query: 'where is the spring', namespace }
    const theirs = await other.call(operations.answer, { body }, 404)
    const absent = await other.call(operations.answer, { body: { ...body, namespace: freshName() } }, 404)
    expect(Object.keys(theirs.body)).toEqual(Object.keys(absent.body))
  })
})

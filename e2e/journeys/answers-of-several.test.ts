import type { Answer } from '@cairn/client'
import { nothingFoundIn } from '@cairn/contracts/api/answer-form'
import { operations } from '@cairn/contracts/api/operations'
import { limits } from '@cairn/contracts/limits'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, index, useTarget } from '../story.ts'

const story = useTarget()

const spring = { id: 'notice', text: 'The spring lies behind the old larch tree above the hut.' }
const bakery = { id: 'notice', text: 'The bakery in the village sells bread with seeds on Sundays.' }
const fährmann = { id: 'tafel', text: 'Der Fährmann Ansgar setzt Wanderer mit dem Boot über den See.' }

/** Creates an account with a namespace for each of the texts; two have a document of the same id. */
const filled = async () => {
  const { api, accountId } = await story.member()
  const [mountain, village] = [await createNamespace(api), await createNamespace(api)]
  const lake = await createNamespace(api, { type: 'text', language: 'de' })
  await Promise.all([index(api, mountain, [spring]), index(api, village, [bakery]), index(api, lake, [fährmann])])
  const ask = (question: Partial<Answer> & { readonly query: string }) => api.sdk.answer(question)
  return { api, accountId, mountain, village, lake, ask }
}
const whereSpring = 'Behind which tree does the spring lie?'

describe('answers from several namespaces', () => {
  it('are from one search of all that are named, and each source names its own', async () => {
    const { api, mountain, village, lake, ask } = await filled()
    const question = { query: whereSpring, namespaces: [village, mountain, village] }
    const answered = await ask(question)
    expect(answered).toMatchObject({ answer: spring.text, answered: true, context_count: 2 })
    expect(answered.sources.map(({ namespace, id }) => [namespace, id])).toEqual([
      [mountain, 'notice'],
      [village, 'notice'],
    ])
    const found = await api.sdk.search({ query: whereSpring, namespaces: question.namespaces })
    expect(answered.sources.map(({ score }) => score)).toEqual(found.results.map(({ score }) => score))
    // The other language has other words and weights.
    expect(await ask({ query: 'Wer setzt Wanderer über den See?', namespaces: [mountain, lake] })).toMatchObject({
      answer: fährmann.text,
      answered: true,
    })
    const events = await Array.fromAsync(api.sdk.answerStream(question))
    expect(events.at(-1)).toMatchObject({ event: 'done', answer: spring.text, sources: answered.sources })
    const form = await ask({ ...question, structured_response: { enabled: true } })
    expect(form.structured_data).toMatchObject({
      sources: [
        { id: 'notice', namespace: mountain },
        { id: 'notice', namespace: village },
      ],
    })
    expect(await ask({ ...question, kiosk_mode: true, threshold: 1 })).toMatchObject({
      answer: nothingFoundIn('2 namespaces'),
      answered: false,
    })
  })

  it('are from all text namespaces of the account if none is named, and from no other account', async () => {
    const { api, accountId, mountain, village, lake, ask } = await filled()
    await createNamespace(api, { type: 'vector', vector_dimension: 4 })
    const { api: reader } = await story.key(accountId, { scopes: ['read'] })
    const other = await filled()
    const answered = await reader.sdk.answer({ query: whereSpring })
    expect(answered).toMatchObject({ answer: spring.text, answered: true })
    expect(new Set(answered.sources.map(({ namespace }) => namespace))).toEqual(new Set([mountain, village, lake]))
    const theirs = { query: whereSpring, namespaces: [mountain, other.mountain] }
    const refused = await api.call(operations.answer, { body: theirs }, 404)
    expect(refused.body).toMatchObject({ error: 'Namespace not found', namespace_name: other.mountain })
    const { api: empty } = await story.member()
    expect((await empty.call(operations.answer, { body: { query: whereSpring } }, 404)).body.message).toBe(
      'There is no text namespace to answer from',
    )
    expect(await ask({ query: whereSpring, namespace: village })).toMatchObject({ sources: [{ namespace: village }] })
  })

  it('count as requests of each namespace that was searched', async () => {
    const { api } = await story.member()
    const [first, second] = [await createNamespace(api), await createNamespace(api)]
    const vectors = await createNamespace(api, { type: 'vector', vector_dimension: 4 })
    await api.sdk.answer({ query: whereSpring })
    await api.sdk.answer({ query: whereSpring, namespaces: [first] })
    const counted = async () => {
      const { rows } = await api.sdk.usage({ by: 'namespace' })
      return rows.map((row) => ('namespace_name' in row ? [row.namespace_name, row.requests] : []))
    }
    const expected = [
      [first, 3],
      [second, 2],
      [vectors, 1],
    ]
    await expect.poll(counted, { timeout: 10_000 }).toEqual(expect.arrayContaining(expected))
  })

  it('need names where the account has more namespaces than are asked without them', { timeout: 60_000 }, async () => {
    const { api, mountain, ask } = await filled()
    const query = whereSpring
    const add = () => createNamespace(api)
    const added = await Promise.all(Array.from({ length: limits.namespacesUnnamed - 3 }, add))
    expect(await ask({ query })).toMatchObject({ answer: spring.text })
    const one = await add()
    const refused = await api.call(operations.answer, { body: { query } }, 400)
    expect(refused.body).toMatchObject({
      message:
        'namespaces must name those to ask: there are 21 text namespaces, and without names at most 20 are asked',
      details: { field: 'namespaces' },
    })
    const named = await ask({ query, namespaces: [...added, one, mountain] })
    expect(named).toMatchObject({ answer: spring.text, sources: [{ namespace: mountain }] })
    await api.sdk.namespaces.delete(one)
    expect(await ask({ query })).toMatchObject({ answer: spring.text })
    const many = Array.from({ length: limits.namespacesPerSearch + 1 }, () => freshName())
    const over = await api.call(operations.answer, { body: { query, namespaces: many } }, 400)
    expect(over.body.message).toMatch(/^namespaces must be an array of 1 to 100 namespace names/)
  })
})

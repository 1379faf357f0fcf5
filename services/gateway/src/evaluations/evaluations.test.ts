import { limits } from '@cairn/contracts/limits'
import { maxEvaluations } from '@cairn/domain/namespaces/evaluations'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const gateway = useGateway()

const hash = 'a'.repeat(64)
const sent = (more: object = {}) => ({
  questions_hash: hash,
  mode: 'hybrid',
  model: 'lexical',
  ndcg_at_10: [1, 0.63093, 0],
  recall_at_10: [1, 1, 0],
  first_ranks: [1, 2, 0],
  ...more,
})
const scores = (count: number) => ({
  ndcg_at_10: Array(count).fill(0.123456789),
  recall_at_10: Array(count).fill(1),
  first_ranks: Array(count).fill(1),
})

const open = async () => {
  const scene = await gateway().open()
  const { call, json } = scene
  return {
    ...scene,
    keep: (more?: object) => json('POST', 'evaluations', sent(more)),
    list: () => call('GET', 'evaluations'),
    get: (id: unknown) => call('GET', `evaluations/${id}`),
  }
}
type Scene = Awaited<ReturnType<typeof open>>
const idsOf = async ({ list }: Pick<Scene, 'list'>) =>
  ((await list()).body['evaluations'] as { evaluation_id: string }[]).map(({ evaluation_id: id }) => id)

describe('evaluations', () => {
  it('are kept with their means, listed, and read with the scores of their questions', async () => {
    const { keep, list, get, namespace } = await open()
    expect(await list()).toMatchObject({ status: 200, body: { evaluations: [] } })
    const worst = [{ question: 'where is nothing', ndcg_at_10: 0, first_rank: 0 }]
    const kept = await keep({ worst })
    const view = {
      evaluation_id: expect.any(String),
      namespace_name: namespace,
      evaluated_at: new Date(gateway().now()).toISOString(),
      questions_hash: hash,
      mode: 'hybrid',
      model: 'lexical',
      item_count: 0,
      questions: 3,
      ndcg_at_10: expect.closeTo(1.6309 / 3),
      recall_at_10: expect.closeTo(2 / 3),
      without_hit: 1,
      change: null,
    }
    expect(kept).toMatchObject({ status: 201 })
    expect(kept.body).toEqual(view)
    expect((await list()).body).toEqual({ evaluations: [view] })
    const read = await get(kept.body['evaluation_id'])
    const { ndcg_at_10: _, ...unrounded } = sent()
    const { recall_at_10, first_ranks } = unrounded
    expect(read.body).toEqual({ ...view, scores: { ndcg_at_10: [1, 0.6309, 0], recall_at_10, first_ranks }, worst })
  })

  it('have the difference from the evaluation they are compared with, and whether it is significant', async () => {
    const { keep } = await open()
    const first = (await keep({ mode: 'lexical' })).body['evaluation_id']
    const worse = { ndcg_at_10: [0.5, 0.5, 0] }
    const compared = (p: number) => keep({ ...worse, against: { evaluation_id: first, p } })
    const change = { evaluation_id: first, mode: 'lexical', model: 'lexical', difference: expect.closeTo(-0.2103) }
    expect((await compared(0.0099)).body['change']).toEqual({ ...change, p: 0.0099, significant: true })
    expect((await compared(0.01)).body['change']).toEqual({ ...change, p: 0.01, significant: false })
  })

  it('are compared only with evaluations of the same questions and namespace', async () => {
    const { keep } = await open()
    const other = (await (await open()).keep()).body['evaluation_id']
    const mine = (await keep()).body['evaluation_id']
    const against = (id: unknown, more = {}) => keep({ against: { evaluation_id: id, p: 1 }, ...more })
    expect(await against(mine)).toMatchObject({ status: 201 })
    expect(await against(other)).toMatchObject({ status: 404 })
    expect(await against('none')).toMatchObject({ status: 404, body: { message: expect.stringContaining('"none"') } })
    expect(await against(mine, { questions_hash: 'b'.repeat(64) })).toMatchObject({ status: 409 })
    expect(await against(mine, scores(2))).toMatchObject({ status: 409 })
  })

  it('of a model that the namespace does not have any more are refused', async () => {
    const { keep, list } = await open()
    expect(await keep({ model: 'another' })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/"another".+"lexical".+again/) },
    })
    expect((await list()).body).toEqual({ evaluations: [] })
  })

  it('are the newest ones', async () => {
    const scene = await open()
    const all: unknown[] = []
    for (let count = 0; count < maxEvaluations + 2; count += 1) all.push((await scene.keep()).body['evaluation_id'])
    const kept = await idsOf(scene)
    expect(kept).toHaveLength(maxEvaluations)
    expect(all).toEqual(expect.arrayContaining(kept))
  })

  it.each([
    ['questions_hash', 'a'.repeat(63)],
    ['questions_hash', 'A'.repeat(64)],
    ['mode', 'best'],
    ['model', ''],
    ['model', 'm'.repeat(201)],
    ['ndcg_at_10', []],
    ['ndcg_at_10', [1.01, 0, 0]],
    ['ndcg_at_10', [-0.01, 0, 0]],
    ['recall_at_10', [1, 1]],
    ['first_ranks', [1, 1, 1, 1]],
    ['first_ranks', [101, 0, 0]],
    ['first_ranks', [0.5, 0, 0]],
    ['worst', Array(limits.worstQuestions + 1).fill({ question: 'q', ndcg_at_10: 0, first_rank: 0 })],
    ['worst', [{ question: 'q'.repeat(limits.evaluationExcerpt + 1), ndcg_at_10: 0, first_rank: 0 }]],
    ['against', { evaluation_id: '', p: 0 }],
    ['against', { evaluation_id: 'x', p: 2 }],
  ])('refuse %s %j', async (field, value) => {
    const { keep, list } = await open()
    expect(await keep({ [field]: value })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(field) },
    })
    expect((await list()).body).toEqual({ evaluations: [] })
  })

  it('have at most 10,000 questions, and take a limited number of bytes', async () => {
    const { keep, namespaceId } = await open()
    const worst = Array(limits.worstQuestions).fill({
      question: 'q'.repeat(limits.evaluationExcerpt),
      ndcg_at_10: 0,
      first_rank: 100,
    })
    const kept = await keep({ ...scores(limits.evaluationQuestions), worst, model: 'lexical' })
    expect(kept).toMatchObject({ status: 201, body: { questions: limits.evaluationQuestions } })
    const record = await gateway().store.evaluations.get(namespaceId, String(kept.body['evaluation_id']))
    expect(record?.detail.length).toBeLessThan(200_000)
    expect(await keep(scores(limits.evaluationQuestions + 1))).toMatchObject({ status: 400 })
  })

  it('need the scope write to be kept and read to be read, and a text namespace of the account', async () => {
    const { keyWith, json, call, path } = await open()
    const reader = { 'x-api-key': await keyWith({ scopes: ['read'] }) }
    const body = JSON.stringify(sent())
    const init = { body, headers: { ...reader, 'content-type': 'application/json' } }
    expect(await call('POST', 'evaluations', init)).toMatchObject({ status: 403 })
    expect(await call('GET', 'evaluations', { headers: reader })).toMatchObject({ status: 200 })
    expect(await call('GET', 'evaluations/none')).toMatchObject({ status: 404 })
    const vectors = await gateway().open('vector')
    expect(await vectors.json('POST', 'evaluations', sent())).toMatchObject({ status: 404 })
    expect(await vectors.call('GET', 'evaluations')).toMatchObject({ status: 404 })
    const kept = await json('POST', 'evaluations', sent())
    const stranger = await gateway().open()
    const response = await fetch(path(`evaluations/${kept.body['evaluation_id']}`), {
      headers: { 'x-api-key': stranger.apiKey },
    })
    expect(response.status).toBe(404)
  })
})

import { embedders } from '@cairn/adapters/embedder/registry'
import type { Reindex } from '@cairn/domain/namespaces/record'
import type { EmbeddingModel } from '@cairn/domain/ports/embedder'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { describe, expect, it, vi } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const other: EmbeddingModel = { provider: 'openai', model: 'other', dimension: 8 }
const local: EmbeddingModel = { provider: 'local', model: 'small', dimension: 8, weights: '0123456789ab' }
const gateway = useGateway({
  embedders: embedders({
    current: stubEmbedder({ model: other, maxTokens: 7, onEmbed: (_texts, signal) => signal?.throwIfAborted() }),
    choices: [stubEmbedder(), stubEmbedder({ model: local })],
  }),
})

const open = async () => {
  const scene = await gateway().open()
  const { store } = gateway()
  const { namespaceId } = scene
  const state = async () => (await store.namespaces.get(namespaceId))?.reindex as Reindex
  const start = (body?: unknown) =>
    body === undefined ? scene.call('POST', 'reindex') : scene.json('POST', 'reindex', body)
  /** Changes the phase like the reindex task in ingestion. */
  const enter = async (phase: Reindex['phase'], more: Partial<Reindex> = {}) =>
    store.namespaces.changeReindex(namespaceId, await state(), { phase, ...more })
  const flipTo = async () => {
    await enter('closing')
    expect(await store.namespaces.flipReindex(namespaceId, await state(), gateway().now())).toBe(true)
  }
  return { ...scene, store, state, start, enter, flipTo }
}

describe('POST reindex', () => {
  it('begins with the current model of the server, by itself and for seven days, without a body', async () => {
    const { start, state, call, namespace } = await open()
    const at = new Date(gateway().now()).toISOString()
    const view = {
      namespace_name: namespace,
      phase: 'filling',
      model: 'lexical',
      other_model: 'other',
      flip: 'automatic',
      keep_days: 7,
      progress: { total: 0, passed: 0, written: 0, rejected: 0 },
      error: null,
      queries: null,
      comparison: null,
      started_at: at,
      phase_started_at: at,
      estimated_completion: null,
      flipped_at: null,
      kept_until: null,
    }
    expect(await start()).toMatchObject({ status: 202, body: view })
    expect(await state()).toMatchObject({ embedding: other, phase: 'filling', queries: null })
    const { status, body } = await call('GET', 'reindex')
    expect({ status, body }).toEqual({ status: 200, body: view })
  })

  it('takes every option, and counts what there is to do', async () => {
    const { start, json, store, namespaceId } = await open()
    const documents = ['a', 'b'].map((id) => ({ id, text: 'A text of some words.' }))
    await json('POST', 'documents', { documents })
    const sent = { model: 'small', flip: 'manual', keep_days: 0, compare_queries: true }
    expect(await start(sent)).toMatchObject({
      status: 202,
      body: { other_model: 'small', flip: 'manual', keep_days: 0, queries: 0, progress: { total: 2 } },
    })
    expect((await store.namespaces.get(namespaceId))?.reindex).toMatchObject({ embedding: local, queries: [] })
  })

  it.each([
    [{ keep_days: -1 }, 'keep_days must be an integer from 0 to 30'],
    [{ keep_days: 31 }, 'keep_days must be an integer from 0 to 30'],
    [{ keep_days: 1.5 }, 'keep_days must be an integer from 0 to 30'],
    [{ flip: 'soon' }, 'flip must be "automatic" or "manual"'],
    [{ dry_run: 'yes' }, 'dry_run must be true or false'],
    [{ compare_queries: 1 }, 'compare_queries must be true or false'],
    [{ model: 7 }, 'model must be a string'],
    [{ model: 'unknown' }, 'model must be one of other, lexical, small, which this server offers'],
  ])('refuses %j', async (body, message) => {
    const { start, state } = await open()
    const refused = await start(body)
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
    expect(await state()).toBeUndefined()
  })

  it('keeps the former points for 30 days at most', async () => {
    const { start } = await open()
    expect(await start({ keep_days: 30 })).toMatchObject({ status: 202, body: { keep_days: 30 } })
  })

  it('refuses the model that the namespace has, a second reindex, and a namespace of vectors', async () => {
    const { start } = await open()
    expect(await start({ model: 'lexical' })).toMatchObject({
      status: 409,
      body: { message: 'The namespace has the model lexical already; choose another one' },
    })
    expect((await start()).status).toBe(202)
    for (const body of [{}, { dry_run: true }])
      expect(await start(body)).toMatchObject({
        status: 409,
        body: { message: 'The namespace has a reindex, which is filling; end it first' },
      })
    const vectors = await gateway().open('vector')
    expect(await vectors.json('POST', 'reindex', {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('is not text-based') },
    })
  })

  it('needs a key with the scope admin', async () => {
    const { keyWith, call } = await open()
    const headers = { 'x-api-key': await keyWith({ scopes: ['read', 'write'] }) }
    for (const [method, path] of [
      ['POST', 'reindex'],
      ['POST', 'reindex/flip'],
      ['POST', 'reindex/rollback'],
      ['DELETE', 'reindex'],
    ] as const)
      expect((await call(method, path, { headers })).status).toBe(403)
    expect((await call('GET', 'reindex', { headers })).status).toBe(404)
  })

  it('estimates from the texts of the namespace, and changes nothing', async () => {
    const { start, json, state, namespace } = await open()
    const documents = Array.from({ length: 40 }, (_, number) => ({
      id: `d${String(number).padStart(2, '0')}`,
      text: 'Seven words are in this one text.',
    }))
    expect(await start({ dry_run: true })).toMatchObject({
      status: 200,
      body: { items: 0, chunks: 0, characters: 0, passages: 0, tokens: 0, seconds: 0, sampled: 0 },
    })
    await json('POST', 'documents', { documents })
    const { status, body } = await start({ dry_run: true })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        namespace_name: namespace,
        model: 'lexical',
        other_model: 'other',
        items: 40,
        chunks: 0,
        characters: 40 * 33,
        passages: 40,
        tokens: 40 * 7,
        seconds: expect.any(Number),
        sampled: 16,
      },
    })
    expect(await start({ dry_run: true, model: 'small' })).toMatchObject({ body: { tokens: null } })
    expect(await state()).toBeUndefined()
  })

  it('says that the model is busy when an estimate takes too long', async () => {
    const { start, json } = await open()
    await json('POST', 'documents', { documents: [{ id: 'a', text: 'A text of some words.' }] })
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() =>
      AbortSignal.abort(new DOMException('The time is up', 'TimeoutError')),
    )
    expect(await start({ dry_run: true })).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/^The model did not embed 1 passage within 15 s; retry/) },
    })
  })
})

describe('a reindex', () => {
  it('is 404 for a namespace without a reindex', async () => {
    const { call } = await open()
    for (const [method, path] of [
      ['GET', 'reindex'],
      ['POST', 'reindex/flip'],
      ['POST', 'reindex/rollback'],
      ['DELETE', 'reindex'],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 404, body: { message: 'Reindex not found' } })
  })

  it('says when its phase is expected to end, from its progress', async () => {
    const { call, start, enter } = await open()
    await start()
    const expected = async () => (await call('GET', 'reindex')).body['estimated_completion']
    expect(await expected()).toBeNull()
    await enter('filling', { total: 30, passed: 10 })
    gateway().pass(5_000)
    expect(await expected()).toBe(new Date(gateway().now() + 10_000).toISOString())
    await enter('filling', { total: 30, passed: 30 })
    expect(await expected()).toBe(new Date(gateway().now()).toISOString())
    await enter('filling', { passed: 10, error: 'The model is away' })
    expect(await expected()).toBeNull()
    await enter('filled', { error: null })
    expect(await expected()).toBeNull()
  })

  it('is flipped when it is filled, at no other time, and once', async () => {
    const { call, start, enter, state, flipTo } = await open()
    await start({ flip: 'automatic', compare_queries: true })
    const flip = () => call('POST', 'reindex/flip')
    expect(await flip()).toMatchObject({
      status: 409,
      body: { message: 'A reindex that is filling can not be flipped' },
    })
    await enter('filled', { rejected: 3, error: 'The model rejects 3 items' })
    expect(await flip()).toMatchObject({
      status: 202,
      body: { phase: 'flipping', flip: 'manual', error: null, queries: null },
    })
    expect(await state()).toMatchObject({ phase: 'closing', passed: 0, rejected: 0, cursor: null })
    await enter('closing', { cursor: 'here' })
    expect(await flip()).toMatchObject({ status: 202, body: { phase: 'flipping' } })
    expect((await state()).cursor).toBe('here')
    await enter('filled')
    await flipTo()
    expect((await flip()).status).toBe(409)
  })

  it('is rolled back while the former points are kept', async () => {
    const { call, start, state, enter, flipTo, store, namespaceId } = await open()
    await start({ keep_days: 2 })
    const rollBack = () => call('POST', 'reindex/rollback')
    expect((await rollBack()).status).toBe(409)
    await enter('closing')
    expect((await rollBack()).status).toBe(409)
    await flipTo()
    const kept = await call('GET', 'reindex')
    const until = new Date(gateway().now() + 2 * 86_400_000).toISOString()
    expect(kept.body).toMatchObject({ phase: 'kept', model: 'other', other_model: 'lexical', kept_until: until })
    expect(await rollBack()).toMatchObject({ status: 202, body: { phase: 'flipping' } })
    expect(await rollBack()).toMatchObject({ status: 202, body: { phase: 'flipping' } })
    expect(await call('DELETE', 'reindex')).toMatchObject({
      status: 409,
      body: { message: 'A reindex that is flipping can not be ended while it is rolled back' },
    })
    expect((await call('POST', 'reindex/flip')).status).toBe(409)
    expect(await store.namespaces.flipReindex(namespaceId, await state(), gateway().now())).toBe(true)
    expect((await call('GET', 'reindex')).body).toMatchObject({ phase: 'kept', model: 'lexical', other_model: 'other' })
  })

  it.each<[Reindex['phase']]>([['filling'], ['filled'], ['closing'], ['former']])(
    'ends when it is asked to while %s, and keeps the model that is searched',
    async (phase) => {
      const { call, start, enter, state, flipTo } = await open()
      await start({ compare_queries: true })
      if (phase === 'former') await flipTo()
      else await enter(phase)
      const model = phase === 'former' ? 'other' : 'lexical'
      for (const _ of ['once', 'again'])
        expect(await call('DELETE', 'reindex')).toMatchObject({ status: 202, body: { phase: 'removing', model } })
      expect(await state()).toMatchObject({ phase: 'removing', cursor: null, queries: null })
    },
  )

  it('shows the numbers of its comparison and of its progress', async () => {
    const { call, start, enter } = await open()
    await start({ compare_queries: true })
    const comparison = { queries: 2, overlap: 0.75, medianMs: 1, secondMedianMs: 2 }
    await enter('filled', { comparison, queries: ['a', 'b'], passed: 9, written: 8, rejected: 1, error: 'Some text.' })
    expect((await call('GET', 'reindex')).body).toMatchObject({
      phase: 'filled',
      queries: 2,
      comparison: { queries: 2, overlap_at_10: 0.75, median_ms: 1, other_median_ms: 2 },
      progress: { total: 9, passed: 9, written: 8, rejected: 1 },
      error: 'Some text.',
    })
  })
})

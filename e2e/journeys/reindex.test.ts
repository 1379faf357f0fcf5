import { json } from 'node:stream/consumers'
import { cairn } from '@cairn/cli/run.fixture'
import type { Reindex } from '@cairn/client'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { startLocalServer } from '@cairn/testing/local-server'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { describeOn } from '../describe-on.ts'
import {
  createNamespace,
  freshName,
  idsFound,
  index,
  removeNamespace,
  search,
  useOwnTarget,
  useTarget,
} from '../story.ts'

const story = useTarget()

const dimension = 26
const letters = (text: string) =>
  Array.from(
    { length: dimension },
    (_, letter) => text.toLowerCase().split(String.fromCharCode(97 + letter)).length - 0.5,
  )

/** Embedding server whose vectors count the letters of a text. */
const server = await startLocalServer(async (message, response) => {
  const { input } = (await json(message)) as { readonly input: readonly string[] }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: input.map((text) => ({ embedding: letters(text) })) }))
})
afterAll(server.close)

const documents = Array.from({ length: 30 }, (_, number) => ({
  id: `d${number}`,
  text: `Marker ${number} stands beside the ${['larch', 'spring', 'quarry'][number % 3]} on the path.`,
}))

const stateOnce = (api: Client, name: string, accept: (state: Reindex | undefined) => boolean) =>
  eventually(() => api.sdk.reindexes.get(name), accept, { withinMs: 90_000, everyMs: 100 })

describe('the reindex of a namespace', () => {
  it('is refused where there is nothing to change', async () => {
    const { api } = await story.member()
    const params = { namespace_name: await createNamespace(api) }
    const same = await api.call(operations.startReindex, { params }, 409)
    expect(same.body.message).toMatch(/^The namespace has the model .+ already; choose another one$/)
    const body = { model: 'a model that nobody offers' }
    expect((await api.call(operations.startReindex, { params, body }, 400)).body.message).toMatch(
      /^model must be one of /,
    )
    for (const operation of [
      operations.getReindex,
      operations.flipReindex,
      operations.rollBackReindex,
      operations.endReindex,
    ])
      expect((await api.any(operation, { params })).status).toBe(404)
    const vectors = { namespace_name: await createNamespace(api, { type: 'vector', vector_dimension: 2 }) }
    await api.call(operations.startReindex, { params: vectors }, 400)
    await api.call(operations.startReindex, { params: { namespace_name: freshName() } }, 404)
  })
})

describeOn(['standalone', 'cluster'], 'the reindex of a namespace where two models are served', () => {
  const withTwoModels = useOwnTarget({
    env: {
      CAIRN_EMBEDDER: 'openai',
      CAIRN_OPENAI_URL: `${server.url}/v1`,
      CAIRN_OPENAI_MODEL: 'letters',
      CAIRN_OPENAI_DIMENSION: String(dimension),
    },
  })

  it('changes its model and back while every search finds what it should', async () => {
    const { api, apiKey } = await withTwoModels.member()
    const name = await createNamespace(api, { type: 'text', model: 'lexical' })
    const { reindexes } = api.sdk
    await index(api, name, documents)
    expect(await reindexes.estimate(name)).toMatchObject({
      model: 'lexical',
      other_model: 'letters',
      items: 30,
      chunks: 0,
      sampled: 16,
    })
    expect(await reindexes.get(name)).toBeUndefined()
    const env = { CAIRN_URL: withTwoModels.target.url, CAIRN_API_KEY: apiKey }
    const byCommand = await cairn(env, 'reindex', name, '--dry-run', '--json')
    expect({ code: byCommand.code, ...JSON.parse(byCommand.out) }).toMatchObject({ code: 0, items: 30, passages: 30 })
    expect((await cairn(env, 'reindex', name, '--status')).code).toBe(4)

    const over = new AbortController()
    const searching = (async () => {
      let searches = 0
      for (; !over.signal.aborted; searches += 1) {
        const number = searches % 30
        expect(await idsFound(api, [name], `marker ${number}`, { mode: 'lexical' })).toContain(`d${number}`)
        const semantic = await search(api, [name], documents[number]?.text ?? '', { mode: 'semantic' })
        expect(semantic.results[0]?.score).toBeGreaterThan(0.9)
      }
      return searches
    })()
    expect(await reindexes.start(name, { flip: 'manual', compare_queries: true })).toMatchObject({
      phase: 'filling',
      model: 'lexical',
      other_model: 'letters',
      progress: { total: 30 },
    })
    await expect(reindexes.start(name)).rejects.toMatchObject({ status: 409 })
    expect(await stateOnce(api, name, (state) => state?.phase === 'filled')).toMatchObject({
      progress: { passed: 30, written: 30, rejected: 0 },
    })
    await index(api, name, [{ id: 'before', text: 'The zinc mine was closed long ago.' }])
    expect((await reindexes.flip(name)).phase).toBe('flipping')
    await index(api, name, [{ id: 'meanwhile', text: 'Juniper grows on the quarry floor.' }])
    expect(await stateOnce(api, name, (state) => state?.phase === 'kept')).toMatchObject({
      model: 'letters',
      other_model: 'lexical',
      queries: null,
    })
    expect((await api.sdk.namespaces.get(name))?.model).toBe('letters')
    await index(api, name, [{ id: 'after', text: 'Wax is kept in the upper hut.' }])
    await reindexes.rollBack(name)
    await stateOnce(api, name, (state) => state?.model === 'lexical')
    for (const [id, query] of [
      ['before', 'zinc mine'],
      ['meanwhile', 'juniper'],
      ['after', 'wax'],
    ] as const)
      for (const mode of ['semantic', 'lexical'] as const)
        expect((await idsFound(api, [name], query, { mode }))[0]).toBe(id)
    const ended = await cairn(env, 'reindex', name, '--end', '--yes')
    expect(ended).toMatchObject({ code: 0, out: 'the reindex has ended\n' })
    expect(await reindexes.get(name)).toBeUndefined()
    over.abort()
    expect(await searching).toBeGreaterThan(30)
    await removeNamespace(api, name)
  }, 300_000)
})

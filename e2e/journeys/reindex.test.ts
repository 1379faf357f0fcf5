import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cairn } from '@cairn/cli/run.fixture'
import { operations } from '@cairn/contracts/operations'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
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
import { isCluster, isStandalone } from '../target.ts'

const story = useTarget()

const dimension = 26
const letters = (text: string) =>
  Array.from(
    { length: dimension },
    (_, letter) => text.toLowerCase().split(String.fromCharCode(97 + letter)).length - 0.5,
  )

/** A server for embeddings, which counts letters. */
const server = createServer(async (message, response) => {
  const { input } = JSON.parse((await message.toArray()).map(String).join('')) as { readonly input: readonly string[] }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: input.map((text) => ({ embedding: letters(text) })) }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const documents = Array.from({ length: 30 }, (_, number) => ({
  id: `d${number}`,
  text: `Marker ${number} stands beside the ${['larch', 'spring', 'quarry'][number % 3]} on the path.`,
}))

const stateOf = async (api: Client, namespace_name: string) =>
  (await api.call(operations.getReindex, { params: { namespace_name } }, 200)).body

const enters = (api: Client, name: string, phase: string) =>
  eventually(
    () => stateOf(api, name),
    (state) => state.phase === phase,
    { withinMs: 90_000, everyMs: 100 },
  )

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

describe.runIf(isStandalone() || isCluster())('the reindex of a namespace where two models are served', () => {
  const withTwoModels = useOwnTarget({
    env: {
      CAIRN_EMBEDDER: 'openai',
      CAIRN_OPENAI_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      CAIRN_OPENAI_MODEL: 'letters',
      CAIRN_OPENAI_DIMENSION: String(dimension),
    },
  })

  it('changes its model and back while every search finds what it should', async () => {
    const { api, apiKey } = await withTwoModels.member()
    const name = await createNamespace(api, { type: 'text', model: 'lexical' })
    const params = { namespace_name: name }
    await index(api, name, documents)
    const estimate = await api.call(operations.startReindex, { params, body: { dry_run: true } }, 200)
    expect(estimate.body).toMatchObject({
      model: 'lexical',
      other_model: 'letters',
      items: 30,
      chunks: 0,
      sampled: 16,
    })
    await api.call(operations.getReindex, { params }, 404)
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
    const body = { flip: 'manual', compare_queries: true }
    expect((await api.call(operations.startReindex, { params, body }, 202)).body).toMatchObject({
      phase: 'filling',
      model: 'lexical',
      other_model: 'letters',
      progress: { total: 30 },
    })
    await api.call(operations.startReindex, { params }, 409)
    expect(await enters(api, name, 'filled')).toMatchObject({ progress: { passed: 30, written: 30, rejected: 0 } })
    await index(api, name, [{ id: 'before', text: 'The zinc mine was closed long ago.' }])
    expect((await api.call(operations.flipReindex, { params }, 202)).body.phase).toBe('flipping')
    await index(api, name, [{ id: 'meanwhile', text: 'Juniper grows on the quarry floor.' }])
    expect(await enters(api, name, 'kept')).toMatchObject({ model: 'letters', other_model: 'lexical', queries: null })
    const { namespaces } = (await api.call(operations.listNamespaces, {}, 200)).body
    expect(namespaces.find(({ namespace_name }) => namespace_name === name)?.model).toBe('letters')
    await index(api, name, [{ id: 'after', text: 'Wax is kept in the upper hut.' }])
    await api.call(operations.rollBackReindex, { params }, 202)
    await eventually(
      () => stateOf(api, name),
      (state) => state.model === 'lexical',
      { withinMs: 90_000, everyMs: 100 },
    )
    for (const [id, query] of [
      ['before', 'zinc mine'],
      ['meanwhile', 'juniper'],
      ['after', 'wax'],
    ] as const)
      for (const mode of ['semantic', 'lexical'] as const)
        expect((await idsFound(api, [name], query, { mode }))[0]).toBe(id)
    const ended = await cairn(env, 'reindex', name, '--end')
    expect(ended).toMatchObject({ code: 0, out: 'the reindex has ended\n' })
    await api.call(operations.getReindex, { params }, 404)
    over.abort()
    expect(await searching).toBeGreaterThan(30)
    await removeNamespace(api, name)
  }, 300_000)
})

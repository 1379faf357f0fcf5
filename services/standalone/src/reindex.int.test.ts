import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@cairn/adapters/clock/system'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { randomIds } from '@cairn/domain/ids'
import { spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { EmbeddingModel } from '@cairn/domain/ports/embedder'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { eventually } from '@cairn/testing/eventually'
import { forFile } from '@cairn/testing/for-file'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { createStandalone } from './standalone.ts'

const secret = 'a secret of an installation that nobody guesses'
const first: EmbeddingModel = { provider: 'lexical', model: 'words', dimension: 256 }
const second: EmbeddingModel = { provider: 'openai', model: 'other', dimension: 512 }
const hourMs = 3_600_000
const slowly = { withinMs: 20_000, everyMs: 20 }

const openSystem = async (directory: string) => {
  const clock = systemClock()
  const store = sqliteStore({ file: join(directory, 'metadata.db') })
  const vectors = sqliteVectorIndex({ file: join(directory, 'vectors.db') })
  const bus = inMemoryMessageBus()
  const embedder = stubEmbedder({ model: first })
  // Slow enough for other work to happen meanwhile.
  const other = stubEmbedder({ model: second, maxTokens: 7, onEmbed: () => delay(2) })
  const { services, gateway } = createStandalone(
    {
      store,
      vectors,
      bus,
      files: memoryFiles(clock.now),
      lexicalEmbedder: embedder,
      answerer: undefined,
      embedders: embedders({ current: embedder, choices: [other] }),
      textWorker: threadTextWorker(),
      clock,
      ids: randomIds(clock.now),
      random: Math.random,
      log: createLogger({ level: 'silent', name: 'test' }),
    },
    {
      gateway: {
        host: '127.0.0.1',
        port: 0,
        secret,
        adminKey: undefined,
        minTextLength: 10,
        legacyCamelCase: true,
        corsOrigins: [],
        tiersFile: undefined,
      },
      configuredEmbedder: 'lexical',
      ingestionConcurrency: 4,
      deletionConcurrency: 4,
      fileConcurrency: 2,
      reading: { memoryMegabytes: 256, minutes: 60, ocrLanguages: ['eng'] },
      scratchDir: join(directory, 'scratch'),
      jobRetentionMs: 30 * 24 * hourMs,
      auditEveryMs: 365 * 24 * hourMs,
      orphanMs: 7 * 24 * hourMs,
      failedFileMs: 30 * 24 * hourMs,
      reindex: { everyMs: 20, settleMs: 300 },
    },
  )
  for (const service of services) await service.start()
  const { apiKey, keyId, secret: ofKey } = generateApiKey()
  const accountId = 'acc_reindex'
  await store.accounts.insert({
    id: accountId,
    name: 'a',
    tier: 'enterprise',
    subscriptionEndsAt: null,
    createdAt: 0,
  })
  await store.keys.insert({
    id: keyId,
    accountId,
    name: 'test',
    hmac: hashSecret(deriveKey(secret, 'api-key'), { keyId, secret: ofKey }),
    scopes: ['read', 'write', 'admin'],
    state: 'active',
    expiresAt: null,
    lastUsedAt: null,
    createdAt: 0,
  })
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${gateway.port()}/v1/${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the bodies are those of the contract.
    return { status: response.status, body: (await response.json()) as any }
  }

  /** Creates a namespace with documents, and returns operations on it. */
  const open = async (name: string, count = 60) => {
    await send('POST', 'namespaces', { namespace_name: name, type: 'text', model: 'lexical' })
    const { id } = (await store.namespaces.byName(accountId, name)) as Namespace
    const textOf = (document: string) => `${document} has some words. There is ${document} again in this sentence.`
    const uploaded = async (...ids: readonly string[]) => {
      const documents = ids.map((document) => ({ id: document, text: textOf(document) }))
      const { body } = await send('POST', `namespaces/${name}/documents`, { documents })
      const status = async () => (await send('GET', `namespaces/${name}/uploads/${body.upload_id}`)).body
      await eventually(status, ({ processing_status }) => processing_status === 'completed', slowly)
    }
    await uploaded(...Array.from({ length: count }, (_, number) => `document${number}`))
    const reindex = async () => (await send('GET', `namespaces/${name}/reindex`)).body
    const inPhase = (phase: string) => eventually(reindex, (state) => (state.phase ?? 'none') === phase, slowly)
    const points = async (model: EmbeddingModel) =>
      (await vectors.list(spaceOfModel(model), { namespaceIds: [id], limit: 10_000 })).map(({ itemId }) => itemId)
    const found = async (document: string) => {
      // The stub's vectors have few dimensions, so some documents have equal vectors.
      const query = { query: document, namespaces: [name], top_k: 5 }
      const { status, body } = await send('POST', 'search', query)
      const ids: readonly string[] = body.results?.map(({ id }: { id: string }) => id) ?? []
      return ids.includes(document) ? document : `${status} ${ids.join(' ')}`
    }
    return { name, id, uploaded, reindex, inPhase, points, found }
  }
  return {
    send,
    open,
    close: async () => {
      for (const service of services.toReversed()) await service.stop()
      await bus.close()
      await vectors.close()
      await store.close()
    },
  }
}

const system = forFile(openSystem)
type Namespaces = Awaited<ReturnType<Awaited<ReturnType<typeof openSystem>>['open']>>

const phases: readonly { readonly phase: string; readonly enter: (namespace: Namespaces) => Promise<unknown> }[] = [
  {
    phase: 'filling',
    enter: async ({ name }) => system().send('POST', `namespaces/${name}/reindex`, { model: 'other' }),
  },
  {
    phase: 'filled',
    enter: async ({ name, inPhase }) => {
      await system().send('POST', `namespaces/${name}/reindex`, { model: 'other', flip: 'manual' })
      await inPhase('filled')
    },
  },
  {
    phase: 'flipping',
    enter: async ({ name, inPhase }) => {
      await system().send('POST', `namespaces/${name}/reindex`, { model: 'other' })
      await inPhase('flipping')
    },
  },
  {
    phase: 'kept',
    enter: async ({ name, inPhase }) => {
      await system().send('POST', `namespaces/${name}/reindex`, { model: 'other' })
      await inPhase('kept')
    },
  },
  {
    phase: 'removing',
    enter: async ({ name, inPhase }) => {
      await system().send('POST', `namespaces/${name}/reindex`, { model: 'other' })
      await inPhase('kept')
      await system().send('DELETE', `namespaces/${name}/reindex`)
    },
  },
]

it('finds every document all the time, before, while and after the models change places and back', {
  timeout: 60_000,
}, async () => {
  const { send } = system()
  const { name, uploaded, inPhase, found, points, reindex } = await system().open('searched')
  const state = { isOver: false, searches: 0 }
  const failures: unknown[] = []
  const searching = async (from: number) => {
    for (let number = from; !state.isOver; number = (number + 7) % 60) {
      const best = await found(`document${number}`)
      state.searches += 1
      if (best !== `document${number}`) failures.push(`document${number}: ${best}`)
    }
  }
  const running = [searching(0), searching(3)]
  await send('POST', `namespaces/${name}/reindex`, { model: 'other', compare_queries: true, flip: 'manual' })
  await uploaded('document3', 'added1')
  await inPhase('filled')
  await eventually(reindex, ({ queries }) => queries > 5, slowly)
  expect((await send('POST', `namespaces/${name}/reindex/flip`)).status).toBe(202)
  await uploaded('document4', 'added2')
  await inPhase('kept')
  expect((await reindex()).model).toBe('other')
  await uploaded('document5', 'added3')
  await send('POST', `namespaces/${name}/reindex/rollback`)
  await inPhase('kept')
  expect((await reindex()).model).toBe('lexical')
  for (const added of ['added1', 'added2', 'added3']) expect(await found(added)).toBe(added)
  await send('DELETE', `namespaces/${name}/reindex`)
  await inPhase('none')
  state.isOver = true
  await Promise.all(running)
  expect(failures).toEqual([])
  expect(state.searches).toBeGreaterThan(100)
  expect(await points(second)).toEqual([])
  expect(new Set(await points(first)).size).toBe(63)
})

it.each(phases)(
  'leaves no point of what is deleted while it is $phase',
  { timeout: 60_000 },
  async ({ phase, enter }) => {
    const { send } = system()
    const namespace = await system().open(`deleted-${phase}`)
    const { name, points, uploaded, inPhase } = namespace
    await enter(namespace)
    const ids = ['document1', 'document2', 'document59']
    expect((await send('POST', `namespaces/${name}/documents/delete`, { ids })).body.deleted_ids).toEqual(ids)
    await uploaded('document2')
    await send('POST', `namespaces/${name}/documents/delete`, { ids: ['document2'] })
    const rest = Array.from({ length: 60 }, (_, number) => `document${number}`).filter((id) => !ids.includes(id))
    const deleted = async () =>
      [...(await points(first)), ...(await points(second))].filter((id) => ids.includes(id)).length
    await eventually(deleted, (count) => count === 0, slowly)
    if (phase === 'filled') await send('POST', `namespaces/${name}/reindex/flip`)
    await inPhase(phase === 'removing' ? 'none' : 'kept')
    expect(new Set(await points(second))).toEqual(new Set(rest))
    expect(new Set(await points(first))).toEqual(new Set(phase === 'removing' ? [] : rest))
  },
)

it.each(phases)(
  'leaves no point of a namespace that is deleted while it is $phase',
  { timeout: 60_000 },
  async ({ phase, enter }) => {
    const { send } = system()
    const namespace = await system().open(`gone-${phase}`)
    const { name, points, uploaded } = namespace
    await enter(namespace)
    await uploaded('late')
    expect((await send('DELETE', `namespaces/${name}`)).status).toBe(202)
    const again = () => send('POST', 'namespaces', { namespace_name: name, type: 'text' })
    await eventually(again, ({ status }) => status === 201, slowly)
    // The reindex task itself removes the points that it was writing when the namespace was deleted.
    const left = async () => [...(await points(first)), ...(await points(second))]
    await eventually(left, ({ length }) => length === 0, slowly)
  },
)

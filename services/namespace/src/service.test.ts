import { join } from 'node:path'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { deletionRequested, type Envelope, namespaceCreated } from '@cairn/contracts/events'
import { createScene, mint, namespaceInput, newReindex, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { publish } from '@cairn/runtime/bus/publish'
import { createLogger } from '@cairn/runtime/process/logger'
import { eventually } from '@cairn/testing/eventually'
import { failOnce, withFaults } from '@cairn/testing/faults'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun } from '@cairn/testing/pass-time'
import { stalled } from '@cairn/testing/stalled'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { createNamespaceService, createNamespaceTasks } from './service.ts'

const space = { key: 'lexical-words-256', dimension: 256 }
const dayMs = 86_400_000
const never = new AbortController().signal
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const lines: string[] = []
const log = createLogger({ level: 'warn', name: 'test', write: (line) => void lines.push(line) })

const setUp = async (type: 'text' | 'vector' = 'text') => {
  const manual = createManualClock(wallAt)
  // Pauses between slices don't matter here.
  const clock = { ...manual.clock, delay: async () => undefined }
  const data = stepwiseData()
  const now = clock.monotonic
  const store = stepwiseStore({ data, now })
  const scene = await createScene(store, type)
  const { namespaceId } = scene
  const vectors = vectorsOfFile()
  const deps = {
    bus: inMemoryMessageBus(),
    store,
    vectors,
    clock,
    ids: { next: mint },
    log,
    jobRetentionMs: 30 * dayMs,
  }
  const write = (version: string, ids: readonly string[]) =>
    vectors.upsert(
      space,
      ids.map((itemId) => ({
        namespaceId,
        itemId,
        version,
        passage: 0,
        vector: new Float32Array(256).fill(1),
        terms: [],
        words: [],
      })),
    )
  const points = async () =>
    (await vectors.list(space, { namespaceIds: [namespaceId], limit: 4_000 })).map(
      ({ itemId, version }) => `${itemId} ${version}`,
    )
  const dyingAt = (at: string) =>
    stepwiseStore({
      data,
      now,
      turn: (step) => {
        if (step === at) throw new AppError('unavailable', 'died')
      },
    })
  return {
    ...scene,
    deps,
    data,
    clock,
    manual,
    vectors,
    write,
    points,
    dyingAt,
    tasks: createNamespaceTasks(deps),
    pass: manual.pass,
  }
}

it('audits: removes dead points and never a living one', async () => {
  const { tasks, indexed, accepted, write, points, store, namespaceId } = await setUp()
  const first = await indexed(['a', 'b', 'c'])
  await write(first, ['a', 'b', 'c'])
  const second = await indexed(['b'])
  await write(second, ['b'])
  // The third upload is in progress: its points are written before its items are marked.
  const third = (await accepted(['c'])).id
  await write(third, ['c'])
  const failed = (await accepted(['d'])).id
  await store.items.markFailed(namespaceId, failed, [{ id: 'd', reason: 'internal' }])
  await write(failed, ['d'])
  await write('zombie', ['a', 'nobody'])
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 4 })
  expect(await points()).toEqual([`a ${first}`, `b ${second}`, `c ${first}`, `c ${third}`].sort())
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 0 })
})

it('audits the second space of a reindex, and empties the spaces of former ones that are not in use', async () => {
  const { tasks, vectors, store, namespaceId, namespace, indexed, write, points } = await setUp()
  const version = await indexed(['a'])
  await write(version, ['a'])
  const keys = ['openai-other-64', 'openai-former-64']
  const inSpaces = () =>
    Promise.all(
      keys.map(async (key) => {
        const all = await vectors.list({ key, dimension: 64 }, { namespaceIds: [namespaceId], limit: 10 })
        return all.map((point) => point.version)
      }),
    )
  const fill = async () => {
    const point = { namespaceId, itemId: 'a', passage: 0, vector: new Float32Array(64).fill(1), terms: [], words: [] }
    for (const key of keys)
      await vectors.upsert(
        { key, dimension: 64 },
        [version, 'dead'].map((of) => ({ ...point, version: of })),
      )
  }
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  const ended = newReindex({ phase: 'removing', embedding: { provider: 'openai', model: 'former', dimension: 64 } })
  await store.namespaces.beginReindex(namespaceId, embedding, ended)
  await fill()
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 1 })
  expect(await inSpaces()).toEqual([['dead', version].toSorted(), [version]])
  await store.namespaces.endReindex(namespaceId, ended.id)
  const reindex = newReindex()
  await store.namespaces.beginReindex(namespaceId, embedding, reindex)
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 2 })
  expect(await inSpaces()).toEqual([[version], []])
  await store.namespaces.changeReindex(namespaceId, reindex, { phase: 'removing' })
  await store.namespaces.endReindex(namespaceId, reindex.id)
  expect((await namespace()).formerEmbeddings).toHaveLength(2)
  await fill()
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 4 })
  expect(await inSpaces()).toEqual([[], []])
  expect(await points()).toEqual([`a ${version}`])
})

it('audits more points than one listing gives', async () => {
  const { tasks, indexed, write, points } = await setUp()
  const ids = times(250, (number) => `d${number}`)
  const version = await indexed(ids)
  await write(version, ids)
  await write('zombie', ids)
  expect(await tasks.audit(never)).toEqual({ namespaces: 1, removed: 250 })
  expect(await points()).toHaveLength(250)
})

it('audits: puts a count right that a request has spoilt which stood still for longer than anybody waits', async () => {
  const { tasks, indexed, store, namespace, account, data, clock, acceptInput, pass } = await setUp()
  await indexed(['a', 'b'])
  const input = acceptInput(['late'])
  const goOn = await stalled((hooks) => stepwiseStore({ data, now: clock.monotonic, ...hooks }), {
    step: 'accept: insert items',
    call: (late) => late.accept(input),
  })
  pass(60_000)
  await store.uploads.takeOver(input.uploadId, wallAt)
  await tasks.sweep()
  await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
  expect((await namespace()).itemCount).toBe(2)
  await tasks.audit(never)
  expect((await namespace()).itemCount).toBe(3)
  expect((await account()).counts.documents).toBe(3)
})

it('audits the namespaces after one that can not be counted, and logs it', async () => {
  const { deps, store, vectors, accountId, namespaceId } = await setUp()
  const another = namespaceInput(accountId)
  await store.createNamespace(another)
  const namespaceIds = [namespaceId, another.id]
  const zombie = {
    itemId: 'a',
    version: 'zombie',
    passage: 0,
    vector: new Float32Array(256).fill(1),
    terms: [],
    words: [],
  }
  await vectors.upsert(
    space,
    namespaceIds.map((id) => ({ ...zombie, namespaceId: id })),
  )
  const uncountable = withFaults(store, { countSlice: failOnce() })
  lines.length = 0
  await createNamespaceTasks({ ...deps, store: uncountable }).audit(never)
  expect(lines.filter((line) => line.includes('audit failed') && line.includes('does not answer'))).toHaveLength(1)
  expect(await vectors.list(space, { namespaceIds, limit: 10 })).toEqual([])
})

it('leaves namespaces that are being deleted to the deletion', async () => {
  const { tasks, write, points, store, namespaceId } = await setUp()
  await write('zombie', ['a'])
  await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
  expect(await tasks.audit(never)).toEqual({ namespaces: 0, removed: 0 })
  expect(await points()).toHaveLength(1)
})

it('ends an audit that is told to stop', async () => {
  const { tasks, write } = await setUp()
  await write('zombie', ['a'])
  expect(await tasks.audit(AbortSignal.abort())).toEqual({ namespaces: 0, removed: 0 })
})

it('writes the record of a deletion whose request died right after the mark, and announces it once', async () => {
  const { tasks, store, namespaceId, deps, name } = await setUp()
  const id = mint('del')
  await store.beginNamespaceDeletion(namespaceId, id, wallAt)
  const told: Envelope[] = []
  const subscription = await deps.bus.subscribe(
    { topic: deletionRequested.topic, group: mint('group') },
    async (message) => void told.push(message),
  )
  await tasks.sweep()
  await tasks.sweep()
  expect(await store.deletions.get(id)).toMatchObject({
    target: 'namespace',
    state: 'queued',
    namespaceId,
    namespaceName: name,
    space,
  })
  await eventually(
    () => told.filter(({ key }) => key === id),
    (messages) => messages.length > 0,
  )
  await subscription.close()
  expect(told.filter(({ key }) => key === id)).toMatchObject([
    { type: 'deletion.requested', data: { namespaceId, deletionId: id } },
  ])
})

it('recovers counts although the bus is away', async () => {
  const { deps, store, dyingAt, acceptInput, pass, expectExact } = await setUp()
  const gone = await createScene(store)
  await store.beginNamespaceDeletion(gone.namespaceId, mint('del'), wallAt)
  await expect(dyingAt('accept: leave namespace').accept(acceptInput(['a']))).rejects.toThrow('died')
  pass(60_000)
  const bus = { ...deps.bus, publish: () => Promise.reject(new AppError('unavailable', 'the bus is away')) }
  const tasks = createNamespaceTasks({ ...deps, bus })
  await tasks.sweep()
  await expectExact()
})

it('opens a finished upload again that left a document processing', async () => {
  const { tasks, accepted, store, pass, item } = await setUp()
  const { id } = await accepted(['a'])
  const lease = await store.uploads.lease(id, 'token')
  await store.uploads.complete(
    { jobId: id, token: lease?.lease?.token ?? '' },
    { state: 'completed', outcomes: [], times: {}, at: wallAt },
  )
  pass(119_000)
  expect(await tasks.reopen(null)).toEqual({ reopened: [], next: null })
  pass(2_000)
  expect(await tasks.reopen(null)).toEqual({ reopened: [id], next: null })
  expect(await store.uploads.get(id)).toMatchObject({ state: 'queued', finishedAt: null })
  expect((await item('a'))?.status).toBe('processing')
})

it('removes records of finished work once they are old, and only those', async () => {
  const { tasks, accepted, indexed, store, pass, deleteInput } = await setUp()
  const finish = async (id: string, at: number) => {
    await store.uploads.lease(id, 'token')
    await store.uploads.complete({ jobId: id, token: 'token' }, { state: 'completed', outcomes: [], times: {}, at })
  }
  const old = await indexed(['a'])
  await finish(old, wallAt)
  const waiting = (await accepted(['b'])).id
  const deletion = deleteInput(['a'])
  await store.deleteItems(deletion)
  await store.deletions.lease(deletion.deletionId, 'token')
  await store.deletions.complete({ jobId: deletion.deletionId, token: 'token' }, { removed: {}, at: wallAt })
  pass(30 * dayMs)
  const young = await indexed(['c'])
  await finish(young, wallAt + dayMs)
  // Only events are old enough, because they are kept for a day.
  expect(await tasks.prune()).toBe(4)
  expect(await tasks.prune()).toBe(0)
  pass(1)
  expect(await tasks.prune()).toBe(2)
  expect(await store.uploads.get(old)).toBeUndefined()
  expect([(await store.uploads.get(waiting))?.id, (await store.uploads.get(young))?.id]).toEqual([waiting, young])
})

it('removes the usage of days more than 400 days ago, and keeps that of 400 days', async () => {
  const { tasks, store, deps } = await setUp()
  const dayAgo = (days: number) => new Date(deps.clock.now() - days * dayMs).toISOString().slice(0, 10)
  const tally = (day: string) => ({ accountId: 'acc', kind: 'key' as const, day, name: 'a', requests: 1, credits: 1 })
  await store.dailyUsage.add([399, 400, 401, 402].map((days) => tally(dayAgo(days))))
  expect(await tasks.prune()).toBe(2)
  const left = await store.dailyUsage.page('acc', 'key', { from: dayAgo(500), to: dayAgo(0), limit: 10 })
  expect(left.map(({ day }) => day)).toEqual([dayAgo(400), dayAgo(399)])
})

it('removes in one pass all that is old, and leaves the rest to the next when its time is up', async () => {
  const { deps, store, manual } = await setUp()
  const dayAgo = (days: number) => new Date(deps.clock.now() - days * dayMs).toISOString().slice(0, 10)
  const tally = (name: string, days: number) =>
    ({ accountId: 'acc', kind: 'key', day: dayAgo(days), name, requests: 1, credits: 1 }) as const
  await store.dailyUsage.add(Array.from({ length: 1_300 }, (_, index) => tally(`k${index}`, 401)))
  await store.dailyUsage.add([tally('young', 400)])
  const slow = {
    ...store,
    dailyUsage: {
      ...store.dailyUsage,
      prune: async (before: string, limit: number) => {
        manual.pass(40_000)
        return store.dailyUsage.prune(before, limit)
      },
    },
  }
  expect(await createNamespaceTasks({ ...deps, store: slow, clock: manual.clock }).prune()).toBe(1_000)
  manual.pass(-80_000)
  expect(await createNamespaceTasks({ ...deps, clock: manual.clock }).prune()).toBe(300)
  const left = await store.dailyUsage.page('acc', 'key', { from: dayAgo(500), to: dayAgo(0), limit: 10 })
  expect(left).toMatchObject([{ name: 'young' }])
})

it('makes the index space of a namespace when it hears of it', async () => {
  const { deps, vectors, namespaceId } = await setUp('vector')
  const ensured: string[] = []
  const watched = {
    ...vectors,
    ensure: (of: typeof space) => {
      ensured.push(of.key)
      return vectors.ensure(of)
    },
  }
  const service = createNamespaceService({
    ...deps,
    vectors: watched,
    clock: createManualClock().clock,
    sweepEveryMs: 5_000,
    auditEveryMs: dayMs,
  })
  await service.start()
  await publish(
    deps.bus,
    namespaceCreated,
    { namespaceId },
    { key: namespaceId, correlationId: 'c', ids: deps.ids, clock: deps.clock },
  )
  await publish(
    deps.bus,
    namespaceCreated,
    { namespaceId: 'gone' },
    { key: 'gone', correlationId: 'c', ids: deps.ids, clock: deps.clock },
  )
  await expect.poll(() => ensured).toHaveLength(1)
  await service.stop()
  expect(ensured).toEqual(['vector-4'])
})

it('runs each task by the clock, goes on after one that failed, and stops at once', async () => {
  const { deps, manual, store } = await setUp()
  const looks = { open: 0, reopen: 0, audit: 0, prune: 0 }
  const counting = {
    ...store,
    namespaces: {
      ...store.namespaces,
      open: async (page: { readonly limit: number }) => {
        looks.open += 1
        if (looks.open === 1) throw new AppError('unavailable', 'away')
        return store.namespaces.open(page)
      },
      page: async (page: { readonly limit: number }) => {
        looks.audit += 1
        return store.namespaces.page(page)
      },
    },
    uploads: {
      ...store.uploads,
      reopen: async () => {
        looks.reopen += 1
        return { reopened: [], next: null }
      },
      prune: async () => {
        looks.prune += 1
        return 0
      },
    },
  }
  const service = createNamespaceService({
    ...deps,
    store: counting,
    clock: manual.clock,
    sweepEveryMs: 5_000,
    auditEveryMs: 3_600_000,
  })
  await service.start()
  lines.length = 0
  for (let second = 0; second < 3_600; second += 5) {
    manual.pass(5_000)
    await letRun(2)
  }
  expect(looks.open).toBeGreaterThan(700)
  // A pass begins at the first poll after the interval since the end of the previous pass.
  expect(looks.reopen).toBeGreaterThanOrEqual(50)
  expect(looks).toMatchObject({ prune: 6, audit: 1 })
  expect(lines.filter((line) => line.includes('"task":"sweep"'))).toHaveLength(1)
  await service.stop()
})

it('repeats no periodic work of another process', async () => {
  const { deps, manual, data, clock } = await setUp()
  const passes = { reopen: 0, audit: 0, prune: 0 }
  const services = await Promise.all(
    times(3, async () => {
      const store = stepwiseStore({ data, now: clock.monotonic })
      const service = createNamespaceService({
        ...deps,
        store: {
          ...store,
          accounts: {
            ...store.accounts,
            page: (page) => {
              passes.audit += 1
              return store.accounts.page(page)
            },
          },
          uploads: {
            ...store.uploads,
            reopen: async () => {
              passes.reopen += 1
              return { reopened: [], next: null }
            },
            prune: async () => {
              passes.prune += 1
              return 0
            },
          },
        },
        clock: manual.clock,
        sweepEveryMs: 5_000,
        auditEveryMs: 600_000,
      })
      await service.start()
      return service
    }),
  )
  for (let second = 0; second < 3_600; second += 5) {
    manual.pass(5_000)
    await letRun(2)
  }
  await Promise.all(services.map((service) => service.stop()))
  expect(passes.reopen).toBeGreaterThanOrEqual(50)
  expect(passes.reopen).toBeLessThanOrEqual(60)
  expect(passes).toMatchObject({ audit: 6, prune: 6 })
})

it('stops its tasks while it still leaves the bus, which may take long', async () => {
  const { deps, manual, store } = await setUp()
  const left = Promise.withResolvers<void>()
  const bus = { ...deps.bus, subscribe: () => ({ close: () => left.promise }) }
  let looks = 0
  const counting = {
    ...store,
    namespaces: {
      ...store.namespaces,
      open: async (page: { readonly limit: number }) => {
        looks += 1
        return store.namespaces.open(page)
      },
    },
  }
  const service = createNamespaceService({
    ...deps,
    bus,
    store: counting,
    clock: manual.clock,
    sweepEveryMs: 5_000,
    auditEveryMs: 3_600_000,
  })
  await service.start()
  const stopping = service.stop()
  await letRun(2)
  manual.pass(60_000)
  await letRun(2)
  expect(looks).toBe(0)
  left.resolve()
  await stopping
})

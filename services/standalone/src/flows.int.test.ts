import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import type { Envelope } from '@cairn/contracts/events'
import type { Account } from '@cairn/domain/accounts/record'
import { randomIds } from '@cairn/domain/ids'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { callsUnderWay } from '@cairn/testing/calls-under-way'
import { deliverTwice } from '@cairn/testing/deliver-twice'
import { forFile } from '@cairn/testing/for-file'
import { checkInvariants } from '@cairn/testing/invariants'
import { createLedger } from '@cairn/testing/ledger'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { type Recorded, recordedClient } from '@cairn/testing/recorded-client'
import { seededRandom } from '@cairn/testing/seeded-random'
import { shuffledDelivery } from '@cairn/testing/shuffled'
import { again, document, idsOf, stories } from '@cairn/testing/stories'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { type TenantFault, tenantFaults } from '@cairn/testing/tenant-faults'
import { expect, it } from 'vitest'
import { createStandalone } from './standalone.ts'

const secret = 'a secret of an installation that nobody guesses'
const slowMs = 120_000
const hourMs = 3_600_000

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Starts the services of one process on embedded adapters, over HTTP. Time is manual and advances only when all
 * services wait, so leases, sweeps and timeouts take no real time.
 */
const openSystem = async (directory: string, wrap: (bus: MessageBus) => MessageBus = (bus) => bus) => {
  const manual = createManualClock(Date.UTC(2026, 0, 1))
  const jump = { ms: 0 }
  const clock = { ...manual.clock, now: () => manual.clock.now() + jump.ms }
  const timeShift = new SharedArrayBuffer(8)
  const shift = new Float64Array(timeShift)
  const { watch, settle } = callsUnderWay()
  const store = watch(sqliteStore({ file: join(directory, 'metadata.db'), timeShift }))
  const vectors = watch(sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
  const bus = inMemoryMessageBus()
  const faults = tenantFaults({ store, vectors, bus })
  const published: { readonly topic: string; readonly message: Envelope }[] = []
  /** Embedder with the same vectors as `embedder`, which never fails or waits. */
  const patient = stubEmbedder()
  const embedder = stubEmbedder({
    onEmbed: async (texts, signal) => {
      if (texts.some((text) => text.includes('poison'))) throw new TypeError('the model choked')
      const slow = texts.filter((text) => text.includes('slow')).length
      if (slow > 0) await clock.delay(slow * slowMs, signal)
    },
  })
  const { services, gateway } = createStandalone(
    {
      ...faults.ports,
      bus: wrap({
        ...faults.ports.bus,
        publish: (topic, messages) => {
          published.push(...messages.map((message) => ({ topic, message })))
          return faults.ports.bus.publish(topic, messages)
        },
      }),
      files: memoryFiles(clock.now),
      lexicalEmbedder: embedder,
      answerer: undefined,
      embedders: embedders({ current: embedder }),
      textWorker: threadTextWorker(),
      clock,
      ids: randomIds(clock.now),
      random: () => 1,
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
      ingestionConcurrency: 8,
      deletionConcurrency: 4,
      fileConcurrency: 2,
      reading: { memoryMegabytes: 256, minutes: 60, ocrLanguages: ['eng'] },
      scratchDir: join(directory, 'scratch'),
      jobRetentionMs: 30 * 24 * hourMs,
      auditEveryMs: 365 * 24 * hourMs,
      orphanMs: 7 * 86_400_000,
      failedFileMs: 30 * 86_400_000,
    },
  )
  for (const service of services) await service.start()

  const ledger = createLedger()
  const everSeen: { readonly id: string; readonly accountId: string; readonly space: EmbeddingSpace }[] = []
  const clients: { close(): void }[] = []
  let requests = 0

  const pass = async (ms: number) => {
    shift[0] = (shift[0] ?? 0) + ms
    manual.pass(ms)
    await settle()
  }
  /** Advances time by a second whenever nothing runs, until the work is done. */
  const drive = async <T>(work: Promise<T>, withinSeconds = 3_000): Promise<T> => {
    let over = false
    const note = () => {
      over = true
    }
    work.then(note, note)
    for (let second = 0; ; second += 1) {
      await settle()
      // Requests and responses in transit do not count as calls.
      for (let index = 0; index < 40 && requests > 0 && !over; index += 1) await turn()
      await settle()
      if (over) return work
      if (second > withinSeconds) throw new Error(`not done within ${withinSeconds} s`)
      await pass(1_000)
    }
  }
  const until = async (is: () => Promise<boolean>) => {
    while (!(await is())) await clock.delay(1_000)
  }
  let seen: { readonly at: number; readonly busy: Promise<ReadonlySet<string>> } | undefined
  /** Returns the namespaces with work left. Cached for a second, for all waiting tests. */
  const busyNamespaces = () => {
    const at = clock.monotonic()
    const look = async () => {
      const jobs = [...(await store.uploads.unfinished(10_000)), ...(await store.deletions.unfinished(10_000))]
      return new Set(jobs.map(({ namespaceId }) => namespaceId))
    }
    if (seen?.at !== at) seen = { at, busy: look() }
    return seen.busy
  }
  const isQuiet = async () =>
    (await store.uploads.unfinished(1)).length === 0 &&
    (await store.deletions.unfinished(1)).length === 0 &&
    (await store.namespaces.deleting(1)).length === 0 &&
    (await store.namespaces.open({ limit: 1 })).length === 0 &&
    (await store.accounts.reserving({ limit: 1 })).length === 0

  /** Returns every broken invariant of these accounts once all work is done. */
  const broken = async (...accountIds: readonly string[]): Promise<string[]> => {
    await drive(until(isQuiet))
    const own = new Set(accountIds)
    const onFirst = async <T>(after: string | undefined, read: (accountId: string) => Promise<T[]>) =>
      after ? [] : (await Promise.all(accountIds.map(read))).flat()
    const violations = await checkInvariants({
      store: {
        ...store,
        accounts: {
          ...store.accounts,
          page: ({ after }) => onFirst(after, async (id) => [(await store.accounts.get(id)) as Account]),
        },
        namespaces: { ...store.namespaces, page: ({ after }) => onFirst(after, store.namespaces.ofAccount) },
      },
      vectors,
      ledger: { entries: ledger.entries.filter(({ accountId }) => own.has(accountId)) },
      embeddingSpaceOf,
      everSeen: everSeen.filter(({ accountId }) => own.has(accountId)),
      vectorsOf: async ({ body, indexed }) => {
        const { text, vector } = indexed?.body ?? body
        if (vector) return [vector]
        return indexed?.passages === 1 ? patient.embed([text], { kind: 'document' }) : []
      },
    })
    return violations.map(({ invariant, message }) => `${invariant}: ${message}`)
  }

  /** Creates an account with a client and the helpers of its flow. */
  const tenant = async (fault?: TenantFault) => {
    const { apiKey, keyId, secret: ofKey } = generateApiKey()
    const accountId = randomIds(clock.now).next('acc')
    const at = clock.now()
    await store.accounts.insert({
      id: accountId,
      name: 'a tenant',
      tier: 'enterprise',
      subscriptionEndsAt: null,
      createdAt: at,
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
      createdAt: at,
    })
    const writes = faults.tenant(accountId, fault)
    const client = recordedClient({ url: () => `http://127.0.0.1:${gateway.port()}`, apiKey, accountId, ledger })
    clients.push(client)
    const state = { repeats: 0 }
    const counted = async (request: () => Promise<Recorded>): Promise<Recorded> => {
      requests += 1
      try {
        return await request()
      } finally {
        requests -= 1
      }
    }
    /**
     * Retries a request whose outcome is unknown, as clients do, at most four times. `done`: statuses which mean that
     * an earlier attempt has succeeded.
     */
    const insist = async (request: () => Promise<Recorded>, done: readonly number[] = []): Promise<Recorded> => {
      for (let attempt = 1; ; attempt += 1) {
        const recorded = await counted(request)
        const { status = 0 } = recorded
        if ((status >= 200 && status < 300) || (attempt > 1 && done.includes(status))) return recorded
        if (attempt === 5 || (status > 0 && status < 500))
          throw new Error(`${recorded.entry.name}: ${status} ${JSON.stringify(recorded.body)}`)
        state.repeats += 1
        await clock.delay(1_000)
      }
    }
    const ids = new Map<string, string>()
    const idOf = (namespace: string) => ids.get(namespace) ?? ''
    return {
      accountId,
      client,
      writes,
      state,
      insist,
      create: async (namespace: string, dimension?: number) => {
        await insist(() => client.createNamespace(namespace, dimension), [409])
        const made = await store.namespaces.byName(accountId, namespace)
        if (!made) throw new Error(`${namespace} was not made`)
        ids.set(namespace, made.id)
        everSeen.push({ id: made.id, accountId, space: embeddingSpaceOf(made) })
      },
      /** Waits until the namespace has no work left. */
      settled: (namespace: string) =>
        clock.delay(1_000).then(() => until(async () => !(await busyNamespaces()).has(idOf(namespace)))),
      gone: (namespace: string) => until(async () => (await store.namespaces.get(idOf(namespace))) === undefined),
      /** Returns the account, its namespaces and its uploads, and up to 100 items of the namespace created last. */
      everything: async () => ({
        account: await store.accounts.get(accountId),
        namespaces: await store.namespaces.ofAccount(accountId),
        items: await store.items.page(idOf([...ids.keys()].at(-1) ?? ''), { limit: 100 }),
        uploads: await Promise.all(
          ledger.entries
            .filter((entry) => entry.accountId === accountId && entry.answered.uploadId !== undefined)
            .map(({ answered }) => store.uploads.get(answered.uploadId ?? '')),
        ),
      }),
      itemsOf: async (namespace: string) => store.items.page(idOf(namespace), { limit: 100 }),
      jobsOf: (uploadIds: readonly unknown[]) => Promise.all(uploadIds.map((id) => store.uploads.get(String(id)))),
    }
  }

  return {
    store,
    bus,
    clock,
    jump,
    embedder,
    published,
    pass,
    drive,
    until,
    broken,
    tenant,
    close: async () => {
      for (const { close } of clients) close()
      for (const service of services.toReversed()) {
        const stopped = service.stop()
        await drive(stopped)
      }
      await bus.close()
      await vectors.close()
      await store.close()
    },
  }
}

type System = Awaited<ReturnType<typeof openSystem>>
type Tenant = Awaited<ReturnType<System['tenant']>>

const run = async (system: System, flow: string, name: string, fault?: TenantFault): Promise<Tenant> => {
  const tenant = await system.tenant(fault)
  try {
    await stories[flow]?.(tenant, name.replaceAll(/\W+/g, '-'))
  } catch (error) {
    const how = fault ? ` with write ${fault.k} (${tenant.writes.hit}) failing ${fault.when}` : ''
    throw new Error(`${flow}${how}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  return tenant
}

const names = Object.keys(stories)
const plain = forFile((directory) => openSystem(directory))
const twice = forFile((directory) => openSystem(directory, deliverTwice))
const shuffled = forFile((directory) => openSystem(directory, (bus) => shuffledDelivery(bus, seededRandom(7))))

it.each(names)('%s keeps every promise', async (flow) => {
  const system = plain()
  const { state, accountId } = await system.drive(run(system, flow, `plain ${flow}`))
  expect(state.repeats).toBe(0)
  expect(await system.broken(accountId)).toEqual([])
})

it.each([
  ['twice', twice],
  ['in any order', shuffled],
] as const)('keeps every promise when messages are delivered %s', async (_, open) => {
  const system = open()
  const copies = [1, 2].flatMap((copy) => names.map((flow) => run(system, flow, `${flow} ${copy}`)))
  const tenants = await system.drive(Promise.all(copies))
  for (const { state } of tenants) expect(state.repeats).toBe(0)
  expect(await system.broken(...tenants.map(({ accountId }) => accountId))).toEqual([])
})

/** The flow `search` is left out: only its preparation writes, and the other flows make the same writes. */
const writing = names.filter((name) => name !== 'search')

it.each(writing)('%s keeps every promise whichever of its writes fails, or only seems to', async (flow) => {
  const system = plain()
  const dry = await system.drive(run(system, flow, `dry ${flow}`))
  const writes = dry.writes.names.length
  const faults = Array.from({ length: writes }, (_, index) => index + 1).flatMap((k): TenantFault[] => [
    { k, when: 'before' },
    { k, when: 'after' },
  ])
  // All runs of the flow are concurrent in one system, each with its own account and its own fault.
  const tenants = await system.drive(
    Promise.all(faults.map((fault) => run(system, flow, `${flow} ${fault.k} ${fault.when}`, fault))),
  )
  for (let k = writes + 1; tenants.at(-1)?.writes.hit !== undefined; k += 1) {
    tenants.push(await system.drive(run(system, flow, `${flow} ${k}`, { k, when: 'before' })))
    expect(k).toBeLessThan(writes + 20)
  }
  expect(tenants.filter(({ writes: { hit } }) => hit !== undefined).length).toBeGreaterThan(writes)
  expect(await system.broken(...tenants.map(({ accountId }) => accountId))).toEqual([])
})

it.each(names)('%s: changes nothing when all its messages come again, late and in any order', async (flow) => {
  const system = plain()
  const from = system.published.length
  const tenant = await system.drive(run(system, flow, `again ${flow}`))
  expect(await system.broken(tenant.accountId)).toEqual([])
  const before = await tenant.everything()
  const messages = seededRandom(3).shuffle([...system.published.slice(from), ...system.published.slice(from)])
  for (const { topic, message } of messages) await system.bus.publish(topic, [message])
  await system.pass(10_000)
  expect(await tenant.everything()).toEqual(before)
  expect(await system.broken(tenant.accountId)).toEqual([])
})

it('leaves nothing of a deleted namespace, nor of what came late, half an hour later', async () => {
  const system = plain()
  const { accountId } = await system.drive(run(system, 'namespace deletion and re-creation', 'half an hour later'))
  for (let minute = 0; minute < 36; minute += 1) await system.pass(60_000)
  expect(await system.broken(accountId)).toEqual([])
})

it('embeds each document once although each takes two minutes, and lets others go on meanwhile', async () => {
  const system = plain()
  const { client, insist, create, settled, jobsOf, accountId } = await system.tenant()
  const namespace = 'slow-model'
  await system.drive(create(namespace))
  const from = system.embedder.embedded.length
  const startedAt = system.clock.monotonic()
  const slow = (id: string) => again(document(id, { text: 'a slow text' }))
  const upload = await system.drive(insist(() => client.upload(namespace, [slow('a'), slow('b'), slow('c')])))
  await system.drive(run(system, 'text upload', 'beside the slow one'))
  expect(system.clock.monotonic() - startedAt).toBeLessThan(slowMs)
  await system.drive(settled(namespace))
  expect(system.clock.monotonic() - startedAt).toBeGreaterThanOrEqual(3 * slowMs)
  expect(system.embedder.embedded.slice(from).filter((text) => text.includes('slow'))).toHaveLength(3)
  expect(await jobsOf([upload.body['upload_id']])).toMatchObject([{ state: 'completed', leaseSeq: 1, attempts: 0 }])
  expect(await system.broken(accountId)).toEqual([])
})

it('fails a document that always fails within three tries, with a reason, and none of its neighbours', async () => {
  const system = plain()
  const { client, insist, create, settled, itemsOf, accountId } = await system.tenant()
  const namespace = 'poison'
  await system.drive(create(namespace))
  const from = system.embedder.embedded.length
  const poison = again(document('p', { text: 'a poison' }))
  await system.drive(insist(() => client.upload(namespace, [document('a'), poison, document('b')])))
  await system.drive(settled(namespace))
  expect((await itemsOf(namespace)).map(({ id, status, reason }) => [id, status, reason])).toEqual([
    ['a', 'completed', null],
    ['b', 'completed', null],
    ['p', 'failed', 'internal'],
  ])
  expect(system.embedder.embedded.slice(from).filter((text) => text === poison.text)).toHaveLength(3)
  expect(await system.broken(accountId)).toEqual([])
})

it.each([2 * hourMs, -2 * hourMs])('does not mind a wall clock that jumps by %i ms in mid-run', async (ms) => {
  const system = plain()
  const { client, insist, create, settled, jobsOf, accountId } = await system.tenant()
  const namespace = `clock-${ms}`
  await system.drive(create(namespace))
  const uploads: unknown[] = []
  const upload = async (text: string) => {
    const documents = ['d0', 'd1', 'd2'].map((id) => again(document(id, { text })))
    uploads.push((await insist(() => client.upload(namespace, documents))).body['upload_id'])
  }
  await system.drive(upload('a slow text of before the jump'))
  system.jump.ms = ms
  await system.drive(upload('a text of after the jump'))
  await system.drive(settled(namespace))
  system.jump.ms = 0
  await system.drive(upload('a text of after it was put right'))
  await system.drive(settled(namespace))
  expect(idsOf(await insist(() => client.walk(namespace, 2)), 'items')).toEqual(['d2'])
  for (const job of await jobsOf(uploads)) expect(job).toMatchObject({ state: 'completed', leaseSeq: 1, attempts: 0 })
  expect(await system.broken(accountId)).toEqual([])
})

import type { Deletion, StoredItem, Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { cutPassages } from '@cairn/domain/text/cut-passages'
import { checkInvariants } from '@cairn/testing/invariants'
import type { LedgerEntry } from '@cairn/testing/ledger'
import type { Clients } from './clients.ts'
import { vectorOf } from './embedder.ts'
import type { Profile } from './profile.ts'
import type { World } from './world.ts'

/** Time limit for becoming idle; exceeds every mark, lease and re-opening. */
const maxQuietMs = 900_000
const minQuietMs = 65_000
const maxStepsOfAnswers = 2_000

/** Returns the unfinished work. */
const leftToDo = (world: World, clients: Clients): string[] => {
  const { data } = world.store
  const rows = <T>(name: 'items' | 'uploads' | 'deletions') => [...((data.get(name)?.values() ?? []) as Iterable<T>)]
  const left: string[] = []
  const note = (what: string, ids: readonly string[]) => {
    if (ids.length > 0) left.push(`${what}: ${ids.join(', ')}`)
  }
  if (clients.pending() > 0) left.push(`${clients.pending()} requests under way`)
  if (world.state.unreadable > 0) left.push('unreadable messages')
  if (world.scheduler.underWay()) left.push('calls that arrive late')
  const unfinished = (job: Upload | Deletion) =>
    job.state === 'accepting' || job.state === 'queued' || job.state === 'running'
  const names = new Set(world.namespaces().map(({ id }) => id))
  note(
    'uploads',
    rows<Upload>('uploads')
      .filter((job) => unfinished(job) && names.has(job.namespaceId))
      .map((job) => `${job.id} ${job.state} ${job.lastError ?? ''}`),
  )
  note(
    'deletions',
    rows<Deletion>('deletions')
      .filter(unfinished)
      .map((job) => `${job.id} ${job.state} ${job.lastError ?? ''}`),
  )
  note(
    'items processing',
    rows<StoredItem>('items')
      .filter((item) => item.status === 'processing' && names.has(item.namespaceId))
      .map((item) => `${item.id}@${item.version}`),
  )
  note(
    'removed items whose record is still there',
    rows<StoredItem>('items')
      .filter((item) => item.status === 'removed' && names.has(item.namespaceId))
      .map((item) => `${item.id}@${item.version}`),
  )
  note(
    'namespaces being deleted',
    world
      .namespaces()
      .filter(({ state }) => state === 'deleting')
      .map(({ name }) => name),
  )
  note(
    'namespaces open',
    world
      .namespaces()
      .filter(({ openCount }) => openCount !== 0)
      .map(({ name, open }) => `${name} ${Object.keys(open).join(' ')}`),
  )
  return left
}

export type Scene = {
  readonly world: World
  readonly clients: Clients
  readonly profile: Profile
  readonly accountIds: readonly string[]
  /** Every namespace that ever existed. */
  readonly everSeen: ReadonlyMap<string, EmbeddingSpace>
  /** Performs one step and checks what must hold after it. */
  readonly step: () => Promise<void>
  /** Whether a violation has already been found. */
  readonly failed: () => boolean
}

const runFor = async ({ world, step, failed }: Scene, ms: number): Promise<void> => {
  const end = world.scheduler.now() + ms
  while (world.scheduler.now() < end && !failed()) await step()
}

const check = async ({ world, clients, profile, everSeen }: Scene) => {
  const found = await checkInvariants({
    store: world.bare,
    vectors: world.vectors.bare,
    ledger: clients.ledger,
    embeddingSpaceOf,
    // Late writes may have exceeded a limit.
    ...(world.state.sawLate ? {} : { limitsOf: () => profile.limits }),
    everSeen: [...everSeen].map(([id, space]) => ({ id, space })),
    vectorsOf: async ({ body, indexed }) => {
      const { text, vector } = indexed?.body ?? body
      if (vector) return [vector]
      const tokens = Uint32Array.from(text.matchAll(/\S+/g), ({ index }) => index)
      return cutPassages(text, tokens, { maxTokens: 6, overlapTokens: 0 }).map(({ start, end }) =>
        vectorOf(text.slice(start, end)),
      )
    },
  })
  return found.map(({ invariant, message }) => `${invariant}: ${message}`)
}

/**
 * Checks through the API once the system is idle: every free name can be created again, namespaces are readable, and
 * searches succeed.
 */
const askAgain = async ({ world, clients, profile, accountIds, step }: Scene): Promise<string[]> => {
  const faults: string[] = []
  const settle = async () => {
    for (let steps = 0; clients.pending() > 0 && steps < maxStepsOfAnswers; steps += 1) await step()
  }
  const mustSucceed = (from: number) => {
    for (const entry of clients.ledger.entries.slice(from) as readonly LedgerEntry[]) {
      if (entry.outcome !== 'acknowledged')
        faults.push(`I5: ${entry.name} ${JSON.stringify(entry.request)} is ${entry.outcome} although all is quiet`)
    }
  }
  for (const accountId of accountIds) {
    const from = clients.ledger.entries.length
    for (const { name, type } of profile.namespaces) {
      const exists = world
        .namespaces()
        .some((namespace) => namespace.accountId === accountId && namespace.name === name)
      // A late write may occupy a slot.
      if (exists || (world.state.sawLate && profile.limits.namespaces !== null)) continue
      clients.makeNamespace(accountId, name, type)
      await settle()
    }
    const present = profile.namespaces.filter(({ name }) =>
      world.namespaces().some((namespace) => namespace.accountId === accountId && namespace.name === name),
    )
    for (const { name, type } of present) {
      clients.get(accountId, name, profile.ids)
      if (type === 'text') clients.walk(accountId, name)
      clients.find(accountId, [name], type === 'text' ? 'anything' : [...vectorOf('anything')])
    }
    await settle()
    mustSucceed(from)
  }
  return faults
}

/**
 * Checks that all work ends within limited time once there are no more faults. The invariants must hold then, old
 * messages must change nothing, and nothing deleted may be left after the last re-check.
 */
export const settleAndCheck = async (scene: Scene): Promise<string[]> => {
  const { world, clients, profile } = scene
  const { scheduler } = world
  const from = scheduler.now()
  let skewMs = profile.wallSkewMs
  scheduler.note('--- all is quiet from here on')
  for (;;) {
    await runFor(scene, 5_000)
    if (scene.failed()) return []
    const passed = scheduler.now() - from
    const left = leftToDo(world, clients)
    if (left.length === 0 && passed >= minQuietMs) break
    // Re-opening uses wall clocks, so their differences delay it.
    if (passed > maxQuietMs / 2 && skewMs > 0) {
      await scheduler.pass(2 * skewMs)
      skewMs = 0
    }
    if (passed > maxQuietMs + 4 * profile.wallSkewMs)
      return [`I1: still at work after ${maxQuietMs / 1_000} s of quiet: ${left.join('; ')}`]
  }
  // Continues for another audit, recount and slow sweep.
  await runFor(scene, 95_000)
  const passes = [60_000, 300_000, 1_800_000, 86_400_000]
  if (!rechecks(world) && profile.wallSkewMs === 0) passes.length = 0
  for (const ms of passes) {
    await scheduler.pass(ms)
    await runFor(scene, 12_000)
  }
  if (passes.length > 0) await runFor(scene, 70_000)
  const first = await check(scene)
  if (first.length > 0) return first
  world.bus.replay()
  await runFor(scene, 12_000)
  const asked = await askAgain(scene)
  if (asked.length > 0 || clients.failures.length > 0) return [...asked, ...clients.failures]
  return check(scene)
}

const rechecks = (world: World): boolean =>
  [...((world.store.data.get('deletions')?.values() ?? []) as Iterable<Deletion>)].some(
    ({ state }) => state === 'rechecking',
  )

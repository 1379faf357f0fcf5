import type { Random } from '@cairn/testing/seeded-random'
import type { Clients, Manner, Wish } from './clients.ts'
import type { Nemesis } from './nemesis.ts'
import type { OpKind, Profile } from './profile.ts'
import type { Incarnation, Scheduler } from './scheduler.ts'

const gapsMs = [500, 2_000, 12_000, 40_000, 62_000, 75_000]

/**
 * Creates the program of the clients: random requests, and plots. A plot is a few requests for the same id, timed
 * around a fault so that they may collide where it matters.
 */
export const createProgram = (options: {
  readonly clients: Clients
  readonly nemesis: Nemesis
  readonly scheduler: Scheduler
  readonly random: Random
  readonly profile: Profile
}) => {
  const { clients, nemesis, scheduler, random, profile } = options
  const kinds = profile.requests.flatMap(([kind, often]): OpKind[] => Array.from({ length: often }, () => kind))
  /** Clients keep running whatever happens to the services. */
  const clientLife: Incarnation = { process: 'clients', dead: false, pausedUntil: 0, strict: false }
  let planned = 0
  let left = profile.operations
  let nextAt = 0
  let ended = false

  const within = (fromMs: number, toMs: number) => fromMs + random.below(toMs - fromMs)
  const later = (ms: number, begin: () => void) => {
    left -= 1
    planned += 1
    void scheduler.sleep(clientLife, ms).then(() => {
      planned -= 1
      begin()
    })
  }
  const trap = (after: RegExp, how: 'kill' | readonly [fromMs: number, toMs: number]) =>
    nemesis.set({ after, how: how === 'kill' ? how : { pauseMs: within(...how) }, untilMs: scheduler.now() + 90_000 })
  const ask = (target: Wish, asked: readonly OpKind[], manner: Manner = {}) =>
    clients.act({ ...target, kind: random.pick(asked) }, manner)

  /** Plots a body that arrives long after its request was given up. */
  const lateBody = (target: Wish): number => {
    later(0, () => ask(target, ['upload'], { late: profile.mishaps.late > 0 }))
    if (random.chance(0.5)) later(within(5_000, 60_000), () => ask(target, ['delete', 'upload', 'dropNamespace']))
    return within(5_000, 70_000)
  }
  /** Plots; each returns the pause, in milliseconds, before the next random request or plot. */
  const plots: readonly ((target: Wish) => number)[] = [
    // A worker pauses on a document until another worker has taken over its job.
    (target) => {
      trap(
        random.pick([/^(embed|vectors: upsert|mark indexed)/, /^(vectors: upsert|mark indexed: read)/]),
        [40_000, 80_000],
      )
      later(0, () => ask(target, ['upload'], { debatable: true }))
      if (random.chance(0.3)) later(within(20_000, 60_000), () => ask(target, kinds))
      return within(1_000, 60_000)
    },
    // A deletion dies halfway and the id is written again; the process that resumes the deletion dies, too, or is slow
    // while counts are reconciled.
    (target) => {
      later(0, () => ask(target, ['upload'], { poisoned: 0 }))
      const at = within(2_000, 7_000)
      later(at, () => {
        trap(/^delete: (enter namespace|record|remove items)/, 'kill')
        if (random.chance(0.7)) trap(/^take over deletion: (take|read namespace|enter)/, 'kill')
        if (random.chance(0.7)) trap(/^take over deletion: (enter namespace|remove)/, [1_000, 12_000])
        ask(target, ['delete'])
      })
      if (random.chance(0.6)) later(at + within(500, 29_000), () => ask(target, ['upload'], { poisoned: 0.6 }))
      return within(5_000, 70_000)
    },
    // A namespace is deleted while a slow writer is still in it.
    (target) => {
      later(0, () => ask(target, ['upload', 'upload', 'delete'], { hesitates: [3, 9] }))
      later(within(0, 1_500), () => ask(target, ['dropNamespace']))
      later(within(2_000, 25_000), () => ask(target, ['makeNamespace']))
      return within(1_000, 30_000)
    },
    // A request dies, and others arrive when its marks are overdue and counts are reconciled.
    (target) => {
      trap(/^(accept|delete): (enter|record|insert|overwrite|remove items|queue|leave namespace)/, 'kill')
      later(0, () => ask(target, ['upload', 'upload', 'delete']))
      later(50_000, () => trap(/^recount (namespace: (read|count)|account: read)/, [1_000, 9_000]))
      for (let others = 1 + random.below(4); others > 0; others -= 1)
        later(within(59_000, 70_000), () =>
          ask({ ...target, ids: profile.ids }, ['upload', 'delete'], random.chance(0.3) ? { hesitates: [3, 9] } : {}),
        )
      return within(30_000, 75_000)
    },
    // An id changes while a request that has just read it continues.
    (target) => {
      later(0, () => ask(target, ['upload'], { poisoned: 0 }))
      const at = within(1_500, 8_000)
      const [kind, ...steps] = random.pick([
        ['delete', 3, 6],
        ['search', 2, 3],
        ['upload', 6, 6],
      ] as const)
      later(at, () => ask(target, [kind], { hesitates: steps }))
      later(at + within(0, 1_500), () => ask(target, ['upload'], { poisoned: 0.4 }))
      if (random.chance(0.6)) later(at + within(500, 6_000), () => ask(target, ['search']))
      return within(1_000, 20_000)
    },
    // A document is uploaded again before its deletion is recorded as done.
    (target) => {
      later(0, () => ask(target, ['upload'], { poisoned: 0 }))
      const at = within(2_000, 7_000)
      later(at, () => ask(target, ['delete'], { hesitates: [12, 12] }))
      later(at + within(100, 1_500), () => ask(target, ['upload'], { poisoned: 0 }))
      return within(5_000, 30_000)
    },
    lateBody,
  ]

  /** Schedules the next request; sleeps until then, so that simulated time does not pass it. */
  const wait = (ms: number) => {
    nextAt = scheduler.now() + ms
    if (ms > 0) void scheduler.sleep(clientLife, ms)
  }

  return {
    /** Whether more requests will be sent. */
    more: (): boolean => left > 0 || planned > 0 || !ended,
    /** Starts the requests that are due. */
    begin: (): void => {
      if (left <= 0) {
        const target = clients.target()
        // No further requests follow, because they would hide work that no service resumes.
        if (!ended && profile.mishaps.late > 0 && clients.isThere(target)) lateBody(target)
        ended = true
        return
      }
      const pending = clients.pending()
      if (clients.rival(random.pick(kinds))) {
        left -= 1
        return
      }
      if (scheduler.now() < nextAt || pending >= profile.parallel || (pending > 0 && !random.chance(0.3))) return
      if (random.chance(profile.plots)) {
        const target = clients.target()
        if (!clients.isThere(target)) later(0, () => ask(target, ['makeNamespace']))
        const plot = random.below(plots.length)
        scheduler.note(`plot ${plot} for ${target.namespace}/${target.ids}`)
        wait(clients.isThere(target) ? (plots[plot]?.(target) ?? 0) : 4_000)
        return
      }
      left -= 1
      clients.perform(random.pick(kinds))
      if (random.chance(0.7)) wait(random.below(2 * profile.paceMs + 1))
      if (random.chance(profile.lulls)) wait(random.pick(gapsMs))
    },
  }
}

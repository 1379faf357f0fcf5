import { embedders } from '@cairn/adapters/embedder/registry'
import { createDeletionService } from '@cairn/deletion/service'
import type { Ids } from '@cairn/domain/ids'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { createIngestionService } from '@cairn/ingestion/service'
import { createNamespaceService } from '@cairn/namespace/service'
import type { Service } from '@cairn/runtime/process/lifecycle'
import type { Logger } from '@cairn/runtime/process/logger'
import { memoryFiles } from '@cairn/testing/memory-files'
import type { Random } from '@cairn/testing/seeded-random'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { createBus, noBusMishaps } from './bus.ts'
import { simulatedEmbedder } from './embedder.ts'
import { noMishaps, outage } from './faults.ts'
import type { PlantedFault, ServiceName } from './planted-faults.ts'
import type { Profile } from './profile.ts'
import { type Actor, createScheduler, type Incarnation } from './scheduler.ts'
import { createSimulatedStore } from './store.ts'
import { createVectors } from './vectors.ts'

const wallStart = Date.UTC(2026, 0, 1)
const auditEveryMs = 30_000
/** Multiplier for the probability of hesitating, by service: actors with few but important steps pause more often. */
const eagerness: { readonly [S in ServiceName]: number } = { gateway: 1, ingestion: 1, deletion: 2, namespace: 6 }
/** Less than a request's timeout. */
const hesitationsMs = [500, 4_000, 15_000]
const jobRetentionMs = 30 * 24 * 3_600_000
/** All events of a run are kept, so that they can be checked. */
const eventRetentionMs = jobRetentionMs

export type WorldOptions = {
  readonly random: Random
  readonly profile: Profile
  readonly fault?: PlantedFault | undefined
  readonly trace?: ((line: string) => void) | undefined
}

type RequestManner = {
  readonly steps: number
  readonly hesitates?: readonly [from: number, to: number]
  readonly late?: boolean
}

/** A process with its service and its current incarnation. */
type Process = {
  readonly name: string
  readonly service: ServiceName
  readonly wallOffsetMs: number
  life: Incarnation
  running: Service | undefined
}

/** Creates the product's services as several processes over simulated engines. */
export const createWorld = ({ random, profile, fault, trace }: WorldOptions) => {
  const scheduler = createScheduler({ random, sticky: profile.sticky, stepMs: profile.stepMs, trace })
  const mishaps = { ...noMishaps }
  const busMishaps = { ...noBusMishaps }
  const state = { repeats: 0, dirty: false, sawLate: false, chaos: false, unreadable: 0 }
  const weight = () => 10 ** (-1.5 * random.next())
  const always: Incarnation = { process: 'world', dead: false, pausedUntil: 0, strict: false }
  const actorOf = (name: string, of: Incarnation, hesitation = profile.hesitation): Actor => ({
    name,
    weight: weight(),
    hesitatesMs: () => (state.chaos && random.chance(hesitation) ? random.pick(hesitationsMs) : 0),
    of,
  })
  /**
   * Creates the actor of a request. Requests are many and short, so a request hesitates at most once, at any of its
   * first `steps` steps.
   */
  const requestOf = (name: string, of: Incarnation, { steps, hesitates, late = false }: RequestManner): Actor => {
    let lates = state.chaos && late ? 1 : 0
    const [from, to] = hesitates ?? [0, steps - 1]
    let left =
      state.chaos && (hesitates || random.chance(profile.hesitation * 10)) ? from + random.below(to - from + 1) : -1
    return {
      name,
      weight: weight(),
      hesitatesMs: () => {
        left -= 1
        return left === -1 ? random.pick(hesitationsMs) : 0
      },
      bodyIsLate: () => {
        lates -= 1
        return lates === 0
      },
      of,
    }
  }
  const engines = {
    scheduler,
    random,
    mishaps,
    onLate: () => {
      state.sawLate = true
    },
  }
  const onWrite = () => {
    state.dirty = true
  }
  const simulatedStore = createSimulatedStore({
    ...engines,
    elementTurns: profile.elementTurns,
    repeats: () => state.repeats,
    intercept: fault?.intercept,
    onWrite,
  })
  const vectors = createVectors({ ...engines, pointTurns: profile.elementTurns, onWrite })
  const bus = createBus({ scheduler, random, mishaps: busMishaps, world: actorOf('bus', always) })

  const counters = new Map<string, number>()
  const ids: Ids = {
    next: (prefix) => {
      const count = (counters.get(prefix) ?? 0) + 1
      counters.set(prefix, count)
      return `${prefix}_${count}`
    },
  }
  const logger = (name: string): Logger => {
    const line = (fields: object | string, message = '') =>
      trace &&
      scheduler.note(`    ${name} says: ${typeof fields === 'string' ? fields : `${message} ${errorOf(fields)}`}`)
    const log: Logger = { debug: () => undefined, info: () => undefined, warn: line, error: line, child: () => log }
    return log
  }
  const clockOf = (of: Incarnation, wallOffsetMs: number): Clock => ({
    now: () => wallStart + wallOffsetMs + scheduler.now(),
    monotonic: () => scheduler.now(),
    delay: (ms, signal) => scheduler.sleep(of, ms, signal),
  })
  /**
   * Disables the audit's full count unless a late write has arrived, because the full count would hide faults of the
   * protocol, which must keep counts correct by itself.
   */
  const honest = (store: Store): Store => ({
    ...store,
    countSlice: async (id) => (state.sawLate ? store.countSlice(id) : { outcome: 'gone' }),
    sumAccount: async (id) => (state.sawLate ? store.sumAccount(id) : { outcome: 'gone' }),
  })
  // No files are simulated, so deletions find none.
  const files = memoryFiles(() => 0)
  /** Returns the engines as seen by one actor of a process. */
  const portsOf = (process: Process, life: Incarnation, actor: Actor) => {
    const { service } = process
    const store = simulatedStore.connect(actor)
    const index = vectors.connect(actor)
    const embed = async (label: string) => {
      await scheduler.turn(actor, label)
      if (random.chance(mishaps.fail)) throw outage('the model does not answer')
    }
    return {
      store: fault?.metadata?.(honest(store), service) ?? honest(store),
      vectors: fault?.vectors?.(index, service) ?? index,
      bus: bus.connect(actor),
      textWorker: directTextWorker,
      embedders: embedders({
        current: simulatedEmbedder(embed, { strict: life.strict, fails: () => random.chance(0.5) }),
      }),
      clock: clockOf(life, process.wallOffsetMs),
      ids,
      random: random.next,
      log: logger(actor.name),
      countUnreadable: () => {
        state.unreadable += 1
      },
    }
  }

  const serviceOf = (process: Process): Service | undefined => {
    const ports = portsOf(
      process,
      process.life,
      actorOf(process.name, process.life, profile.hesitation * eagerness[process.service]),
    )
    if (process.service === 'ingestion') return createIngestionService({ ...ports, concurrency: 2 })
    if (process.service === 'deletion') return createDeletionService({ ...ports, files, concurrency: 2 })
    if (process.service === 'namespace')
      return createNamespaceService({
        ...ports,
        sweepEveryMs: profile.sweepEveryMs,
        auditEveryMs,
        jobRetentionMs,
        eventRetentionMs,
      })
    return undefined
  }
  let lives = 0
  const start = (process: Process) => {
    lives += 1
    process.life = { process: process.name, dead: false, pausedUntil: 0, strict: lives % 2 === 0 }
    scheduler.note(`*** ${process.name} STARTS`)
    process.running = serviceOf(process)
    void process.running?.start()
  }
  const processes: Process[] = [
    ...Array.from({ length: profile.gateways }, (_, index) => ['gateway', index + 1] as const),
    ...Array.from({ length: profile.workers }, (_, index) => ['ingestion', index + 1] as const),
    ...Array.from({ length: profile.workers }, (_, index) => ['deletion', index + 1] as const),
    ['namespace', 1] as const,
  ].map(([service, number]) => ({
    name: `${service}-${number}`,
    service,
    wallOffsetMs: random.pick([-1, 0, 1]) * profile.wallSkewMs,
    life: { process: '', dead: true, pausedUntil: 0, strict: false },
    running: undefined,
  }))

  const end = (process: Process, downMs: number) => {
    const { life } = process
    life.dead = true
    scheduler.forget(life)
    bus.forget(life)
    void scheduler.sleep(always, downMs).then(() => {
      if (process.life === life) start(process)
    })
  }

  const crash = (process: Process, downMs: number) => {
    scheduler.note(`*** ${process.name} IS KILLED`)
    end(process, downMs)
  }
  /** Stops a process in order, as a deployment does: running work gets some time to finish, and leases are returned. */
  const stop = (process: Process, downMs: number) => {
    const { life, running } = process
    if (!running) return
    scheduler.note(`*** ${process.name} IS TOLD TO STOP`)
    void running.stop().then(() => {
      if (!life.dead) end(process, downMs)
    })
  }

  return {
    scheduler,
    store: simulatedStore,
    vectors,
    bus,
    ids,
    state,
    processes,
    /** Store without turns, for setup and the checker. */
    bare: stepwiseStore({ data: simulatedStore.data, now: () => 1_000_000 + scheduler.now() }) as Store,
    portsOf,
    requestOf,
    start,
    crash,
    stop,
    pause: (process: Process, ms: number) => {
      scheduler.note(`*** ${process.name} STANDS STILL for ${ms} ms`)
      process.life.pausedUntil = scheduler.now() + ms
    },
    /** Starts or stops the faults. */
    setChaos: (on: boolean) => {
      state.chaos = on
      Object.assign(mishaps, on ? profile.mishaps : noMishaps)
      Object.assign(busMishaps, on ? profile.bus : noBusMishaps)
      state.repeats = on ? profile.repeats : 0
    },
    namespaces: (): readonly Namespace[] => [...(simulatedStore.data.get('namespaces')?.values() ?? [])] as Namespace[],
  }
}

export type World = ReturnType<typeof createWorld>

const errorOf = (fields: object): string => {
  const { err, ...rest } = fields as { readonly err?: unknown }
  return [
    err instanceof Error ? `${err.name}: ${err.message}` : '',
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  ].join(' ')
}

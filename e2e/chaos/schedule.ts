import type { ClusterEngine } from '@cairn/testing/native-engines'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'

/** A fault of a link between the services and an engine. */
export type LinkTrouble =
  | { readonly kind: 'cut' }
  | { readonly kind: 'slow'; readonly latencyMs: number; readonly jitterMs: number }
  | { readonly kind: 'narrow'; readonly kilobytesPerSecond: number }
  /** Every connection is reset. */
  | { readonly kind: 'reset' }
  /** Half-open connections: no data gets through, and nothing is closed. */
  | { readonly kind: 'hole' }
  /** Responses are cut after `bytes`. */
  | { readonly kind: 'broken off'; readonly bytes: number }

export type Fault =
  | { readonly kind: 'kill'; readonly process: string; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly process: string; readonly forMs: number }
  | { readonly kind: 'orderly restart'; readonly process: string; readonly downMs: number }
  | { readonly kind: 'kill all'; readonly downMs: number; readonly order: readonly string[]; readonly gapMs: number }
  | { readonly kind: 'rebalance'; readonly forMs: number }
  | { readonly kind: 'link'; readonly engine: ClusterEngine; readonly trouble: LinkTrouble; readonly forMs: number }
  | { readonly kind: 'kill engine'; readonly engine: Exclude<ClusterEngine, 'mongodb'>; readonly downMs: number }
  | { readonly kind: 'pause engine'; readonly engine: ClusterEngine; readonly forMs: number }
  | { readonly kind: 'restart engine'; readonly engine: ClusterEngine; readonly downMs: number }
  /** Removes a share of all points, from 0 to 1, without the services' knowledge. */
  | { readonly kind: 'lose points'; readonly engine: 'qdrant'; readonly share: number; readonly seed: number }
  | { readonly kind: 'repeat messages'; readonly count: number; readonly seed: number }
  | { readonly kind: 'rewind'; readonly service: 'namespace' | 'ingestion' | 'deletion' }
  | { readonly kind: 'forge messages'; readonly count: number; readonly seed: number }
  | { readonly kind: 'rubbish'; readonly count: number; readonly seed: number }

export type FaultKind = Fault['kind']

/**
 * A fault with its start (`at`) and its end (`until`, when it has been undone), in milliseconds from the start of the
 * load.
 */
export type Scheduled = { readonly at: number; readonly until: number; readonly fault: Fault }

export type ScheduleOptions = {
  readonly seed: number
  readonly ms: number
  /** Names of all service processes. */
  readonly processes: readonly string[]
}

/**
 * Number of faults of each kind per round. A round is completed before the next begins, so that a run of some minutes
 * has every kind.
 */
const weights: Readonly<Record<FaultKind, number>> = {
  kill: 4,
  freeze: 2,
  'orderly restart': 2,
  'kill all': 1,
  rebalance: 1,
  link: 7,
  'kill engine': 2,
  'pause engine': 1,
  'restart engine': 1,
  'lose points': 1,
  'repeat messages': 2,
  rewind: 1,
  'forge messages': 1,
  rubbish: 1,
}

const firstAtMs = 2_000
/** Minimum and maximum pause between two faults. */
const gapMs = [1_500, 4_500] as const
/** No fault starts in the last part of the schedule, which has this length. */
const minFaultMs = 3_000
/** Time for a process or an engine to serve again before its next fault. */
const recoveryMs = 3_000

const between = (random: Random, from: number, to: number): number => from + random.below(to - from + 1)

const troubleOf = (random: Random): LinkTrouble => {
  const kind = random.pick(['cut', 'cut', 'slow', 'slow', 'narrow', 'reset', 'hole', 'broken off'] as const)
  if (kind === 'slow') {
    const latencyMs = between(random, 200, 2_000)
    return { kind, latencyMs, jitterMs: Math.round(latencyMs / 4) }
  }
  if (kind === 'narrow') return { kind, kilobytesPerSecond: between(random, 10, 100) }
  if (kind === 'broken off') return { kind, bytes: between(random, 1, 4_096) }
  return { kind }
}

/**
 * Returns the names that a fault occupies while it lasts: processes, engines, `messages` or `rebalance`. No two faults
 * act on the same process or engine at once.
 */
const holdsOf = (fault: Fault, processes: readonly string[]): readonly string[] => {
  if ('process' in fault) return [fault.process]
  if ('engine' in fault) return [fault.engine]
  if (fault.kind === 'kill all') return processes
  if (fault.kind === 'rewind') return ['messages', ...processes.filter((name) => name.startsWith(fault.service))]
  return [fault.kind === 'rebalance' ? 'rebalance' : 'messages']
}

/** Draws a fault of this kind. `lasts`: duration until it has been undone, without recovery. */
const draw = (
  kind: FaultKind,
  random: Random,
  processes: readonly string[],
  left: number,
): { readonly fault: Fault; readonly lasts: number } => {
  const within = (from: number, to: number) => Math.min(between(random, from, to), left)
  const seed = random.below(2 ** 31)
  switch (kind) {
    case 'kill': {
      const downMs = within(1_000, 5_000)
      return { fault: { kind, process: random.pick(processes), downMs }, lasts: downMs }
    }
    case 'freeze': {
      // Longer than a lease in about a quarter of the cases.
      const forMs = within(3_000, 40_000)
      return { fault: { kind, process: random.pick(processes), forMs }, lasts: forMs }
    }
    case 'orderly restart': {
      const downMs = within(0, 2_000)
      return { fault: { kind, process: random.pick(processes), downMs }, lasts: downMs }
    }
    case 'kill all': {
      const fault = { kind, downMs: within(1_000, 3_000), order: random.shuffle(processes), gapMs: within(0, 500) }
      return { fault, lasts: Math.min(left, fault.downMs + fault.gapMs * processes.length) }
    }
    case 'rebalance': {
      const forMs = within(6_000, 15_000)
      return { fault: { kind, forMs }, lasts: forMs }
    }
    case 'link': {
      const trouble = troubleOf(random)
      const forMs =
        trouble.kind === 'reset' || trouble.kind === 'broken off' ? within(1_000, 6_000) : within(3_000, 15_000)
      return {
        fault: {
          kind,
          engine: random.pick(['kafka', 'mongodb', 'mongodb', 'qdrant', 'minio'] as const),
          trouble,
          forMs,
        },
        lasts: forMs,
      }
    }
    case 'kill engine': {
      const downMs = within(500, 4_000)
      return {
        fault: { kind, engine: random.pick(['kafka', 'kafka', 'qdrant', 'minio'] as const), downMs },
        lasts: downMs,
      }
    }
    case 'pause engine': {
      const forMs = within(3_000, 12_000)
      return {
        fault: { kind, engine: random.pick(['kafka', 'mongodb', 'mongodb', 'qdrant', 'minio'] as const), forMs },
        lasts: forMs,
      }
    }
    case 'restart engine': {
      const downMs = within(500, 4_000)
      return {
        fault: { kind, engine: random.pick(['kafka', 'mongodb', 'mongodb', 'qdrant', 'minio'] as const), downMs },
        lasts: downMs,
      }
    }
    case 'lose points':
      return { fault: { kind, engine: 'qdrant', share: between(random, 1, 20) / 100, seed }, lasts: 0 }
    case 'rewind':
      return {
        fault: { kind, service: random.pick(['namespace', 'ingestion', 'deletion'] as const) },
        lasts: Math.min(left, 4_000),
      }
    case 'repeat messages':
      return { fault: { kind, count: between(random, 20, 200), seed }, lasts: 0 }
    case 'forge messages':
      return { fault: { kind, count: between(random, 10, 40), seed }, lasts: 0 }
    case 'rubbish':
      return { fault: { kind, count: between(random, 3, 12), seed }, lasts: 0 }
  }
}

/** Returns the faults and their times, deterministic for a seed. */
export const scheduleOf = ({ seed, ms, processes }: ScheduleOptions): Scheduled[] => {
  const random = seededRandom(seed)
  const kinds = Object.entries(weights).flatMap(([kind, weight]) =>
    Array.from({ length: weight }, () => kind as FaultKind),
  )
  const freeAt = new Map<string, number>()
  const scheduled: Scheduled[] = []
  let round: FaultKind[] = []
  for (let at = firstAtMs; at + minFaultMs <= ms; at += between(random, ...gapMs)) {
    if (round.length === 0) round = random.shuffle(kinds)
    // A fault whose target is busy waits for its turn; the next one in the round goes first.
    for (let index = 0; index < round.length; index += 1) {
      const { fault, lasts } = draw(round[index] as FaultKind, random, processes, ms - at)
      const holds = holdsOf(fault, processes)
      if (holds.some((what) => (freeAt.get(what) ?? 0) > at)) continue
      for (const what of holds) freeAt.set(what, at + lasts + recoveryMs)
      scheduled.push({ at, until: at + lasts, fault })
      round.splice(index, 1)
      break
    }
  }
  return scheduled
}

/** Formats a fault, for example `kill ingestion-1, down 2310 ms`. */
export const describeFault = (fault: Fault): string => {
  const { kind } = fault
  switch (kind) {
    case 'kill':
    case 'orderly restart':
      return `${kind} ${fault.process}, down ${fault.downMs} ms`
    case 'freeze':
      return `${kind} ${fault.process} for ${fault.forMs} ms`
    case 'kill all':
      return `${kind}, down ${fault.downMs} ms, then ${fault.order.join(', ')} ${fault.gapMs} ms apart`
    case 'rebalance':
      return `one more ingestion for ${fault.forMs} ms`
    case 'link': {
      const { kind: what, ...figures } = fault.trouble
      const more = Object.entries(figures).map(([name, value]) => ` ${name} ${value}`)
      return `link to ${fault.engine} ${what}${more.join('')} for ${fault.forMs} ms`
    }
    case 'kill engine':
    case 'restart engine':
      return `${kind} ${fault.engine}, down ${fault.downMs} ms`
    case 'pause engine':
      return `${kind} ${fault.engine} for ${fault.forMs} ms`
    case 'lose points':
      return `${kind}: ${Math.round(fault.share * 100)} %`
    case 'rewind':
      return `${kind} the group of ${fault.service}`
    default:
      return `${kind}: ${fault.count}`
  }
}

/** Returns the label under which a fault is counted: `link mongodb slow`, `kill engine kafka`, `kill`. */
export const labelOf = (fault: Fault): string => {
  if (fault.kind === 'link') return `link ${fault.engine} ${fault.trouble.kind}`
  return 'engine' in fault ? `${fault.kind} ${fault.engine}` : fault.kind
}

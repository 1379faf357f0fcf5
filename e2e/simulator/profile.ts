import type { Random } from '@cairn/testing/seeded-random'
import type { BusMishaps } from './bus.ts'
import { type Mishaps, noMishaps } from './faults.ts'

export type OpKind =
  | 'upload'
  | 'vectors'
  | 'delete'
  | 'dropNamespace'
  | 'makeNamespace'
  | 'search'
  | 'filter'
  | 'get'
  | 'walk'
  | 'status'
  | 'evaluate'

/** Parameters of a run, drawn at random from the seed. */
export type Profile = {
  readonly accounts: number
  readonly ids: readonly string[]
  readonly namespaces: readonly { readonly name: string; readonly type: 'text' | 'vector' }[]
  readonly limits: {
    readonly namespaces: number | null
    readonly documents: number | null
    readonly vectors: number | null
  }
  /** Frequency of each kind of request. */
  readonly requests: readonly (readonly [OpKind, number])[]
  readonly operations: number
  /** Maximum number of concurrent requests, without `rivals` and plots. */
  readonly parallel: number
  /** Share of documents that can't be embedded, or not by every process, or not always. */
  readonly poisoned: number
  readonly clientsGone: number
  readonly sticky: number
  readonly stepMs: number
  readonly elementTurns: boolean
  /** Probability of a pause before a step. */
  readonly hesitation: number
  /** Probability that a plot begins instead of a random request. */
  readonly plots: number
  /** Probability of a concurrent request for the same ids. */
  readonly rivals: number
  readonly gateways: number
  readonly workers: number
  readonly mishaps: Mishaps
  readonly bus: BusMishaps
  readonly repeats: number
  /** Probabilities per step. */
  readonly crash: number
  readonly pause: number
  readonly wait: number
  /**
   * Probability (`chance`) that a process is struck right after a step that matches `after`. With probability `kills`
   * it is killed, otherwise paused.
   */
  readonly strike: { readonly after: RegExp; readonly chance: number; readonly kills: number }
  /** Average of the random pauses between requests, in milliseconds. */
  readonly paceMs: number
  /** Probability of a period without requests. */
  readonly lulls: number
  /** Time for which faults continue after the last response. */
  readonly lingerMs: number
  readonly sweepEveryMs: number
  /** Maximum deviation of a process's wall clock from the true time; two clocks may differ by twice as much. */
  readonly wallSkewMs: number
  /** Whether a client follows the events of each account. */
  readonly follows: boolean
}

type Kind = { readonly requests: Profile['requests']; readonly strikes: readonly RegExp[] }

const acceptSteps = /^accept: (enter|record|insert|overwrite|queue|leave)/
const indexSteps = /^(embed|vectors: upsert|mark indexed|mark failed|vectors: remove|drop stale|uploads: take lease)/
const deleteSteps = /^delete: (enter|record|remove|list|queue|leave)/
const takeOverSteps = /^(delete: (record|remove|queue)|take over deletion: )/
const nameSteps = /^(create namespace|delete namespace|release namespace): /

const kinds: readonly Kind[] = [
  {
    requests: [
      ['upload', 6],
      ['delete', 1],
      ['search', 2],
      ['filter', 1],
      ['get', 1],
    ],
    strikes: [acceptSteps, indexSteps, indexSteps],
  },
  {
    requests: [
      ['upload', 4],
      ['delete', 4],
      ['search', 2],
      ['get', 1],
      ['walk', 1],
    ],
    strikes: [deleteSteps, takeOverSteps, takeOverSteps, indexSteps],
  },
  {
    requests: [
      ['upload', 6],
      ['dropNamespace', 2],
      ['makeNamespace', 2],
      ['delete', 1],
      ['search', 1],
      ['evaluate', 1],
    ],
    strikes: [nameSteps, nameSteps, indexSteps, acceptSteps],
  },
  {
    requests: [
      ['vectors', 6],
      ['delete', 2],
      ['search', 2],
      ['get', 1],
      ['dropNamespace', 1],
      ['makeNamespace', 1],
    ],
    strikes: [acceptSteps, indexSteps, nameSteps],
  },
  {
    requests: [
      ['upload', 5],
      ['vectors', 3],
      ['delete', 3],
      ['dropNamespace', 1],
      ['makeNamespace', 2],
      ['search', 2],
      ['filter', 1],
      ['get', 1],
      ['walk', 1],
      ['status', 1],
    ],
    strikes: [acceptSteps, indexSteps, takeOverSteps, nameSteps],
  },
]

/** Draws a profile. Few ids, few names and many concurrent requests make collisions likely. */
export const profileOf = (random: Random): Profile => {
  const kind = random.pick(kinds)
  const tight = random.chance(0.4)
  const plots = random.pick([0, 0.4, 0.9])
  const calm = random.chance(0.3)
  const late = !calm && random.chance(0.45)
  const text = { name: 'n', type: 'text' } as const
  const second = random.chance(0.3) ? [{ name: 'm', type: 'text' } as const] : []
  const vector = { name: 'v', type: 'vector' } as const
  const namespaces = [
    ...(kind.requests.some(([request]) => request === 'upload') ? [text, ...second] : []),
    ...(kind.requests.some(([request]) => request === 'vectors') ? [vector] : []),
  ]
  return {
    accounts: random.chance(0.2) ? 2 : 1,
    ids: random.pick([['a'], ['a'], ['a', 'b'], ['a', 'b', 'c']]),
    namespaces,
    limits: tight
      ? { namespaces: namespaces.length, documents: random.pick([1, 2, 3]), vectors: random.pick([1, 2]) }
      : { namespaces: null, documents: null, vectors: null },
    requests: kind.requests,
    operations: random.pick([30, 80, 120, 200]),
    parallel: random.pick([2, 3, 4, 9]),
    poisoned: random.pick([0, 0.2, 0.5]),
    clientsGone: random.pick([0, 0.05]),
    sticky: random.pick([0, 0.5, 0.8, 0.9, 0.95]),
    stepMs: random.pick([1, 3, 10, 60]),
    elementTurns: random.chance(0.6),
    hesitation: random.pick([0, 0.01, 0.04]),
    plots,
    rivals: random.pick([0, 0.3, 0.6]),
    gateways: random.pick([1, 2]),
    workers: random.pick([1, 2, 2]),
    mishaps: calm
      ? noMishaps
      : {
          fail: random.pick([0, 0.005, 0.03]),
          lost: random.pick([0, 0.005, 0.02]),
          late: late ? random.pick([0.01, 0.05]) : 0,
        },
    bus: {
      fail: random.pick([0, 0.1]),
      lose: random.pick([0, 0, 0.3, 1]),
      double: random.pick([0, 0.2]),
      delay: random.pick([0, 0.2]),
    },
    repeats: random.pick([0, 0.05]),
    // Faults of other kinds would disturb a plot.
    crash: calm ? 0 : random.pick([0, 0.003, 0.01]) * (1 - plots),
    pause: calm ? 0 : random.pick([0, 0.003, 0.01]) * (1 - plots),
    wait: random.pick([0, 0.003, 0.01]),
    strike: {
      after: random.pick(kind.strikes),
      chance: calm ? 0 : random.pick([0, 0.05, 0.3]) * (1 - plots),
      kills: random.pick([0, 0.5, 1]),
    },
    paceMs: random.pick([0, 300, 2_000, 6_000]),
    lulls: random.pick([0, 0.03, 0.1]),
    lingerMs: random.pick([0, 20_000, 80_000]),
    sweepEveryMs: random.pick([1_000, 5_000]),
    wallSkewMs: random.pick([0, 0, 2 * 3_600_000]),
    follows: random.chance(0.4),
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterEngine } from '@cairn/testing/native-engines'
import type { ServiceProcess } from '../../scripts/cluster/service-process.ts'
import { losePoints } from './lost-points.ts'
import type { Messages } from './messages.ts'
import { describeFault, type Fault, labelOf, type Scheduled } from './schedule.ts'
import type { System } from './system.ts'

/** Limit for an orderly stop; the process itself gives up after 10 s. */
const stopWithinMs = 10_000
/** Slack for timers on a busy machine. */
const toleranceMs = 1_500
const messageTries = 20
const needsBroker: ReadonlySet<Fault['kind']> = new Set(['repeat messages', 'rewind', 'forge messages', 'rubbish'])

export type OrderlyStop = {
  readonly process: string
  /** Whether the process had reported its port; before that, the signal itself may end it. */
  readonly wasReady: boolean
  readonly code: number | null
  readonly ms: number
  /** Engines that had a fault at that time. */
  readonly troubled: readonly ClusterEngine[]
}

/** Start and end, by `performance.now()`. */
export type Interval = { readonly from: number; readonly to: number }

export type Applied = {
  /** Number of times each kind of fault was applied, by label. */
  readonly counts: Readonly<Record<string, number>>
  readonly stops: readonly OrderlyStop[]
  /** Number of faults not applied because their turn came too late or the broker could not be reached, by label. */
  readonly skipped: Readonly<Record<string, number>>
  /** All other faults that could not be applied or undone. */
  readonly failures: readonly string[]
  /** Time when a service process was last started or unfrozen, by `performance.now()`. */
  readonly lastRestartAt: number
  /** Times at which gateways were killed. */
  readonly gatewaysKilledAt: readonly number[]
  /** Intervals in which the record store had a fault. */
  readonly storeTroubled: readonly Interval[]
  /** Number of points removed without the services' knowledge. */
  readonly lostPoints: number
}

type Deps = { readonly system: System; readonly messages: Messages; readonly say: (line: string) => void }

/**
 * Applies faults at their times and undoes them; resolves when all are undone. Faults of the same process or engine run
 * one after the other.
 */
export const applyFaults = async (deps: Deps, schedule: readonly Scheduled[], startedAt: number): Promise<Applied> => {
  const { system, messages, say } = deps
  const { cluster, engines } = system
  const counts: Record<string, number> = {}
  const skipped: Record<string, number> = {}
  const stops: OrderlyStop[] = []
  const failures: string[] = []
  const gatewaysKilledAt: number[] = []
  const storeTroubled: Interval[] = []
  const troubled = new Map<ClusterEngine, number>()
  const turns = new Map<string, Promise<void>>()
  let lastRestartAt = startedAt
  let extra: ServiceProcess | undefined
  let lostPoints = 0

  const processOf = (name: string): ServiceProcess => {
    const found = cluster.processes.find((one) => one.name === name)
    if (found) return found
    throw new Error(`there is no process ${name}`)
  }
  const start = (one: ServiceProcess) => {
    one.start()
    lastRestartAt = performance.now()
  }
  const kill = async (one: ServiceProcess) => {
    if (one.service === 'gateway') gatewaysKilledAt.push(performance.now())
    await one.kill()
  }
  const stopInOrder = async (one: ServiceProcess) => {
    const from = performance.now()
    const before = [...troubled.keys()]
    const wasReady = one.port() !== 0
    const code = await one.stop(stopWithinMs + toleranceMs)
    stops.push({
      process: one.name,
      wasReady,
      code,
      ms: performance.now() - from,
      troubled: [...new Set([...before, ...troubled.keys()])],
    })
  }
  const withTrouble = async (engine: ClusterEngine, work: () => Promise<unknown>) => {
    const from = performance.now()
    troubled.set(engine, (troubled.get(engine) ?? 0) + 1)
    try {
      await work()
    } finally {
      const left = (troubled.get(engine) ?? 1) - 1
      if (left > 0) troubled.set(engine, left)
      else troubled.delete(engine)
      if (engine === 'mongodb') storeTroubled.push({ from, to: performance.now() })
    }
  }
  /** Retries `work` once a second, up to 20 tries, because its engine may be unreachable. */
  const insist = async (work: () => Promise<number>): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries === messageTries) throw error
        await pause(1_000)
      }
    }
  }

  const apply = async (fault: Fault): Promise<void> => {
    switch (fault.kind) {
      case 'kill': {
        const one = processOf(fault.process)
        await kill(one)
        await pause(fault.downMs)
        return start(one)
      }
      case 'freeze': {
        const one = processOf(fault.process)
        one.signal('SIGSTOP')
        await pause(fault.forMs)
        one.signal('SIGCONT')
        lastRestartAt = performance.now()
        return
      }
      case 'orderly restart': {
        const one = processOf(fault.process)
        await stopInOrder(one)
        await pause(fault.downMs)
        return start(one)
      }
      case 'kill all': {
        await Promise.all(fault.order.map((name) => kill(processOf(name))))
        await pause(fault.downMs)
        for (const name of fault.order) {
          start(processOf(name))
          await pause(fault.gapMs)
        }
        return
      }
      case 'rebalance': {
        if (extra) start(extra)
        else extra = cluster.add('ingestion', 'ingestion-extra')
        await pause(fault.forMs)
        return stopInOrder(extra)
      }
      case 'link':
        return withTrouble(fault.engine, async () => {
          const undo = await engines.trouble(fault.engine, fault.trouble)
          await pause(fault.forMs)
          await undo()
        })
      case 'kill engine':
        return withTrouble(fault.engine, async () => {
          await engines.kill(fault.engine)
          await pause(fault.downMs)
          await engines.start(fault.engine)
        })
      case 'pause engine':
        return withTrouble(fault.engine, async () => {
          engines.signal(fault.engine, 'SIGSTOP')
          await pause(fault.forMs)
          engines.signal(fault.engine, 'SIGCONT')
        })
      case 'restart engine':
        return withTrouble(fault.engine, async () => {
          await engines.stop(fault.engine)
          await pause(fault.downMs)
          await engines.start(fault.engine)
        })
      case 'lose points': {
        const { share, seed } = fault
        const loss = {
          url: engines.direct['CAIRN_QDRANT_URL'] ?? '',
          prefix: system.target.env['CAIRN_QDRANT_PREFIX'] ?? '',
          share,
          seed,
        }
        lostPoints += await insist(() => losePoints(loss))
        return
      }
      case 'rewind': {
        const members = cluster.processes.filter((one) => one.service === fault.service && one.shouldRun())
        await Promise.all(members.map(stopInOrder))
        try {
          return await messages.rewind(fault.service)
        } finally {
          for (const one of members) start(one)
        }
      }
      case 'repeat messages':
        return void (await insist(() => messages.repeat(fault.count, fault.seed)))
      case 'forge messages':
        return void (await insist(() => messages.forge(fault.count, fault.seed)))
      case 'rubbish':
        return void (await insist(() => messages.rubbish(fault.count, fault.seed)))
    }
  }

  /**
   * Returns the names of processes and engines that the fault occupies. On a slow machine a fault may take longer than
   * scheduled, so later faults with the same names wait.
   */
  const holdsOf = (fault: Fault): readonly string[] => {
    if ('process' in fault) return [fault.process]
    if ('engine' in fault) return [fault.engine]
    if (fault.kind === 'kill all') return fault.order
    if (fault.kind === 'rewind') return cluster.of(fault.service).map(({ name }) => name)
    return [fault.kind]
  }
  const count = (into: Record<string, number>, fault: Fault) => {
    into[labelOf(fault)] = (into[labelOf(fault)] ?? 0) + 1
  }
  const inTurn = async ({ until, fault }: Scheduled): Promise<void> => {
    const holds = holdsOf(fault)
    const before = holds.map((what) => turns.get(what))
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const what of holds) turns.set(what, promise)
    await Promise.all(before)
    const ms = performance.now() - startedAt
    try {
      // Skips a fault whose scheduled end has passed, so that everything is undone at the end of the schedule.
      if (ms > until + toleranceMs) return count(skipped, fault)
      say(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${describeFault(fault)}`)
      await apply(fault)
      count(counts, fault)
    } catch (error) {
      const why = `${describeFault(fault)}: ${error instanceof Error ? error.message : String(error)}`
      say(`          not applied: ${why}`)
      // Without the broker, messages can't be sent and groups can't be rewound.
      if (needsBroker.has(fault.kind)) count(skipped, fault)
      else failures.push(why)
    } finally {
      resolve()
    }
  }

  const running: Promise<void>[] = []
  for (const scheduled of schedule) {
    await pause(Math.max(0, startedAt + scheduled.at - performance.now()))
    running.push(inTurn(scheduled))
  }
  await Promise.all(running)
  return { counts, skipped, stops, failures, lastRestartAt, gatewaysKilledAt, storeTroubled, lostPoints }
}

/**
 * Returns a fault for each orderly stop that took longer than 10 s, or that ended with a code other than 0 although the
 * process had reported its port, whatever the state of the engines.
 */
export const stopFaults = (stops: readonly OrderlyStop[]): string[] =>
  stops.flatMap(({ process, wasReady, code, ms, troubled }) =>
    (code === 0 || !wasReady) && ms <= stopWithinMs + toleranceMs
      ? []
      : [
          `I11: ${process} was stopped and ended with ${code ?? 'a signal'} after ${Math.round(ms)} ms${troubled.length > 0 ? `, with trouble at ${troubled.join(', ')}` : ''}`,
        ],
  )

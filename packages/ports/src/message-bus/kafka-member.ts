import { AppError } from '@cairn/contracts/errors'
import type { Envelope } from '@cairn/contracts/events'
import type { Clock } from '../clock/port.ts'
import { createDelivery } from './delivery.ts'
import { createKafkaBuffer, type FetchedBatch, type Progress, type ShareState } from './kafka-buffer.ts'
import { type KafkaConnection, type KafkaLog, within } from './kafka-client.ts'
import {
  createSession,
  isRebalanceRefusal,
  isWorthRetrying,
  type KafkaGroupTimes,
  type Session,
  type SessionEvents,
} from './kafka-session.ts'

export type KafkaMemberOptions = {
  readonly connection: KafkaConnection
  readonly times: KafkaGroupTimes
  /** As Kafka has them. */
  readonly topic: string
  readonly groupId: string
  readonly clock: Clock
  readonly log: KafkaLog | undefined
  readonly handle: (message: Envelope) => Promise<void>
  readonly whenReady: (() => Promise<void>) | undefined
  /** Messages that are fetched and not handled, a partition. */
  readonly bufferedPerPartition: number
  readonly progress: () => Promise<Progress[]>
  readonly onRebalance: (partitions: readonly number[], durationMs: number) => void
  readonly onFatal: (error: Error) => void
}

export type KafkaMember = {
  /** Resolves when it is a member of its group. */
  join(): Promise<void>
  states(): ReadonlyMap<number, ShareState>
  /** The partitions it has, those it knows no progress of yet included. */
  partitions(): readonly number[]
  /** Lets the running handlers finish, commits, leaves the group. */
  close(): Promise<void>
}

const commitEveryMs = 500
/** A pool that has had no room for so long is full: its partitions are not fetched from until it has. */
const fullAfterMs = 100
/** A rebalance under way refuses commits for a moment. */
const lastCommitWithinMs = 3_000
const lastCommitPauseMs = 100
const rejoinPauseMs = [500, 1_000, 2_000, 5_000]
/** Joining goes on for as long as brokers are away; whoever closes meanwhile waits no longer than this. */
const joinPatienceMs = 2_000

/**
 * One member of a group: takes messages into its buffer, has them handled key by key, and commits for each partition the first
 * message that is not handled together with what is handled beyond it, so that neither a slow message nor a restart makes
 * others be delivered again.
 */
export const createKafkaMember = (options: KafkaMemberOptions): KafkaMember => {
  const { topic, groupId, clock, log, whenReady, bufferedPerPartition, progress } = options
  const warn = (fields: object, message: string) => log?.warn({ ...fields, topic, groupId }, message)
  const buffer = createKafkaBuffer(topic, bufferedPerPartition)
  const ending = new AbortController()
  const isEnding = () => ending.signal.aborted
  const paused = new Set<number>()
  let session: Session | undefined
  let loading: Promise<void> | undefined
  let loaded = false
  let loads = 0
  let askingSince: number | undefined
  let isPoolFull = false
  let working: Promise<unknown> | undefined
  let closed: Promise<void> | undefined

  const applyPauses = () => {
    if (!session) return
    const partitions = buffer.partitions()
    const isTooMuch = (partition: number) =>
      isPoolFull || isEnding() || buffer.size(partition) >= (paused.has(partition) ? bufferedPerPartition / 2 : bufferedPerPartition)
    const toPause = partitions.filter((partition) => !paused.has(partition) && isTooMuch(partition))
    // Of one that is another member's now, too: it may come back.
    const toResume = [...paused].filter((partition) => !partitions.includes(partition) || !isTooMuch(partition))
    for (const partition of toPause) paused.add(partition)
    for (const partition of toResume) paused.delete(partition)
    session.pause(toPause)
    session.resume(toResume)
  }

  const gate =
    whenReady &&
    (async () => {
      askingSince = clock.monotonic()
      try {
        await whenReady()
      } finally {
        askingSince = undefined
        isPoolFull = false
        applyPauses()
      }
    })

  const delivery = createDelivery(
    {
      ...buffer.source,
      handled: (seq) => {
        buffer.source.handled(seq)
        if (paused.size > 0) applyPauses()
      },
    },
    { clock, warn },
  )
  const forgetLost = () => delivery.forget((message) => !buffer.holds(message))

  const load = async () => {
    const mine = ++loads
    const read = await progress()
    // There are new assignments since, and someone else loads for them.
    if (mine !== loads) return
    for (const partition of read) buffer.learn(partition)
    forgetLost()
    loaded = true
  }

  const reload = () => {
    loaded = false
    const started = load()
    loading = started
    started.catch((error: unknown) => {
      warn({ err: error }, 'the progress of a group could not be read')
      if (loading === started) loading = undefined
    })
    return started
  }

  /** True when nothing is left to commit. */
  const commit = async (): Promise<boolean> => {
    const commits = buffer.commits()
    if (commits.length === 0) return true
    if (!session || !loaded) return false
    try {
      if (!(await session.commit(commits))) return false
      buffer.committed(commits)
      return true
    } catch (error) {
      if (!isRebalanceRefusal(error)) warn({ err: error }, 'what is handled could not be committed')
      return false
    }
  }

  const lose = () => {
    session = undefined
    loaded = false
    loading = undefined
    loads++
    paused.clear()
    buffer.assign([])
    forgetLost()
  }

  const take = async (batch: FetchedBatch) => {
    // Before it is known what the group has committed, a message could be one that is handled already.
    while (!loaded) await (loading ?? reload())
    let taken = buffer.take(batch)
    if (taken.ahead !== undefined) {
      // The start of the topic may have moved, because messages got too old.
      await reload()
      taken = buffer.take(batch)
    }
    applyPauses()
    delivery.wake()
    const { done, ahead } = taken
    return { ...(done === undefined ? {} : { done }), ...(ahead === undefined ? {} : { seek: ahead }) }
  }

  const createEvents = (): SessionEvents => ({
    assigned: (partitions, durationMs) => {
      buffer.assign(partitions)
      forgetLost()
      void reload().catch(() => {})
      applyPauses()
      options.onRebalance(partitions, durationMs)
    },
    rebalancing: () => void commit(),
    batch: take,
    crashed: (error) => {
      lose()
      if (isEnding()) return
      if (!isWorthRetrying(error)) return options.onFatal(error)
      warn({ err: error }, 'a consumer has crashed and starts again')
      working = rejoin()
    },
  })

  const joinOnce = async () => {
    session = createSession({ ...options, events: createEvents() })
    try {
      await session.join()
    } catch (error) {
      lose()
      throw error
    }
  }

  const rejoin = async () => {
    for (let attempt = 0; !isEnding(); attempt++) {
      await clock.delay(rejoinPauseMs[Math.min(attempt, rejoinPauseMs.length - 1)] ?? 0, ending.signal)
      if (isEnding()) return
      try {
        return await joinOnce()
      } catch (error) {
        warn({ err: error }, 'a consumer could not start again')
        if (!isWorthRetrying(error)) return options.onFatal(error as Error)
      }
    }
  }

  const tick = async () => {
    while (!isEnding()) {
      await clock.delay(commitEveryMs, ending.signal)
      if (isEnding()) return
      isPoolFull = askingSince !== undefined && clock.monotonic() - askingSince >= fullAfterMs
      applyPauses()
      await commit()
    }
  }

  const commitLast = async () => {
    const deadline = clock.monotonic() + lastCommitWithinMs
    while (session && clock.monotonic() < deadline) {
      if (await within(clock, lastCommitWithinMs, 'a commit', commit()).catch(() => false)) return
      await clock.delay(lastCommitPauseMs)
    }
    if (session) warn({}, 'what was handled last could not be committed and is delivered again')
  }

  let leaveDelivery = async () => {}
  const ticking = () => tick().catch((error: unknown) => warn({ err: error }, 'a member has stopped committing'))

  const end = async () => {
    ending.abort()
    applyPauses()
    await leaveDelivery()
    if (working) await within(clock, joinPatienceMs, 'joining the group', working).catch(() => {})
    await commitLast()
    await session?.leave()
  }

  return {
    join: async () => {
      const joining = joinOnce()
      working = joining.catch(() => {})
      await joining
      if (isEnding()) throw new AppError('unavailable', 'the message bus is closed')
      leaveDelivery = delivery.join({ handle: options.handle, whenReady: gate || undefined })
      working = undefined
      void ticking()
    },
    states: () => buffer.states(),
    partitions: buffer.partitions,
    close: () => {
      closed ??= end()
      return closed
    },
  }
}

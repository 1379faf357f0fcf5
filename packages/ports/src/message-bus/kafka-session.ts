import { type Consumer, type EachBatchPayload, PartitionAssigners } from 'kafkajs'
import type { Clock } from '../clock/port.ts'
import type { Commit, FetchedBatch } from './kafka-buffer.ts'
import { createKafka, type KafkaConnection, type KafkaLog, kafkaErrorType, kafkaRetry, within } from './kafka-client.ts'

/** How members of a group notice that one has come or gone. All in milliseconds. */
export type KafkaGroupTimes = {
  /**
   * A member that says nothing for so long is given up, and its partitions go to the others. Default: 30,000. Every rebalance
   * stops the whole group for a moment, so a pause of the process must not look like its death; what a dead member leaves is
   * found by the sweeps long before.
   */
  readonly sessionTimeoutMs?: number
  /** How often a member speaks up, and so how soon it hears of a rebalance. Default: 1,000: a member joins in about a second. */
  readonly heartbeatMs?: number
  /**
   * How long a rebalance waits for a member that does not join again; all others wait as well. Default: 10,000. Handlers don't
   * hold up joining again, so who takes longer than a few heartbeats is stuck or dead, like the former self of a member that
   * has lost its broker.
   */
  readonly rebalanceTimeoutMs?: number
}

export type SessionEvents = {
  /** The partitions that are this member's from now on, and how long the group took to agree. */
  assigned(partitions: readonly number[], durationMs: number): void
  /** They are about to be dealt out again; commits are still taken. */
  rebalancing(): void
  batch(batch: FetchedBatch): Promise<{ readonly done?: string; readonly seek?: number }>
  /** After it has joined. It does not come back. */
  crashed(error: Error): void
}

export type Session = {
  /** Resolves when it is a member of the group. A session is joined once. */
  join(): Promise<void>
  /** Rejects when the group is rebalancing or has another opinion of who is in it. Resolves to false before the first batch. */
  commit(commits: readonly Commit[]): Promise<boolean>
  pause(partitions: readonly number[]): void
  resume(partitions: readonly number[]): void
  leave(): Promise<void>
}

/** How long a fetch waits for messages; also how long it takes to notice a heartbeat that is due, a resumed partition, a stop. */
const fetchWaitMs = 250
/** With what comes before it less than a process has for its end: the others notice later, too. */
const leaveWithinMs = 3_000
const requestTimeoutMs = 10_000

/** The same as kafkajs: what failed after retries, or might not fail again. The rest (access denied …) will. */
export const isWorthRetrying = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error.name === 'KafkaJSNumberOfRetriesExceeded') return true
  return error.cause instanceof Error ? isWorthRetrying(error.cause) : 'retriable' in error && error.retriable === true
}

const rebalancing = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP']

/** Commits that are refused so are no loss: who has the partition now gets its messages again. */
export const isRebalanceRefusal = (error: unknown): boolean => rebalancing.includes(kafkaErrorType(error) ?? '')

/**
 * One life of a consumer of kafkajs, from joining to leaving or crashing. It never restarts itself: a restart of kafkajs that is
 * stopped while it joins goes on and stays in the group, with nobody who listens to it. So a new session is made instead.
 */
export const createSession = (deps: {
  readonly connection: KafkaConnection
  readonly times: KafkaGroupTimes
  readonly topic: string
  readonly groupId: string
  readonly clock: Clock
  readonly log: KafkaLog | undefined
  readonly events: SessionEvents
}): Session => {
  const { connection, times, topic, groupId, clock, log, events } = deps
  const consumer: Consumer = createKafka(connection, log, { requestTimeoutMs, retries: kafkaRetry.retries }).consumer({
    groupId,
    partitionAssigners: [PartitionAssigners.roundRobin],
    sessionTimeout: times.sessionTimeoutMs ?? 30_000,
    heartbeatInterval: times.heartbeatMs ?? 1_000,
    rebalanceTimeout: times.rebalanceTimeoutMs ?? 10_000,
    maxWaitTimeInMs: fetchWaitMs,
    // Some 500 messages: most of a larger fetch would not fit into the buffer.
    maxBytesPerPartition: 256 * 1_024,
    allowAutoTopicCreation: false,
    retry: { ...kafkaRetry, restartOnFailure: async () => false },
  })
  let joined = false
  let crash: Error | undefined
  /** From the first assignment until it stops, which is some time before a crash is told: only then it takes orders. */
  let running = false
  let commitDirectly: EachBatchPayload['commitOffsetsIfNecessary'] | undefined

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    running = true
    events.assigned(payload.memberAssignment[topic] ?? [], payload.duration)
  })
  consumer.on(consumer.events.STOP, () => {
    running = false
  })
  consumer.on(consumer.events.REBALANCING, () => events.rebalancing())
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    crash = payload.error
    if (joined) events.crashed(payload.error)
  })

  const eachBatch = async ({ batch, resolveOffset, commitOffsetsIfNecessary }: EachBatchPayload) => {
    commitDirectly = commitOffsetsIfNecessary
    const { done, seek } = await events.batch(batch as typeof batch & FetchedBatch)
    if (seek !== undefined) consumer.seek({ topic, partition: batch.partition, offset: String(seek) })
    else if (done !== undefined) resolveOffset(done)
  }

  const leave = async () => {
    try {
      await within(clock, leaveWithinMs, 'leaving the group', consumer.disconnect())
    } catch (error) {
      log?.warn({ err: error, groupId }, 'left a group without saying so; the others notice later')
    }
  }

  const change = (act: 'pause' | 'resume', partitions: readonly number[]) => {
    if (running && partitions.length > 0) consumer[act]([{ topic, partitions: [...partitions] }])
  }

  return {
    join: async () => {
      try {
        await consumer.connect()
        await consumer.subscribe({ topics: [topic], fromBeginning: true })
        await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
        if (crash) throw crash
        joined = true
      } catch (error) {
        void leave()
        throw error
      }
    },
    // The commit of a batch and not that of the consumer, which repeats a refused one: by then it is another round of the
    // group, the partition may be another member's, and a broker does not check that.
    commit: async (commits) => {
      if (!running || !commitDirectly) return false
      await commitDirectly({ topics: [{ topic, partitions: [...commits] }] })
      return true
    },
    pause: (partitions) => change('pause', partitions),
    resume: (partitions) => change('resume', partitions),
    leave,
  }
}

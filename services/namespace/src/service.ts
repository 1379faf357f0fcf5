import { deletionRequested } from '@cairn/contracts/events'
import { limits } from '@cairn/contracts/limits'
import type { Ids } from '@cairn/domain/ids'
import { allSpacesOf, embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Clock } from '@cairn/domain/ports/clock'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { createMessageRouter, type MessageRouterOptions } from '@cairn/runtime/bus/message-router'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { every } from '@cairn/runtime/jobs/every'
import { inOneRange, runTask, type TaskOptions } from '@cairn/runtime/jobs/run-task'
import { createService, type Service } from '@cairn/runtime/process/lifecycle'
import type { Logger } from '@cairn/runtime/process/logger'
import { auditAll, auditRange } from './audit.ts'
import { onNamespaceCreated } from './on-namespace-created.ts'
import { recoverCounts } from './recover-counts.ts'

export type NamespaceDeps = Pick<MessageRouterOptions, 'countUnreadable'> & {
  readonly bus: MessageBus
  readonly store: Store
  readonly vectors: VectorIndex
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly sweepEveryMs: number
  readonly auditEveryMs: number
  /** Final job records are removed at this age. */
  readonly jobRetentionMs: number
  /** Default: the retention in `limits`. */
  readonly eventRetentionMs?: number
}

/** Reopens a final upload with an item in `processing`: longer than any request or worker may take. */
const reopenAfterMs = 120_000
const reopenEveryMs = 60_000
const pruneEveryMs = 600_000
/** Per pass; the next one continues. */
const pruneWithinMs = 60_000
const dayMs = 86_400_000
const limit = 500
/** Checks whether a task is due and free: one read of its record. */
const taskPollMs = 10_000

/** Returns the tasks without their schedule, so that tests can run them one by one. */
export const createNamespaceTasks = (deps: Omit<NamespaceDeps, 'sweepEveryMs' | 'auditEveryMs'>) => {
  const { store, clock } = deps
  const recover = recoverCounts(deps)
  /** A namespace's mark commits its deletion: a request that dies right after leaves no record. */
  const recordDeletions = async () => {
    for (const namespace of await store.namespaces.deleting(limit)) {
      const { deletionId } = namespace
      if (deletionId === null) continue
      const context = {
        space: embeddingSpaceOf(namespace),
        otherSpaces: allSpacesOf(namespace).slice(1),
        correlationId: deletionId,
        traceparent: null,
        at: clock.now(),
      }
      if (!(await store.deletions.insertOfNamespace(namespace, context))) continue
      const cause = { correlationId: deletionId, traceparent: null }
      await sendEvent(deps, deletionRequested, { namespaceId: namespace.id, deletionId }, deletionId, cause)
    }
  }
  return {
    sweep: async () => {
      await recordDeletions()
      await recover()
    },
    /** The cursor is the time of the last items of the previous range. */
    reopen: async (cursor: string | null) => {
      if (cursor === null) await store.deletions.removeForgotten(limit)
      return store.uploads.reopen({ after: Number(cursor ?? 0), before: clock.now() - reopenAfterMs, limit })
    },
    audit: auditAll(deps),
    auditRange: auditRange(deps),
    prune: async () => {
      const now = clock.now()
      const until = clock.monotonic() + pruneWithinMs
      const eventsBefore = now - (deps.eventRetentionMs ?? limits.eventRetentionMs)
      const firstDay = new Date(now - limits.usageDays * dayMs).toISOString().slice(0, 10)
      const prunes = [
        ...[store.uploads, store.deletions].map((jobStore) => () => jobStore.prune(now - deps.jobRetentionMs, limit)),
        () => store.repeatableRequests.prune(limit),
        () => store.events.prune(eventsBefore, limit),
        () => store.dailyUsage.prune(firstDay, limit),
      ]
      let pruned = 0
      for (const prune of prunes)
        for (let some = -1; some !== 0 && clock.monotonic() < until; pruned += some) some = await prune()
      return pruned
    },
  }
}

/** Runs each task with its own pause; none overlaps itself. */
export const createNamespaceService = (deps: NamespaceDeps): Service => {
  const { bus, store, clock, ids, countUnreadable } = deps
  const log = deps.log.child({ service: 'namespace' })
  const tasks = createNamespaceTasks(deps)
  const stopped = new AbortController()
  const router = createMessageRouter({
    bus,
    log,
    group: 'namespace',
    handlers: [onNamespaceCreated(deps)],
    countUnreadable,
  })
  const byClock = { clock, log, signal: stopped.signal }
  /** Only one process runs a leased task at a time. */
  const leased = (name: string, everyMs: number, range: TaskOptions['range']): Promise<void> => {
    const task = { tasks: store.tasks, clock, ids, name, everyMs, range }
    return every(Math.min(taskPollMs, everyMs), name, (signal) => runTask(task, signal), byClock)
  }
  return createService(async (onStop) => {
    const running = Promise.all([
      // Runs in every process: two index reads while nothing is overdue. Recovery is conditional on the entries, so
      // several may run it.
      every(deps.sweepEveryMs, 'sweep', tasks.sweep, byClock),
      leased('reopen-uploads', reopenEveryMs, async (cursor) => {
        const { next } = await tasks.reopen(cursor)
        return next === null ? null : `${next}`
      }),
      leased('namespace-audit', deps.auditEveryMs, tasks.auditRange),
      leased('prune-records', pruneEveryMs, inOneRange(tasks.prune)),
    ])
    onStop(() => {
      stopped.abort()
      return running
    })
    await router.start()
    // Stops all in parallel: each may wait for an unavailable engine, and the time to stop is limited.
    onStop(() => {
      stopped.abort()
      return Promise.all([router.stop(), running])
    })
  })
}

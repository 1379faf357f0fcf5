import type { Collection } from './collections.ts'
import type { Deletion, FileRecord, Job } from './records.ts'
import { count, find, findLast, now, type ReadProtocol } from './steps.ts'

/** Fields of a job from which its end is estimated. */
export type BacklogJob = Pick<
  Job,
  'id' | 'accountId' | 'namespaceId' | 'bytes' | 'lane' | 'nextAttemptAt' | 'lease' | 'startedAt' | 'endedAt'
> &
  Pick<Partial<FileRecord>, 'name' | 'object' | 'stage' | 'times'> &
  Pick<Partial<Deletion>, 'target' | 'itemCount' | 'removed'>

/** The work of a store, of all processes. */
export type Backlog = {
  readonly at: number
  /** The 64 jobs whose work was completed last, and for deletions up to 64 more that are still re-checked. */
  readonly ended: readonly BacklogJob[]
  /** The leases of some may have expired. At most 100. */
  readonly running: readonly BacklogJob[]
  /** The 200 that are due first, or will be. */
  readonly queued: readonly BacklogJob[]
  /** Number of queued jobs beyond these. */
  readonly unread: number
}

/** Jobs read of each kind. A longer queue is counted, which costs an index scan. */
const maxJobs = { queued: 200, running: 100, ended: 64 }

const shared = [
  'id',
  'accountId',
  'namespaceId',
  'bytes',
  'lane',
  'nextAttemptAt',
  'lease',
  'startedAt',
  'endedAt',
] as const

/** For each kind: the fields to read, and the states of ended work with the field that orders them. */
const kinds = {
  uploads: { fields: shared, ended: [['completed', 'updatedAt']] },
  files: {
    fields: [...shared, 'name', 'object', 'stage', 'times'],
    ended: [['completed', 'nextAttemptAt']],
  },
  deletions: {
    fields: [...shared, 'target', 'itemCount', 'removed'],
    ended: [
      ['completed', 'updatedAt'],
      ['rechecking', 'updatedAt'],
    ],
  },
} as const

/** Reads a few hundred records at most, however long the queue is. */
export function* backlog(name: Extract<Collection, keyof typeof kinds>): ReadProtocol<Backlog> {
  const at = yield* now()
  // The type of one of them: all have the shared fields.
  const collection = name as 'files'
  const fields = kinds[name].fields as typeof kinds.files.fields
  const ended: BacklogJob[] = []
  for (const [state, order] of kinds[name].ended)
    ended.push(...(yield* findLast(`${name}: last ended`, collection, { state }, [order], maxJobs.ended, fields)))
  const first = (step: 'running' | 'first queued', state: Job['state'], limit: number) =>
    find(`${name}: ${step}`, collection, { state }, ['nextAttemptAt'], limit, fields)
  const running = yield* first('running', 'running', maxJobs.running)
  const queued = yield* first('first queued', 'queued', maxJobs.queued)
  const all =
    queued.length < maxJobs.queued
      ? queued.length
      : yield* count(`${name}: count queued`, collection, { state: 'queued' })
  return { at, ended, running, queued, unread: Math.max(0, all - queued.length) }
}

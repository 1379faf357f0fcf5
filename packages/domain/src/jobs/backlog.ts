import type { FileRecord } from '../files/record.ts'
import type { Deletion } from '../items/record.ts'
import type { Collection } from '../protocol/collections.ts'
import { count, find, findLast, now, type ReadProtocol } from '../protocol/steps.ts'
import type { Job } from './record.ts'

/** Fields of a job that are used to estimate its end. */
export type BacklogJob = Pick<
  Job,
  'id' | 'accountId' | 'namespaceId' | 'bytes' | 'lane' | 'nextAttemptAt' | 'lease' | 'startedAt' | 'endedAt'
> &
  Pick<Partial<FileRecord>, 'name' | 'object' | 'stage' | 'times'> &
  Pick<Partial<Deletion>, 'target' | 'itemCount' | 'removed'>

/** Jobs of one store, across all processes. */
export type Backlog = {
  readonly at: number
  /** The 64 jobs whose work was completed last, and up to 64 deletions that still await re-checks. */
  readonly ended: readonly BacklogJob[]
  /** Running jobs, at most 100; some leases may have expired. */
  readonly running: readonly BacklogJob[]
  /** Queued jobs, at most 200, earliest due time first. */
  readonly queued: readonly BacklogJob[]
  /** Number of queued jobs beyond `queued`. */
  readonly unread: number
}

/** Jobs read per state. A longer queue is counted, which costs an index scan. */
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

/** Reads the backlog of a collection: a few hundred records at most, however long the queue is. */
export function* backlog(name: Extract<Collection, keyof typeof kinds>): ReadProtocol<Backlog> {
  const at = yield* now()
  // Cast to the type of one collection, because all collections have the shared fields.
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

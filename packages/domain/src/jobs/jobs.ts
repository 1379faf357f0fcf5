import { AppError } from '@cairn/contracts/errors'
import type { FileRecord } from '../files/record.ts'
import type { Deletion } from '../items/record.ts'
import type { Collection } from '../protocol/collections.ts'
import type { StepName } from '../protocol/step-names.ts'
import {
  type ChangeOf,
  count,
  find,
  findLast,
  get,
  getOne,
  guarded,
  now,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  removeFound,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { leaseMs } from '../protocol/times.ts'
import type { Job, Lane, Lease } from './record.ts'

export type DueJob = Pick<Job, 'id' | 'namespaceId' | 'nextAttemptAt'> & { readonly bytes: number }

/** Queued jobs that are due, up to 1,000; how long the oldest has been (ms; 0: none). */
export type DueCount = { readonly jobs: number; readonly oldestMs: number }

type JobCollection = Extract<Collection, 'uploads' | 'deletions' | 'files'>

/** What a job's work was, and when it began and ended. */
export type MeasuredJob = Pick<Job, 'accountId' | 'bytes' | 'startedAt' | 'endedAt'> &
  Pick<Partial<FileRecord>, 'name'> &
  Pick<Partial<Deletion>, 'target' | 'itemCount' | 'removed'>

const shared = ['accountId', 'bytes', 'startedAt', 'endedAt'] as const
/** `states`: of completed work, ordered by `order`. */
const measured = {
  uploads: { fields: shared, states: ['completed'], order: 'updatedAt' },
  files: { fields: [...shared, 'name'], states: ['completed'], order: 'nextAttemptAt' },
  deletions: {
    fields: [...shared, 'target', 'itemCount', 'removed'],
    states: ['completed', 'rechecking'],
    order: 'updatedAt',
  },
} as const

const maxCounted = 1_000
/** Charged for jobs whose record has no size. */
export const defaultBytes = 65_536

/** A file's job is released while its chunks are indexed, and then continues the same work. */
const startOf = (name: JobCollection, { startedAt }: Job, at: number): number =>
  name === 'files' ? (startedAt ?? at) : at

const queued = (lane: Lane, at: number): WhereOf<JobCollection> => ({
  state: 'queued',
  lane: lane === 'short' ? lane : null,
  nextAttemptAt: { lte: at },
})

/** A sweep has taken over the request's record. */
export const takenOver = (): AppError =>
  new AppError('unavailable', 'The request timed out and was taken over; retry it.', { retryAfterSeconds: 1 })

export const isDue = (job: Job, at: number): boolean => {
  if (job.state === 'queued') return job.waiting === 'fresh' || job.nextAttemptAt <= at
  if (job.state === 'rechecking') return job.nextAttemptAt <= at && (job.lease?.until ?? 0) <= at
  return job.state === 'running' && (job.lease?.until ?? 0) <= at
}

/** Listed items or the file may still exist: only `takeOver` leases such a deletion, as it removes them first. */
export const awaitsAdoption = (job: Job): boolean => {
  const { target, itemsDone } = job as Partial<Deletion>
  return target !== undefined && target !== 'namespace' && itemsDone === false
}

/** Changes a job in any state. Returns false when the lease is lost. */
const underLease = (step: StepName, name: JobCollection, { jobId, token }: Lease, change: ChangeOf<JobCollection>) =>
  updateIf(step, name, [jobId], { 'lease.token': token }, change)

type Requeued = {
  readonly delayMs: number
  readonly error: string | null
  readonly counted: boolean
  readonly fresh?: boolean
  readonly waits?: boolean
}

const leases = <J extends Job>(name: JobCollection) => ({
  get: read(function* (id: string): ReadProtocol<J | undefined> {
    return (yield* getOne(`${name}: get`, name, id)) as J | undefined
  }),
  /** Leaves out missing ones. */
  many: read(function* (ids: readonly string[]): ReadProtocol<J[]> {
    const found = yield* get(
      `${name}: many`,
      name,
      ids.map((id) => [id]),
    )
    return found.filter((job) => job !== undefined) as readonly Job[] as J[]
  }),
  /** Takes the lease (30 s) of a due job, else undefined. An overdue `accepting` record is not due: see `takeOver`. */
  *lease(id: string, token: string): Protocol<J | undefined> {
    const at = yield* now()
    const job = yield* getOne(`${name}: read for lease`, name, id)
    if (!job || !isDue(job, at) || awaitsAdoption(job)) return undefined
    const leased = yield* updateOne(
      `${name}: take lease`,
      name,
      [id],
      { state: job.state, leaseSeq: job.leaseSeq },
      {
        set: {
          state: job.state === 'rechecking' ? 'rechecking' : 'running',
          lease: { token, until: at + leaseMs },
          nextAttemptAt: at + leaseMs,
          ...(job.state === 'rechecking' ? {} : { startedAt: startOf(name, job, at) }),
        },
        inc: { leaseSeq: 1, starts: 1 },
      },
    )
    return leased as J | undefined
  },
  /** Returns false when the lease is lost. `progress` resets `starts` and `retries`. */
  *renew(lease: Lease, { progress = false }: { readonly progress?: boolean } = {}): Protocol<boolean> {
    const at = yield* now()
    return yield* underLease(`${name}: renew lease`, name, lease, {
      set: {
        'lease.until': at + leaseMs,
        nextAttemptAt: at + leaseMs,
        ...(progress ? { starts: 1, retries: 0 } : {}),
      },
    })
  },
  /**
   * Releases the job, due after `delayMs`. `counted` raises `attempts`. `fresh`: an orderly release. `waits`: the job
   * only waits for other jobs, and its next start continues the same work.
   */
  *requeue(lease: Lease, { delayMs, error, counted, fresh = false, waits = false }: Requeued): Protocol<boolean> {
    const at = yield* now()
    const job = yield* getOne(`${name}: read for requeue`, name, lease.jobId)
    return yield* underLease(`${name}: requeue`, name, lease, {
      set: {
        state: job?.state === 'rechecking' ? 'rechecking' : 'queued',
        waiting: fresh ? 'fresh' : 'retry',
        nextAttemptAt: at + delayMs,
        lease: null,
        lastError: error,
        starts: 0,
      },
      inc: { attempts: counted ? 1 : 0, retries: fresh || waits ? 0 : 1, ...(waits ? { waits: 1 } : {}) },
    })
  },
})

const queues = <J extends Job>(name: JobCollection) => ({
  /** Returns due jobs (queued, with an expired lease, overdue in `accepting`, or to re-check), longest due first. */
  due: read(function* (limit: number): ReadProtocol<J[]> {
    return (yield* findDue(name, ['running', 'queued', 'accepting', 'rechecking'], limit)) as J[]
  }),
  /** Returns the first account after `after`, by id, with a due job of this lane. */
  dueAccount: read(function* (lane: Lane, after: string): ReadProtocol<string | undefined> {
    const at = yield* now()
    const where: WhereOf<JobCollection> = { ...queued(lane, at), accountId: { gt: after } }
    const [first] = yield* find(
      `${name}: next account`,
      name,
      where,
      ['accountId', 'namespaceId', 'nextAttemptAt'],
      1,
      ['accountId'],
    )
    return first?.accountId
  }),
  /**
   * Returns due jobs by namespace and then longest due, from the first namespace after `after` on, wrapping around. A
   * lease may be refused.
   */
  dueOf: read(function* (accountId: string, lane: Lane, after: string, limit: number): ReadProtocol<DueJob[]> {
    const at = yield* now()
    for (const start of after === '' ? [''] : [after, '']) {
      const where: WhereOf<JobCollection> = { ...queued(lane, at), accountId, namespaceId: { gt: start } }
      const order = ['namespaceId', 'nextAttemptAt'] as const
      const found = yield* find(`${name}: due of account`, name, where, order, limit, dueFields)
      if (found.length > 0)
        return found.map(({ id, namespaceId, nextAttemptAt, bytes = defaultBytes }) => ({
          id,
          namespaceId,
          nextAttemptAt,
          bytes,
        }))
    }
    return []
  }),
  dueCount: read(function* (): ReadProtocol<DueCount> {
    const at = yield* now()
    const where: WhereOf<JobCollection> = { state: 'queued', nextAttemptAt: { lte: at } }
    const due = yield* find(`${name}: count due`, name, where, ['nextAttemptAt'], maxCounted, ['nextAttemptAt'])
    const [oldest] = due
    return { jobs: due.length, oldestMs: oldest ? at - oldest.nextAttemptAt : 0 }
  }),
  /** Returns jobs that are due but not queued: with an expired lease, overdue in `accepting`, or to re-check. */
  abandoned: read(function* (limit: number): ReadProtocol<J[]> {
    return (yield* findDue(name, ['running', 'accepting', 'rechecking'], limit)) as J[]
  }),
  /** Returns the oldest first. */
  unfinished: read(function* (limit: number): ReadProtocol<J[]> {
    const found: Job[] = []
    for (const state of ['accepting', 'queued', 'running'] as const) {
      found.push(...(yield* find(`${name}: find unfinished`, name, { state }, ['createdAt'], limit)))
    }
    return found.sort((a, b) => a.createdAt - b.createdAt).slice(0, limit) as J[]
  }),
})

const ends = (name: JobCollection) => ({
  /** Returns the `limit` jobs completed last, and as many deletions that await re-checks. */
  lastEnded: read(function* (limit: number): ReadProtocol<MeasuredJob[]> {
    const { states, order } = measured[name]
    // All collections have the shared fields.
    const fields = measured[name].fields as typeof measured.files.fields
    const found: MeasuredJob[] = []
    for (const state of states)
      found.push(...(yield* findLast(`${name}: last ended`, name as 'files', { state }, [order], limit, fields)))
    return found
  }),
  *removeOfNamespace(namespaceId: string, limit: number): Protocol<number> {
    let removed = 0
    for (const where of ofNamespace(name, namespaceId)) {
      const found = find(`${name}: find of namespace`, name, where, ['id'], limit, ['id'])
      removed += yield* removeFound(`${name}: remove of namespace`, name, found)
    }
    return removed
  },
  countOfNamespace: readLatest(function* (namespaceId: string): ReadProtocol<number> {
    let counted = 0
    for (const where of ofNamespace(name, namespaceId))
      counted += yield* count(`${name}: count of namespace`, name, where)
    return counted
  }),
})

export const jobs = <J extends Job>(name: JobCollection) => ({ ...leases<J>(name), ...queues<J>(name), ...ends(name) })

const dueFields = ['id', 'namespaceId', 'nextAttemptAt', 'bytes'] as const

function* findDue(name: JobCollection, states: readonly Job['state'][], limit: number): ReadProtocol<Job[]> {
  const at = yield* now()
  const found: Job[] = []
  for (const state of states) {
    // `overdueAt` decides about an `accepting` record; its `nextAttemptAt` is earlier.
    const some: readonly Job[] = yield* find(
      `${name}: find due`,
      name,
      { state, nextAttemptAt: { lte: at } },
      ['nextAttemptAt'],
      limit,
    )
    found.push(...some.filter((job) => (state === 'accepting' ? job.overdueAt <= at : isDue(job, at))))
  }
  return found.sort((a, b) => a.nextAttemptAt - b.nextAttemptAt).slice(0, limit)
}

/** Excludes the namespace's own deletion, whose record outlives it. */
const ofNamespace = (name: JobCollection, namespaceId: string) =>
  name === 'deletions' ? (['items', 'file'] as const).map((target) => ({ namespaceId, target })) : [{ namespaceId }]

export const finish = (name: JobCollection, lease: Lease, set: ChangeOf<JobCollection>['set']) =>
  underLease(`${name}: finish`, name, lease, { set: { ...set, lease: null } })

export function* prune(name: Exclude<JobCollection, 'files'>, before: number, limit: number): Protocol<number> {
  let pruned = 0
  for (const state of ['completed', 'failed'] as const) {
    const old = find(`${name}: find old`, name, { state, updatedAt: { lt: before } }, ['updatedAt'], limit, ['id'])
    pruned += yield* removeFound(`${name}: prune`, name, guarded(old), { state })
  }
  return pruned
}

import { recordFinalEvents } from '../events/events.ts'
import { finish, jobs, prune } from '../jobs/jobs.ts'
import type { Lease } from '../jobs/record.ts'
import {
  find,
  findLast,
  getOne,
  guarded,
  now,
  type Protocol,
  type ReadProtocol,
  read,
  updateIf,
} from '../protocol/steps.ts'
import { takeOverUpload } from './accept.ts'
import { asUpload, type DocumentOutcome, type IndexJob, type PassageCounts, type Upload } from './record.ts'

/** Upload ids begin with the first string and sort below the second; ids of batches of chunks are outside. */
const uploadIds = { from: 'upload_', to: 'upload`' } as const

export const uploads = {
  ...jobs<IndexJob>('uploads'),
  /** Returns uploads, newest request first, starting before the id `before`. */
  newest: read(function* (
    namespaceId: string,
    { before = uploadIds.to, limit }: { readonly before?: string | undefined; readonly limit: number },
  ): ReadProtocol<Upload[]> {
    const where = { namespaceId, id: { gt: uploadIds.from, lt: before } }
    const found = yield* findLast('uploads: newest', 'uploads', where, ['id'], limit)
    return found.flatMap((job) => asUpload(job) ?? [])
  }),
  /** Returns false when the lease is lost. */
  *complete(
    lease: Lease,
    {
      at,
      ...result
    }: {
      readonly state: 'completed' | 'failed'
      readonly outcomes: readonly DocumentOutcome[]
      readonly times: Upload['times']
      readonly passages?: PassageCounts
      readonly at: number
    },
  ): Protocol<boolean> {
    const job = asUpload(yield* getOne('uploads: read to complete', 'uploads', lease.jobId))
    if (job?.lease?.token === lease.token) yield* recordFinalEvents(job, result.outcomes, at)
    return yield* finish('uploads', lease, { ...result, updatedAt: at, finishedAt: at, endedAt: yield* now() })
  },
  takeOver: takeOverUpload,
  /**
   * Reopens final uploads with an item still `processing` under their version. Reads items last updated between `after`
   * and `before` (wall time), oldest first. `next` continues; null at the end.
   */
  *reopen({
    after,
    before,
    limit,
  }: {
    readonly after: number
    readonly before: number
    readonly limit: number
  }): Protocol<{ readonly reopened: string[]; readonly next: number | null }> {
    const at = yield* now()
    const items = yield* guarded(
      find(
        'reopen: find items processing',
        'items',
        { status: 'processing', updatedAt: { gt: after, lt: before } },
        ['updatedAt'],
        limit,
        ['id', 'version', 'updatedAt'],
      ),
    )
    const reopened: string[] = []
    for (const [id, left] of Map.groupBy(items, (item) => item.version)) {
      const job = yield* getOne('reopen: read', 'uploads', id)
      if (job?.state !== 'completed' && job?.state !== 'failed') continue
      // An item written after its upload was taken over is missing from `ids`, which the job processes.
      const late = left.map((item) => item.id).filter((item) => !job.ids.includes(item))
      const queued = yield* updateIf(
        'reopen: queue',
        'uploads',
        [id],
        { state: job.state, leaseSeq: job.leaseSeq },
        { set: { state: 'queued', waiting: 'retry', nextAttemptAt: at, finishedAt: null }, push: { ids: late } },
      )
      if (queued) reopened.push(id)
    }
    const last = items.at(-1)?.updatedAt
    if (last === undefined || items.length < limit) return { reopened, next: null }
    // Continues at the last time of this page. If the page has only one, its further items are skipped: they belong to
    // few uploads.
    return { reopened, next: last > (items[0]?.updatedAt ?? 0) ? last - 1 : last }
  },
  /** Removes final records last updated before this wall time. */
  prune: (before: number, limit: number) => prune('uploads', before, limit),
}

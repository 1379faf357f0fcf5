import { adoptUpload } from './accept.ts'
import { tellEnded } from './events.ts'
import { finish, jobs, type ProtocolOf, prune } from './jobs.ts'
import type { UploadStore } from './port.ts'
import { asUpload } from './records.ts'
import { find, findLast, getOne, now, read, updateOne } from './steps.ts'

/** Ids of uploads, unlike those of batches of chunks, begin with it; the second is above all of them. */
const uploadIds = { from: 'upload_', to: 'upload`' } as const

export const uploads: ProtocolOf<UploadStore> = {
  ...jobs('uploads'),
  newest: read(function* (namespaceId, { before = uploadIds.to, limit }) {
    const where = { namespaceId, id: { gt: uploadIds.from, lt: before } }
    const found = yield* findLast('uploads: newest', 'uploads', where, ['id'], limit)
    return found.flatMap((job) => asUpload(job) ?? [])
  }),
  *complete(lease, { at, ...result }) {
    const job = asUpload(yield* getOne('uploads: read to complete', 'uploads', lease.jobId))
    if (job?.lease?.token === lease.token) yield* tellEnded(job, result.outcomes, at)
    return yield* finish('uploads', lease, { ...result, updatedAt: at, finishedAt: at, endedAt: yield* now() })
  },
  adopt: adoptUpload,
  *reopen({ after, before, limit }) {
    const at = yield* now()
    const items = yield* find(
      'reopen: find items processing',
      'items',
      { status: 'processing', updatedAt: { gt: after, lt: before } },
      ['updatedAt'],
      limit,
      ['id', 'version', 'updatedAt'],
    )
    const reopened: string[] = []
    for (const [id, left] of Map.groupBy(items, (item) => item.version)) {
      const job = yield* getOne('reopen: read', 'uploads', id)
      if (job?.state !== 'completed' && job?.state !== 'failed') continue
      // A write that arrived after its record was taken over is not in the record's ids, by which work proceeds.
      const late = left.map((item) => item.id).filter((item) => !job.ids.includes(item))
      const queued = yield* updateOne(
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
    // Items of one time are of few uploads, so the next page may pass over the rest of a full page of one time.
    return { reopened, next: last > (items[0]?.updatedAt ?? 0) ? last - 1 : last }
  },
  *prune(before, limit) {
    return yield* prune('uploads', before, limit)
  },
}

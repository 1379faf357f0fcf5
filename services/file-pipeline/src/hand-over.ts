import { uploadAccepted } from '@cairn/contracts/events'
import { permanentError } from '@cairn/contracts/permanent-error'
import { isTier, tierOf } from '@cairn/domain/accounts/tiers'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import { type FileProgress, type FileRecord, publishedCount } from '@cairn/domain/files/record'
import { leaseLost } from '@cairn/domain/jobs/job-error'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import { announce } from '@cairn/runtime/bus/announce'
import type { Checkpoint } from './checkpoint.ts'
import type { PipelineDeps } from './deps.ts'

/** A file must not fill the queue ahead of other uploads to its namespace. */
const maxPending = 8
const pollEveryMs = 500

/** Tracks which chunks are indexed. Throws a permanent error when the version can't be finished. */
export const createHandOver = (deps: PipelineDeps, run: JobRun<FileRecord>, saved: Checkpoint | undefined) => {
  const { store, bus, clock, ids, tiers } = deps
  const { namespaceId, accountId, version, id } = run.job
  let { pending, refused, passages }: Pick<Checkpoint, 'refused' | 'passages'> & { pending: readonly string[] } =
    saved ?? { pending: [], refused: 0, passages: { reused: 0, embedded: 0 } }

  /** Checked early, to do no work on chunks that can't be published; `files.publish` makes the final check. */
  const checkQuota = async (count: number) => {
    const published = publishedCount(run.job)
    // Like `files.publish`, which accepts a version that adds no documents also above the limit.
    if (count <= published) return
    const account = await run.step('read', () => store.accounts.get(accountId))
    const limit = account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).documents : null
    if (account && limit !== null && account.held.documents - published + count > limit)
      throw permanentError(
        'quota_exceeded',
        `The file has more chunks than the account's limit of ${limit} documents allows.`,
      )
  }
  const checkIds = async (drafts: readonly ChunkDraft[]) => {
    const states = await run.step('read', () =>
      store.items.latestStates(
        namespaceId,
        drafts.map(({ itemId }) => itemId),
      ),
    )
    const [taken] = states
    if (taken)
      throw permanentError('id_conflict', `The document "${taken.id}" has the id that a chunk of this file needs.`)
  }
  /** Removes indexed batches from `pending`; counts their passages and rejected chunks. */
  const settle = async (): Promise<void> => {
    const uploads = new Map(
      (await run.step('wait', () => store.uploads.many(pending))).map((upload) => [upload.id, upload]),
    )
    const open: string[] = []
    for (const uploadId of pending) {
      const upload = uploads.get(uploadId)
      if (upload?.state === 'failed')
        throw permanentError(upload.outcomes[0]?.reason ?? 'internal', 'Its chunks could not be indexed.')
      if (upload?.finishedAt === null) open.push(uploadId)
      else {
        const { reused = 0, embedded = 0 } = upload?.passages ?? {}
        passages = { reused: passages.reused + reused, embedded: passages.embedded + embedded }
        refused += upload?.outcomes.filter(({ outcome }) => outcome === 'failed').length ?? 0
      }
    }
    if (open.length < pending.length) run.progress()
    pending = open
  }
  /** Renews the job's lease meanwhile; ends when the job does. */
  const waitForBatches = async (): Promise<void> => {
    while (pending.length >= maxPending) {
      await settle()
      if (pending.length < maxPending) break
      await clock.delay(pollEveryMs, run.signal)
      run.signal.throwIfAborted()
    }
  }

  return {
    /** If not everything is indexed, the job becomes due again once more has been. */
    isIndexed: async (): Promise<boolean> => {
      if (pending.length > 0) await settle()
      return pending.length === 0
    },
    pending: () => pending,
    isFull: () => pending.length >= maxPending,
    pendingChunks: () =>
      pending.reduce((sum, uploadId) => sum + Number(uploadId.slice(uploadId.lastIndexOf('-') + 1)), 0),
    refused: () => refused,
    /** Counts of batches no longer pending. */
    passages: () => passages,
    /**
     * `first` numbers the batch within the version: same drafts, same number. `counted`: chunks and summaries so far.
     */
    submit: async (
      drafts: readonly ChunkDraft[],
      batch: {
        readonly first: number
        readonly counted: number
        readonly checkpoint: Omit<Checkpoint, 'pending' | 'refused' | 'passages'>
        readonly progress: FileProgress
      },
    ): Promise<void> => {
      await checkQuota(batch.counted)
      await checkIds(drafts)
      await waitForBatches()
      const uploadId = `${version}-${batch.first}-${drafts.length}`
      pending = [...pending, uploadId]
      const submitted = await run.step('hand over', () =>
        store.chunks.handOver({
          lease: run.lease,
          uploadId,
          file: { id, version },
          drafts,
          checkpoint: { ...batch.checkpoint, pending, refused, passages },
          progress: batch.progress,
          at: clock.now(),
        }),
      )
      if (!submitted) throw leaseLost()
      run.progress()
      await announce({ bus, ids, clock, log: run.log }, uploadAccepted, { namespaceId, uploadId }, uploadId, run.job)
    },
  }
}

export type HandOver = ReturnType<typeof createHandOver>

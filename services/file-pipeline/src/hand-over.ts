import { uploadAccepted } from '@cairn/contracts/events'
import { leaseLost, permanentError } from '@cairn/domain/job-error'
import type { JobRun } from '@cairn/domain/job-run'
import type { ChunkDraft } from '@cairn/domain/metadata/chunks'
import { type FileProgress, type FileRecord, publishedCount } from '@cairn/domain/metadata/records'
import { isTier, tierOf } from '@cairn/domain/tiers'
import { announce } from '@cairn/runtime/announce'
import type { Checkpoint } from './checkpoint.ts'
import type { PipelineDeps } from './deps.ts'

/**
 * Batches that may wait for ingestion while the file is read: it must not fill the queue before others of its
 * namespace.
 */
const maxPending = 8
const pollEveryMs = 500

/**
 * Passes chunks to ingestion and tracks which of them are indexed. Throws a permanent error when the version can't be
 * finished.
 */
export const createHandOver = (deps: PipelineDeps, run: JobRun<FileRecord>, saved: Checkpoint | undefined) => {
  const { metadata, bus, clock, ids, tiers } = deps
  const { namespaceId, accountId, version, id } = run.job
  let { pending, refused, passages }: Pick<Checkpoint, 'refused' | 'passages'> & { pending: readonly string[] } =
    saved ?? { pending: [], refused: 0, passages: { reused: 0, embedded: 0 } }

  /** Checked early, so that no work is done for what can't be published; `files.publish` decides. */
  const checkQuota = async (count: number) => {
    const account = await run.step('read', () => metadata.accounts.get(accountId))
    const limit = account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).documents : null
    if (account && limit !== null && account.held.documents - publishedCount(run.job) + count > limit)
      throw permanentError(
        'quota_exceeded',
        `The file has more chunks than the account's limit of ${limit} documents allows.`,
      )
  }
  const checkIds = async (drafts: readonly ChunkDraft[]) => {
    const states = await run.step('read', () =>
      metadata.items.latestStates(
        namespaceId,
        drafts.map(({ itemId }) => itemId),
      ),
    )
    const [taken] = states
    if (taken)
      throw permanentError('id_conflict', `The document "${taken.id}" has the id that a chunk of this file needs.`)
  }
  /** Removes from `pending` what has been indexed since. */
  const settle = async (): Promise<void> => {
    const uploads = new Map(
      (await run.step('wait', () => metadata.uploads.many(pending))).map((upload) => [upload.id, upload]),
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
  /** Waits while too many batches are pending. Ends when the job does: its lease is renewed meanwhile. */
  const waitForBatches = async (): Promise<void> => {
    while (pending.length >= maxPending) {
      await settle()
      if (pending.length < maxPending) return
      await clock.delay(pollEveryMs, run.signal)
      run.signal.throwIfAborted()
    }
  }

  return {
    /** Whether everything passed on has been indexed; otherwise the job is due again once some of it has been. */
    isIndexed: async (): Promise<boolean> => {
      if (pending.length > 0) await settle()
      return pending.length === 0
    },
    pending: () => pending,
    /** Chunks and summaries of the batches that are not indexed yet. */
    pendingChunks: () =>
      pending.reduce((sum, uploadId) => sum + Number(uploadId.slice(uploadId.lastIndexOf('-') + 1)), 0),
    /** Chunks that the model rejected, of batches that are no longer pending. */
    refused: () => refused,
    /** Passages of batches that are no longer pending. */
    passages: () => passages,
    /**
     * `first` numbers the batch within the version: the same drafts have the same number. `counted`: chunks and
     * summaries so far.
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
        metadata.chunks.handOver({
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

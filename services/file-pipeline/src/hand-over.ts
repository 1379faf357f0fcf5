import { uploadAccepted } from '@cairn/contracts/events'
import type { ChunkDraft } from '@cairn/ports/metadata/port'
import { type FileProgress, type FileRecord, seenOf } from '@cairn/ports/metadata/records'
import type { JobRun } from '@cairn/runtime/jobs'
import { publish } from '@cairn/runtime/publish'
import { isTier, tierOf } from '@cairn/runtime/tiers'
import type { Checkpoint } from './checkpoint.ts'
import type { PipelineDeps } from './deps.ts'
import { failed, lost } from './verdict.ts'

/** Jobs that may wait for ingestion at once: a file must not fill the queue before others. */
const mostPending = 8
const lookEveryMs = 200

/** Hands chunks to ingestion, and waits for it. Throws a verdict (`verdict.ts`) when the version can go no further. */
export const createHandOver = (deps: PipelineDeps, run: JobRun<FileRecord>, from: readonly string[]) => {
  const { metadata, bus, clock, ids, tiers } = deps
  const { namespaceId, accountId, version, id } = run.job
  let pending: readonly string[] = from
  let refused = 0

  /** Early, so that no work is done for what can't be seen in the end; `files.publish` decides. */
  const checkRoom = async (count: number) => {
    const account = await run.step('read', () => metadata.accounts.get(accountId))
    const limit = account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).documents : null
    if (account && limit !== null && account.held.documents - seenOf(run.job) + count > limit)
      throw failed('quota_exceeded', `The file has more chunks than the plan's ${limit} documents have room for.`)
  }
  const checkIds = async (drafts: readonly ChunkDraft[]) => {
    const heads = await run.step('read', () =>
      metadata.items.heads(
        namespaceId,
        drafts.map(({ itemId }) => itemId),
      ),
    )
    const [taken] = heads
    if (taken) throw failed('id_conflict', `The document "${taken.id}" has the id that a chunk of this file needs.`)
  }
  const isOpen = async (uploadId: string): Promise<boolean> => {
    const upload = await run.step('wait', () => metadata.uploads.get(uploadId))
    if (upload?.state === 'failed') throw failed(upload.outcomes[0]?.reason ?? 'internal', 'Its chunks could not be indexed.')
    if (upload === undefined || upload.finishedAt === null) return upload !== undefined
    refused += upload.outcomes.filter(({ outcome }) => outcome === 'failed').length
    return false
  }
  /** Until so few are not indexed yet. Ends when the job does: its lease is renewed all the while. */
  const waitFor = async (most: number): Promise<void> => {
    for (;;) {
      const open: string[] = []
      for (const uploadId of pending) if (await isOpen(uploadId)) open.push(uploadId)
      if (open.length < pending.length) run.progress()
      pending = open
      if (pending.length <= most) return
      await clock.delay(lookEveryMs, run.signal)
      run.signal.throwIfAborted()
    }
  }

  return {
    waitFor,
    pending: () => pending,
    /** Chunks that the model would not take, of those that were waited for. */
    refused: () => refused,
    /** `first` numbers the batch among those of the version: the same drafts, the same number. `counted`: chunks and summaries so far. */
    give: async (
      drafts: readonly ChunkDraft[],
      told: {
        readonly first: number
        readonly counted: number
        readonly checkpoint: Omit<Checkpoint, 'pending'>
        readonly progress: FileProgress
      },
    ): Promise<void> => {
      await checkRoom(told.counted)
      await checkIds(drafts)
      await waitFor(mostPending - 1)
      const uploadId = `${version}-${told.first}-${drafts.length}`
      pending = [...pending, uploadId]
      const given = await run.step('hand over', () =>
        metadata.chunks.handOver({
          lease: run.lease,
          uploadId,
          file: { id, version },
          drafts,
          checkpoint: { ...told.checkpoint, pending },
          progress: told.progress,
          at: clock.now(),
        }),
      )
      if (!given) throw lost()
      run.progress()
      const { correlationId, traceparent } = run.job
      // A hint: the record is what counts.
      await publish(
        bus,
        uploadAccepted,
        { namespaceId, uploadId },
        { key: uploadId, correlationId, ids, clock, ...(traceparent === null ? {} : { traceparent }) },
      ).catch((error: unknown) => run.log.warn({ err: error }, 'event not published'))
    },
  }
}

export type HandOver = ReturnType<typeof createHandOver>

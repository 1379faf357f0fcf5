import { uploadAccepted } from '@cairn/contracts/events'
import { permanentError } from '@cairn/contracts/permanent-error'
import { isTier, tierOf } from '@cairn/domain/accounts/tiers'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import { type FileProgress, type FileRecord, publishedCount } from '@cairn/domain/files/record'
import type { IndexJob } from '@cairn/domain/items/record'
import { leaseLost } from '@cairn/domain/jobs/job-error'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import type { Checkpoint } from './checkpoint.ts'
import type { PipelineDeps } from './deps.ts'

/** A file must not fill the queue ahead of other uploads to its namespace. */
const maxPending = 8
const pollEveryMs = 500

/** Fields of the checkpoint that say which chunks are indexed. */
type SubmissionState = Pick<Checkpoint, 'pending' | 'refused' | 'passages'>

type Batch = {
  /** Numbers the batch within the version: same drafts, same number. */
  readonly first: number
  /** Chunks and summaries so far. */
  readonly counted: number
  readonly checkpoint: Omit<Checkpoint, keyof SubmissionState>
  readonly progress: FileProgress
}

/** Submits chunks, and tracks which ones are indexed. Throws a permanent error when the version can't be finished. */
export class ChunkSubmission {
  readonly #deps: PipelineDeps
  readonly #run: JobRun<FileRecord>
  /** The counts are those of batches no longer pending. */
  #state: SubmissionState

  constructor(deps: PipelineDeps, run: JobRun<FileRecord>, saved: Checkpoint | undefined) {
    this.#deps = deps
    this.#run = run
    const { pending, refused, passages } = saved ?? { pending: [], refused: 0, passages: { reused: 0, embedded: 0 } }
    this.#state = { pending, refused, passages }
  }

  get state(): SubmissionState {
    return this.#state
  }

  get isFull(): boolean {
    return this.#state.pending.length >= maxPending
  }

  /**
   * Resolves to the number of chunks and summaries that are not indexed yet. If there are any, the job becomes due again
   * once more are indexed.
   */
  async pendingChunks(): Promise<number> {
    const open = this.#state.pending.length > 0 ? await this.#settle() : []
    return open.reduce((sum, { ids }) => sum + ids.length, 0)
  }

  async submit(drafts: readonly ChunkDraft[], batch: Batch): Promise<void> {
    const { store, bus, clock, ids } = this.#deps
    const { lease, log, job } = this.#run
    const { namespaceId, version, id } = job
    await this.#checkQuota(batch.counted)
    await this.#checkIds(drafts)
    await this.#waitForBatches()
    const uploadId = `${version}-${batch.first}-${drafts.length}`
    this.#state = { ...this.#state, pending: [...this.#state.pending, uploadId] }
    const submitted = await this.#run.step('submit', () =>
      store.chunks.submit({
        lease,
        uploadId,
        file: { id, version },
        drafts,
        checkpoint: { ...batch.checkpoint, ...this.#state },
        progress: batch.progress,
        at: clock.now(),
      }),
    )
    if (!submitted) throw leaseLost()
    this.#run.progress()
    await sendEvent({ bus, ids, clock, log }, uploadAccepted, { namespaceId, uploadId }, uploadId, job)
  }

  /** Checked early, to do no work on chunks that can't be published; `files.publish` makes the final check. */
  async #checkQuota(count: number): Promise<void> {
    const { store, tiers } = this.#deps
    const published = publishedCount(this.#run.job)
    // Like `files.publish`, which accepts a version that adds no documents also above the limit.
    if (count <= published) return
    const account = await this.#run.step('read', () => store.accounts.get(this.#run.job.accountId))
    const limit = account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).documents : null
    if (account && limit !== null && account.held.documents - published + count > limit)
      throw permanentError(
        'quota_exceeded',
        `The file has more chunks than the account's limit of ${limit} documents allows.`,
      )
  }

  async #checkIds(drafts: readonly ChunkDraft[]): Promise<void> {
    const itemIds = drafts.map(({ itemId }) => itemId)
    const [taken] = await this.#run.step('read', () =>
      this.#deps.store.items.latestStates(this.#run.job.namespaceId, itemIds),
    )
    if (taken)
      throw permanentError('id_conflict', `The document "${taken.id}" has the id that a chunk of this file needs.`)
  }

  /** Renews the job's lease meanwhile; ends when the job does. */
  async #waitForBatches(): Promise<void> {
    const { signal } = this.#run
    while (this.isFull) {
      await this.#settle()
      if (!this.isFull) break
      await this.#deps.clock.delay(pollEveryMs, signal)
      signal.throwIfAborted()
    }
  }

  /** Removes indexed batches from `pending` and counts what became of their chunks. Returns the other batches. */
  async #settle(): Promise<readonly IndexJob[]> {
    let { refused, passages } = this.#state
    const { pending } = this.#state
    const found = await this.#run.step('wait', () => this.#deps.store.uploads.many(pending))
    const batches = new Map(found.map((batch) => [batch.id, batch]))
    const open: IndexJob[] = []
    for (const uploadId of pending) {
      const batch = batches.get(uploadId)
      if (batch?.state === 'failed')
        throw permanentError(batch.outcomes[0]?.reason ?? 'internal', 'Its chunks could not be indexed.')
      if (batch?.finishedAt === null) open.push(batch)
      else {
        const { reused = 0, embedded = 0 } = batch?.passages ?? {}
        passages = { reused: passages.reused + reused, embedded: passages.embedded + embedded }
        refused += batch?.outcomes.filter(({ outcome }) => outcome === 'failed').length ?? 0
      }
    }
    this.#state = { pending: open.map(({ id }) => id), refused, passages }
    if (open.length < pending.length) this.#run.progress()
    return open
  }
}

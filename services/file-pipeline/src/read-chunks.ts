import { basename } from 'node:path'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { isPermanentError } from '@cairn/contracts/permanent-error'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import { extractionVersion } from '@cairn/domain/files/extraction-version'
import type { FileProgress, FileRecord } from '@cairn/domain/files/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { Block, ExtractEvent } from '@cairn/extract/block'
import type { Used } from '@cairn/extract/child/run-extractor'
import type { Checkpoint, Counts } from './checkpoint.ts'
import type { Chunk, ChunkState } from './chunk/chunk.ts'
import { type CutChunksEvent, type CutChunksOptions, cutChunks } from './chunk/cut-chunks.ts'
import { chunkDraft, chunksPerSummary, type Titled } from './chunk-drafts.ts'
import type { ChunkSubmission } from './chunk-submission.ts'
import type { PipelineDeps } from './deps.ts'
import { ReadingNotes } from './reading-notes.ts'
import { SummaryGroups } from './summary-groups.ts'
import { TextCount } from './text-limit.ts'

/** Each batch is stored durably. */
const chunksAtOnce = 50
const reportEveryMs = 1_000
const overlapShare = 0.125
/** After waiting for others this long, a file releases its slot if ingestion is still behind. */
const maxWaitMs = 5 * 60_000

export type ReadingInput = {
  readonly path: string
  readonly type: FileType
  readonly embedder: Embedder
  readonly submission: ChunkSubmission
  readonly saved: Checkpoint | undefined
}

type ProgressChange = Partial<Pick<FileRecord, 'progress' | 'checkpoint' | 'notes'>>

const stateOf = ({ state: { page, ...rest } }: Checkpoint): ChunkState => ({
  ...rest,
  ...(page === undefined ? {} : { page }),
})

/**
 * Extracts a file from its checkpoint and passes on its chunks and a summary of each hundred. The same bytes yield the
 * same chunks with the same ids, so chunks read twice, because a worker died between checkpoints, are written once.
 */
export class ChunkReading {
  readonly #deps: PipelineDeps
  readonly #run: JobRun<FileRecord>
  readonly #input: ReadingInput
  readonly #notes: ReadingNotes
  readonly #text: TextCount
  readonly #groups: SummaryGroups
  #titled: Titled
  #progress: FileProgress
  #reportedAt: number
  #waitedMs = 0
  /** State before which all chunks were cut, and the characters up to it. */
  #safe: ChunkState
  #safeCharacters: number
  #chunks: number
  /** Not yet submitted. */
  #drafts: ChunkDraft[] = []
  #last: Chunk | undefined

  constructor(deps: PipelineDeps, run: JobRun<FileRecord>, input: ReadingInput) {
    const { saved } = input
    const { idBase, name, metadata, notes, object, progress } = run.job
    this.#deps = deps
    this.#run = run
    this.#input = input
    this.#notes = new ReadingNotes(notes)
    this.#text = new TextCount(object.sizeBytes, saved)
    this.#titled = { idBase, name, title: saved?.title ?? basename(name), properties: {}, fileMetadata: metadata }
    this.#progress = { ...progress }
    this.#reportedAt = deps.clock.monotonic()
    this.#safe = saved ? stateOf(saved) : { chunks: 0, seq: 0, headings: [] }
    this.#safeCharacters = this.#text.characters
    this.#chunks = this.#safe.chunks
    this.#groups = new SummaryGroups(deps, run, this.#chunks)
  }

  /** Resolves to the total numbers; undefined if the file released its slot before the end. */
  async read(): Promise<Counts | undefined> {
    await this.#groups.restore(this.#chunks)
    try {
      for await (const event of this.#cutting()) {
        if ('safe' in event) this.#markSafe(event.safe)
        else if (await this.#addChunk(event.chunk)) return undefined
      }
    } catch (error) {
      // The notes may explain why the file failed.
      if (isPermanentError(error) && this.#notes.hasNew) await this.#record({ progress: this.#progress })
      throw error
    }
    await this.#submitLast()
    return this.#counts
  }

  get #counts(): Counts {
    return { chunks: this.#chunks, summaries: this.#groups.count }
  }

  #cutting(): AsyncIterable<CutChunksEvent> {
    const { embedder } = this.#input
    const { maxTokens } = embedder
    const caller = this.#run.job.namespaceId
    const onWaited = (ms: number) => {
      this.#waitedMs += ms
    }
    const options = {
      maxTokens,
      overlapTokens: Math.floor(maxTokens * overlapShare),
      tokens: (texts: readonly string[]) => this.#waitFor(this.#run.step('cut', () => embedder.tokens(texts))),
      cut: (...input: Parameters<CutChunksOptions['cut']>) =>
        this.#run.step('cut', (signal) => this.#deps.textWorker.cut(...input, { caller, signal, onWaited })),
    }
    return cutChunks(this.#blocks(), options, this.#safe)
  }

  async *#blocks(): AsyncGenerator<Block> {
    const { type, path } = this.#input
    const { seq, page } = this.#safe
    const from = seq === 0 ? {} : { from: { seq, ...(page === undefined ? {} : { page }) } }
    const request = { type, path, options: { ...this.#run.job.options, ...from } }
    const events = this.#deps.extract(request, {
      signal: this.#run.signal,
      scratch: this.#deps.scratch,
      onUsed: (used) => this.#reportUsed(used),
      pausedMs: () => this.#waitedMs,
    })
    for await (const event of events) {
      if (event.event === 'block') yield event.block
      else await this.#handle(event)
    }
  }

  async #handle(event: Exclude<ExtractEvent, { event: 'block' }>): Promise<void> {
    if (event.event === 'note') this.#notes.add(event)
    else if (event.event === 'ocr') this.#notes.addOcr(event.page, event.confidence)
    else if (event.event === 'properties') {
      const { properties } = event
      this.#titled = { ...this.#titled, properties, title: properties.title?.trim() || this.#titled.title }
    } else {
      const { event: _, ...progress } = event
      this.#progress = { ...this.#progress, ...progress }
      await this.#reportProgress()
    }
  }

  #markSafe(state: ChunkState): void {
    this.#safe = state
    this.#safeCharacters = this.#text.characters
  }

  /** Resolves to true if the file must release its slot. */
  async #addChunk(chunk: Chunk): Promise<boolean> {
    this.#text.add(chunk.text, this.#chunks)
    this.#drafts.push(this.#draftOf(chunk, true))
    this.#last = chunk
    this.#groups.add(chunk)
    this.#chunks += 1
    if (this.#groups.size === chunksPerSummary) await this.#addSummary()
    // The first chunk of a group waits for the next one: alone, it has no summary.
    if (this.#drafts.length < chunksAtOnce || this.#groups.size === 1) return false
    await this.#submit(null)
    return this.#waitedMs >= maxWaitMs && this.#input.submission.isFull
  }

  async #addSummary(): Promise<void> {
    this.#drafts.push(await this.#groups.take(this.#titled))
  }

  #draftOf(chunk: Chunk, hasSummary: boolean): ChunkDraft {
    return chunkDraft(this.#titled, chunk, this.#notes.confidenceOf(chunk.at.page), hasSummary)
  }

  async #submitLast(): Promise<void> {
    if (this.#groups.size > 1) await this.#addSummary()
    else if (this.#groups.size === 1 && this.#last && this.#drafts.length > 0)
      this.#drafts.splice(-1, 1, this.#draftOf(this.#last, false))
    const end = this.#counts
    if (this.#drafts.length > 0) return this.#submit(end)
    if (this.#chunks === 0) return
    // The last batch was full.
    const checkpoint: Checkpoint = { ...this.#checkpoint(end), ...this.#input.submission.state }
    await this.#record({ checkpoint, progress: this.#progress })
  }

  async #submit(end: Checkpoint['end']): Promise<void> {
    const { chunks, summaries } = this.#counts
    this.#progress = { ...this.#progress, chunks, summaries }
    const first = chunks - this.#drafts.filter(({ kind }) => kind === 'chunk').length
    const batch = { first, counted: chunks + summaries, checkpoint: this.#checkpoint(end), progress: this.#progress }
    await this.#waitFor(this.#input.submission.submit(this.#drafts, batch))
    this.#drafts = []
    if (this.#notes.all.length > 0) await this.#record({})
  }

  #checkpoint(end: Checkpoint['end']) {
    return {
      state: { ...this.#safe, headings: [...this.#safe.headings] },
      title: this.#titled.title,
      characters: this.#safeCharacters,
      distinctCharacters: this.#text.distinctCharacters,
      extraction: this.#input.saved?.extraction ?? extractionVersion,
      end,
    }
  }

  async #reportProgress(): Promise<void> {
    const { clock } = this.#deps
    if (clock.monotonic() - this.#reportedAt < reportEveryMs) return
    this.#reportedAt = clock.monotonic()
    await this.#record({ progress: this.#progress })
  }

  async #record(change: ProgressChange): Promise<void> {
    const { store, clock } = this.#deps
    const { lease, job } = this.#run
    const set = { ...change, notes: this.#notes.all }
    const progress = () => store.files.recordProgress(lease, { version: job.version, set, at: clock.now() })
    await this.#waitFor(this.#run.step('note', progress))
  }

  /** What others delay, such as a store that is away, does not count as time of the file. */
  async #waitFor<T>(work: Promise<T>): Promise<T> {
    const from = this.#deps.clock.monotonic()
    try {
      return await work
    } finally {
      this.#waitedMs += this.#deps.clock.monotonic() - from
    }
  }

  #reportUsed(used: Used): void {
    const { type } = this.#input
    this.#deps.observeReading?.(type, used)
    this.#run.trace.set({
      'cairn.file.type': type,
      'cairn.reader.ms': Math.round(used.ms),
      'cairn.reader.peak_bytes': used.peakBytes,
    })
    this.#run.log.info({ type, ms: Math.round(used.ms), peakBytes: used.peakBytes }, 'reader')
  }
}

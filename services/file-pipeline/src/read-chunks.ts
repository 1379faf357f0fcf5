import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { chunkItemId } from '@cairn/contracts/documents/chunk-ids'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { isPermanentError, permanentError } from '@cairn/contracts/permanent-error'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import { extractionVersion } from '@cairn/domain/files/extraction-version'
import type { FileNote, FileProgress, FileRecord } from '@cairn/domain/files/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { Block, ExtractEvent, FileProperties, Place } from '@cairn/extract/block'
import type { Used } from '@cairn/extract/child/run-extractor'
import type { Checkpoint } from './checkpoint.ts'
import type { Chunk, ChunkState } from './chunk/chunk.ts'
import { cutChunks } from './chunk/cut-chunks.ts'
import type { SummarySource } from './chunk/summarise.ts'
import { chunkDraft, chunksPerSummary, clip, summaryDraft } from './chunk-drafts.ts'
import type { PipelineDeps } from './deps.ts'
import type { HandOver } from './hand-over.ts'
import { chunkLimit, textLimit } from './text-limit.ts'

/** Each batch is stored durably. */
const chunksAtOnce = 50
const reportEveryMs = 1_000
const maxNotes = 100
/** One per scanned page; leaves the rest of `maxNotes` to other notes. */
const maxOcrNotes = 80
const overlapShare = 0.125
/** After waiting for others this long, a file releases its slot if ingestion is still behind. */
const maxWaitMs = 5 * 60_000
/** Chunks among which a repeated text is found; the memory for it must not grow with the file. */
const rememberedTexts = 100_000

export type Reading = {
  readonly path: string
  readonly type: FileType
  readonly embedder: Embedder
  readonly handOver: HandOver
  readonly saved: Checkpoint | undefined
}

const stateOf = ({ state: { page, ...rest } }: Checkpoint): ChunkState => ({
  ...rest,
  ...(page === undefined ? {} : { page }),
})

/** Names in a file may have any length, and a record holds many notes. */
const placeOf = ({ pageTitle, sheet, path, ...at }: Place): Place => ({
  ...at,
  ...(pageTitle === undefined ? {} : { pageTitle: clip(pageTitle) }),
  ...(sheet === undefined ? {} : { sheet: clip(sheet) }),
  ...(path === undefined ? {} : { path: clip(path) }),
})

/**
 * Extracts a file from its checkpoint and passes on its chunks and a summary of each hundred. Resolves to the total
 * numbers; undefined if it released its slot before the end. The same bytes yield the same chunks with the same ids, so
 * chunks read twice, because a worker died between checkpoints, are written once.
 */
export const readChunks = async (
  deps: PipelineDeps,
  run: JobRun<FileRecord>,
  { path, type, embedder, handOver, saved }: Reading,
): Promise<{ readonly chunks: number; readonly summaries: number } | undefined> => {
  const { store, clock, summarise, observeReading, textWorker } = deps
  const { name, namespaceId, idBase, version, options, object } = run.job
  const maxHere = textLimit(object.sizeBytes)
  const confidence = new Map<number, number>()
  const notes: FileNote[] = [...run.job.notes]
  /** A worker that takes over finds the same notes again. */
  const addNote = ({ code, message, at }: FileNote, max = maxNotes) => {
    if (notes.length >= maxNotes || notes.filter((known) => known.code === code).length >= max) return
    const note = { code, message, ...(at && { at: placeOf(at) }) }
    if (!notes.some((known) => isDeepStrictEqual(known, note))) notes.push(note)
  }
  let title = saved?.title ?? basename(name)
  let properties: FileProperties = {}
  let progress: FileProgress = { ...run.job.progress }
  let reportedAt = clock.monotonic()
  let safe: ChunkState = saved ? stateOf(saved) : { chunks: 0, seq: 0, headings: [] }
  let chunks = safe.chunks
  let characters = saved?.characters ?? 0
  let safeCharacters = characters
  let distinctCharacters = saved?.distinctCharacters ?? characters
  let texts = new Set<string>()
  let summaries = Math.floor(chunks / chunksPerSummary)
  let drafts: ChunkDraft[] = []
  let last: Chunk | undefined
  let waitedMs = 0
  /** What others delay, such as a store that is away, does not count as time of the file. */
  const waitFor = async <T>(work: Promise<T>): Promise<T> => {
    const from = clock.monotonic()
    try {
      return await work
    } finally {
      waitedMs += clock.monotonic() - from
    }
  }
  let group = await ungrouped()
  /** Reads chunks that were passed on earlier but have no summary yet. */
  async function ungrouped(): Promise<SummarySource[]> {
    const from = summaries * chunksPerSummary
    const references = Array.from({ length: chunks - from }, (_, index) => ({
      version,
      itemId: chunkItemId(idBase, from + index),
    }))
    const chunkRecords = references.length === 0 ? [] : await run.step('read', () => store.chunks.get(references))
    return chunkRecords.map(({ body }) => ({
      text: body.text,
      heading: String((JSON.parse(body.metadata) as { readonly heading?: string }).heading ?? ''),
    }))
  }
  const titled = () => ({ idBase, name, title, properties, fileMetadata: run.job.metadata })
  const record = (set: Parameters<typeof store.files.recordProgress>[1]['set']) =>
    waitFor(run.step('note', () => store.files.recordProgress(run.lease, { version, set, at: clock.now() })))
  const reportProgress = async () => {
    if (clock.monotonic() - reportedAt < reportEveryMs) return
    reportedAt = clock.monotonic()
    await record({ progress, notes })
  }
  const handle = async (event: Exclude<ExtractEvent, { event: 'block' }>) => {
    switch (event.event) {
      case 'properties':
        properties = event.properties
        title = properties.title?.trim() || title
        return
      case 'progress': {
        const { event: _, ...of } = event
        progress = { ...progress, ...of }
        return reportProgress()
      }
      case 'note':
        return addNote(event)
      case 'ocr':
        confidence.set(event.page, event.confidence)
        addNote(
          {
            code: 'read_by_ocr',
            message: `Page ${event.page} was read by OCR, confidence ${Math.round(event.confidence)} of 100.`,
            at: { page: event.page },
          },
          maxOcrNotes,
        )
    }
  }
  const onUsed = (used: Used) => {
    observeReading?.(type, used)
    run.trace.set({
      'cairn.file.type': type,
      'cairn.reader.ms': Math.round(used.ms),
      'cairn.reader.peak_bytes': used.peakBytes,
    })
    run.log.info({ type, ms: Math.round(used.ms), peakBytes: used.peakBytes }, 'reader')
  }
  async function* blocks(): AsyncGenerator<Block> {
    const { seq, page } = safe
    const from = seq === 0 ? {} : { from: { seq, ...(page === undefined ? {} : { page }) } }
    for await (const event of deps.extract(
      { type, path, options: { ...options, ...from } },
      { signal: run.signal, scratch: deps.scratch, onUsed, pausedMs: () => waitedMs },
    )) {
      if (event.event === 'block') yield event.block
      else await handle(event)
    }
  }
  const draftOf = (chunk: Chunk, hasSummary = true) =>
    chunkDraft(titled(), chunk, confidence.get(chunk.at.page ?? 0), hasSummary)
  const sumUp = async () => {
    const text = await run.step('summarise', () => summarise(group))
    const from = summaries * chunksPerSummary
    drafts.push(summaryDraft(titled(), summaries, text, { from, to: from + group.length - 1 }))
    summaries += 1
    group = []
  }
  const checkpoint = () => ({
    state: { ...safe, headings: [...safe.headings] },
    title,
    characters: safeCharacters,
    distinctCharacters,
    extraction: saved?.extraction ?? extractionVersion,
  })
  const submitBatch = async (end: Checkpoint['end']) => {
    progress = { ...progress, chunks, summaries }
    const first = chunks - drafts.filter(({ kind }) => kind === 'chunk').length
    const batch = { first, counted: chunks + summaries, checkpoint: { ...checkpoint(), end }, progress }
    await waitFor(handOver.submit(drafts, batch))
    drafts = []
    if (notes.length > 0) await record({ notes })
  }

  /** Needed if the last batch was full. */
  const recordEnd = async () => {
    const last: Checkpoint = {
      ...checkpoint(),
      pending: [...handOver.pending()],
      refused: handOver.refused(),
      passages: handOver.passages(),
      end: { chunks, summaries },
    }
    await record({ checkpoint: last, progress, notes })
  }
  /** Throws if the file has more text than its size allows, or more chunks than its distinct text allows. */
  const checkLimits = (text: string) => {
    characters += text.length
    if (characters > maxHere) {
      throw permanentError(
        'too_much_text',
        `The text of the file has more than ${maxHere} characters, ${object.sizeBytes} bytes were uploaded.`,
      )
    }
    const key = hash('sha256', text, 'base64')
    if (!texts.has(key)) distinctCharacters += text.length
    if (texts.size >= rememberedTexts) texts = new Set()
    texts.add(key)
    if (chunks >= chunkLimit(distinctCharacters)) {
      throw permanentError(
        'too_many_chunks',
        `The file has more than ${chunks} chunks, with ${distinctCharacters} characters of different text.`,
      )
    }
  }
  const onWaited = (ms: number) => {
    waitedMs += ms
  }
  const { maxTokens } = embedder
  const sizes = { maxTokens, overlapTokens: Math.floor(maxTokens * overlapShare) }
  const cutting = cutChunks(
    blocks(),
    {
      ...sizes,
      tokens: (texts) => waitFor(run.step('cut', () => embedder.tokens(texts))),
      cut: (...input) =>
        run.step('cut', (signal) => textWorker.cut(...input, { caller: namespaceId, signal, onWaited })),
    },
    safe,
  )
  try {
    for await (const event of cutting) {
      if ('safe' in event) {
        safe = event.safe
        safeCharacters = characters
        continue
      }
      const { chunk } = event
      checkLimits(chunk.text)
      drafts.push(draftOf(chunk))
      last = chunk
      group.push({ text: chunk.text, heading: chunk.heading })
      chunks += 1
      if (group.length === chunksPerSummary) await sumUp()
      // The first chunk of a group waits for the next one: alone, it has no summary.
      if (drafts.length < chunksAtOnce || group.length === 1) continue
      await submitBatch(null)
      if (waitedMs >= maxWaitMs && handOver.isFull()) return undefined
    }
  } catch (error) {
    // The notes may explain why the file failed.
    if (isPermanentError(error) && notes.length > run.job.notes.length) await record({ progress, notes })
    throw error
  }
  if (group.length > 1) await sumUp()
  else if (group.length === 1 && last && drafts.length > 0) drafts.splice(-1, 1, draftOf(last, false))
  if (drafts.length > 0) await submitBatch({ chunks, summaries })
  else if (chunks > 0) await recordEnd()
  return { chunks, summaries }
}

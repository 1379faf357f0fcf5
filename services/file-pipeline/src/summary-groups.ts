import { chunkItemId } from '@cairn/contracts/documents/chunk-ids'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import type { FileRecord } from '@cairn/domain/files/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { SummarySource } from './chunk/summarise.ts'
import { chunksPerSummary, summaryDraft, type Titled } from './chunk-drafts.ts'
import type { PipelineDeps } from './deps.ts'

/** The chunks that have no summary yet, up to a hundred. */
export class SummaryGroups {
  readonly #deps: Pick<PipelineDeps, 'store' | 'summarise'>
  readonly #run: JobRun<FileRecord>
  #sources: SummarySource[] = []
  /** Summaries so far. */
  count: number

  constructor(deps: Pick<PipelineDeps, 'store' | 'summarise'>, run: JobRun<FileRecord>, chunks: number) {
    this.#deps = deps
    this.#run = run
    this.count = Math.floor(chunks / chunksPerSummary)
  }

  get size(): number {
    return this.#sources.length
  }

  /** Reads the chunks of the group that were passed on earlier. */
  async restore(chunks: number): Promise<void> {
    const { version, idBase } = this.#run.job
    const from = this.count * chunksPerSummary
    const references = Array.from({ length: chunks - from }, (_, index) => ({
      version,
      itemId: chunkItemId(idBase, from + index),
    }))
    if (references.length === 0) return
    const records = await this.#run.step('read', () => this.#deps.store.chunks.get(references))
    this.#sources = records.map(({ body }) => ({
      text: body.text,
      heading: String((JSON.parse(body.metadata) as { readonly heading?: string }).heading ?? ''),
    }))
  }

  add({ text, heading }: SummarySource): void {
    this.#sources.push({ text, heading })
  }

  /** Summarizes the group and begins the next one. */
  async take(titled: Titled): Promise<ChunkDraft> {
    const sources = this.#sources
    const text = await this.#run.step('summarise', () => this.#deps.summarise(sources))
    const from = this.count * chunksPerSummary
    const draft = summaryDraft(titled, this.count, text, { from, to: from + sources.length - 1 })
    this.count += 1
    this.#sources = []
    return draft
  }
}

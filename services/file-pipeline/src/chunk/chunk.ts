import type { Place } from '../extract/block.ts'

/** What becomes one document of a file. */
export type Chunk = {
  /** From 0, without gaps. */
  readonly index: number
  /** 1 to 50,000 code points, at least one of them not blank. */
  readonly text: string
  /** What the chunk covers: rows and offsets from its first to its last, the page, sheet and path of its first. */
  readonly at: Omit<Place, 'pageTitle'>
  /** The headings everything in the chunk stands under, outermost first, joined by ` > `; empty when there is none. */
  readonly heading: string
  readonly pageTitle?: string
}

export type Heading = { readonly level: number; readonly text: string }

/**
 * Where cutting can go on later as if it had never stopped. `seq` is the first block that is wanted then; of a file with pages it
 * is always the first block of `page`, because an extractor begins at a page.
 */
export type ChunkState = {
  /** Chunks so far: the index of the next one. */
  readonly chunks: number
  readonly seq: number
  readonly page?: number
  readonly headings: readonly Heading[]
}

import type { Place } from '../extract/block.ts'

/** Part of a file that becomes one document. */
export type Chunk = {
  /** Position in the file, from 0, without gaps. */
  readonly index: number
  /** 1 to 50,000 code points, at least one of them not blank. */
  readonly text: string
  /** Position in the file: rows and offsets from first to last; page, sheet and path of the beginning. */
  readonly at: Omit<Place, 'pageTitle' | 'running'>
  /** Headings above all of the chunk's text, outermost first, joined by ` > `; empty without headings. */
  readonly heading: string
  readonly pageTitle?: string
  /** Heads and feet of the page. */
  readonly running?: string
  /** Where the lines or words of the text are on its page; see `@cairn/domain/places`. */
  readonly places?: string
}

export type Heading = { readonly level: number; readonly text: string }

/**
 * State from which cutting can resume with the same result. `seq` is the first block needed then. In a file with pages
 * it is always the first block of `page`, because an extractor resumes at a page.
 */
export type ChunkState = {
  /** Number of chunks so far, which is the index of the next one. */
  readonly chunks: number
  readonly seq: number
  readonly page?: number
  readonly headings: readonly Heading[]
}

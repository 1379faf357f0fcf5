import type { Place } from '@cairn/extract/block'

/** Part of a file that becomes one document. */
export type Chunk = {
  /** Position in the file, from 0, without gaps. */
  readonly index: number
  /** Text of 1 to 50,000 code points, at least one of them not blank. */
  readonly text: string
  /** Position in the file: first to last for rows and offsets; where the chunk begins for page, sheet and path. */
  readonly at: Omit<Place, 'pageTitle' | 'running'>
  /** Headings above all of the chunk's text, outermost first, joined by ` > `; empty without headings. */
  readonly heading: string
  readonly pageTitle?: string
  /** Headers and footers of the page. */
  readonly running?: string
  /** Positions of the text's lines or words on the page; see `@cairn/domain/places`. */
  readonly places?: string
}

export type Heading = { readonly level: number; readonly text: string }

/**
 * State from which cutting can resume with the same result. `seq` is the first block that a resumed run needs. In a
 * file with pages `seq` is always the first block of `page`, because an extractor resumes at a page.
 */
export type ChunkState = {
  /** Number of chunks so far, which is also the index of the next chunk. */
  readonly chunks: number
  readonly seq: number
  readonly page?: number
  readonly headings: readonly Heading[]
}

import type { Place } from '@cairn/extract/block'

export type Chunk = {
  /** From 0, without gaps. */
  readonly index: number
  /** 1 to 50,000 code points, at least one of them not blank. */
  readonly text: string
  /** First to last for rows and offsets; the chunk's beginning for page, sheet and path. */
  readonly at: Omit<Place, 'pageTitle' | 'running'>
  /** Headings above all of the text, outermost first, joined by ` > `; may be empty. */
  readonly heading: string
  readonly pageTitle?: string
  readonly running?: string
  /** Boxes on the page; of rows, cells: column as `x0` and `x1`, distance from the first row as `y0` and `y1`. */
  readonly places?: string
}

export type Heading = { readonly level: number; readonly text: string }

/**
 * State from which cutting can resume with the same result. `seq` is the first block that a resumed run needs: in a
 * file with pages always the first of `page`, because an extractor resumes at a page.
 */
export type ChunkState = {
  /** Also the index of the next chunk. */
  readonly chunks: number
  readonly seq: number
  readonly page?: number
  readonly headings: readonly Heading[]
}

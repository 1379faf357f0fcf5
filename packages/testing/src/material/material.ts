/** A sentence of a created file, with its position. White space may differ where the file type breaks lines. */
export type KnownSentence = {
  readonly text: string
  /** pptx: number of the slide. */
  readonly page?: number
  readonly sheet?: string
  /** csv and xlsx: the row as a spreadsheet numbers it, from 1. */
  readonly row?: number
  /** json: JSON Pointer of the element or member with the sentence; epub: part of the archive with the chapter. */
  readonly path?: string
  /** Titles of its headings, outermost first. */
  readonly headings: readonly string[]
  /** Set if it exists only as pixels. */
  readonly scanned?: true
  /** Set in a cell of a table within running text. */
  readonly inTable?: true
}

export type Truth = {
  /** In reading order; no two alike. */
  readonly sentences: readonly KnownSentence[]
  /** txt, csv, json, md and html: a name iconv-lite knows. */
  readonly encoding?: string
  /** csv. */
  readonly delimiter?: string
  readonly title?: string
  readonly pages?: number
  /** Pages without a text layer, from 1. */
  readonly scannedPages?: readonly number[]
}

export type Material = { readonly bytes: Buffer; readonly truth: Truth }

export type MaterialOptions = {
  /** Approximate number of sentences; default 20 to 60, by the seed. */
  readonly sentences?: number
  /** txt, csv and html: one of `encodings`; default by the seed, for html UTF-8. */
  readonly encoding?: string
  /** pdf: which pages are scans: none, some, or all. Default: none, because a scan takes half a second to create. */
  readonly scans?: 'none' | 'some' | 'all'
}

export type CreateMaterial = (seed: number, options?: MaterialOptions) => Promise<Material>

export type FileType = 'pdf' | 'docx' | 'xlsx' | 'json' | 'txt' | 'csv' | 'md'

/** A sentence that stands in a made file, and where. White space may differ where the type of file breaks lines. */
export type Told = {
  readonly text: string
  readonly page?: number
  readonly sheet?: string
  /** csv and xlsx: the row as a spreadsheet numbers it, from 1. */
  readonly row?: number
  /** json: JSON Pointer of the element or member the sentence is in. */
  readonly path?: string
  /** Titles of the headings it stands under, outermost first. */
  readonly headings: readonly string[]
  /** Only as pixels. */
  readonly scanned?: true
  /** In a cell of a table within running text. */
  readonly inTable?: true
}

export type Truth = {
  /** In reading order; no two alike. */
  readonly sentences: readonly Told[]
  /** txt, csv, json and md: a name iconv-lite knows. */
  readonly encoding?: string
  /** csv. */
  readonly delimiter?: string
  readonly title?: string
  readonly pages?: number
  /** Of the pages, those that have no text layer, from 1. */
  readonly scannedPages?: readonly number[]
}

export type Material = { readonly bytes: Buffer; readonly truth: Truth }

export type MakeOptions = {
  /** About how many sentences; default 20 to 60, as the seed says. */
  readonly sentences?: number
  /** txt and csv: one of `encodings`; default as the seed says. */
  readonly encoding?: string
  /** pdf: which pages are scans: none, some, or all of them. Default: none, because a scan takes half a second to make. */
  readonly scans?: 'none' | 'some' | 'all'
}

export type Make = (seed: number, options?: MakeOptions) => Promise<Material>

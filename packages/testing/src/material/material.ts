/** A sentence of a created file, with its position. White space may differ where the file type breaks lines. */
export type KnownSentence = {
  readonly text: string
  /** pptx: slide number. */
  readonly page?: number
  readonly sheet?: string
  /** csv and xlsx: the row as a spreadsheet numbers it, from 1. */
  readonly row?: number
  /**
   * json: JSON Pointer of the element or member that contains the sentence. epub: path of the chapter in the archive.
   */
  readonly path?: string
  /** Titles of the headings above the sentence, outermost first. */
  readonly headings: readonly string[]
  /** Set if the sentence exists only as pixels. */
  readonly scanned?: true
  /** Set if the sentence is in a table cell within running text. */
  readonly inTable?: true
}

export type Truth = {
  /** The sentences in reading order, all different. */
  readonly sentences: readonly KnownSentence[]
  /** txt, csv, json, md and html: encoding, by iconv-lite's name. */
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
  /** Approximate number of sentences; default 20 to 59, by the seed. */
  readonly sentences?: number
  /** txt, csv and html: one of `encodings`. Default: UTF-8 for html, otherwise chosen by the seed. */
  readonly encoding?: string
  /** pdf: whether no pages, some or all are scans. Default: none, because a scan takes half a second to create. */
  readonly scans?: 'none' | 'some' | 'all'
}

export type CreateMaterial = (seed: number, options?: MaterialOptions) => Promise<Material>

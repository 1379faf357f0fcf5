/** Where a block stands in its file. Only what the type of file has. */
export type Place = {
  /** PDF: from 1. */
  readonly page?: number
  /** PDF with an outline: the title of the entry the page is in. */
  readonly pageTitle?: string
  /** xlsx. */
  readonly sheet?: string
  /** csv and xlsx: rows as a spreadsheet numbers them, from 1, the header row counted. Inclusive. */
  readonly rows?: { readonly from: number; readonly to: number }
  /** json: where the value is, as a JSON Pointer (RFC 6901). */
  readonly path?: string
  /** txt and md: UTF-16 offsets into the decoded text, end exclusive. */
  readonly offset?: { readonly from: number; readonly to: number }
}

/**
 * A stretch of a file in reading order. Text is Unicode without lone surrogates and without U+0000, lines ended by `\n`, NFC not forced.
 * - `heading`: of `level` 1 to 6.
 * - `text`: a paragraph, a list, a page's column; what may be cut at sentences.
 * - `row`: one record of a table, fields as `name: value` lines or, where there is no header, values joined by ` | `. Rows that follow one
 *   another belong together. A table inside running text (docx, md) is a `table`: Markdown, its first line the header.
 * A block has at most 50,000 UTF-16 units: an extractor cuts what is longer, at a blank where there is one.
 */
export type Block = {
  /** From 0, without gaps, the same each time the same bytes are read with the same options: where a later run goes on. */
  readonly seq: number
  readonly kind: 'heading' | 'text' | 'row' | 'table'
  readonly text: string
  readonly level?: number
  /** Of rows: what every chunk of them begins with. */
  readonly header?: string
  readonly at: Place
}

/** What a file says of itself: front matter, document properties. Scalars and arrays of scalars only. */
export type FileProperties = { readonly title?: string; readonly [name: string]: unknown }

/** Events of an extractor while it reads a file. */
export type ExtractEvent =
  | { readonly event: 'properties'; readonly properties: FileProperties }
  | { readonly event: 'block'; readonly block: Block }
  /** Also the sign that the child lives: nothing for a minute, and it is ended. */
  | { readonly event: 'progress'; readonly page?: number; readonly pages?: number; readonly rows?: number; readonly bytes?: number }
  /** What a user should know of a file that was read nonetheless: pages that gave nothing, a broken row. At most 100 a file. */
  | { readonly event: 'note'; readonly code: NoteCode; readonly message: string; readonly at?: Place }
  /** Per page that was read by OCR: mean confidence, 0 to 100. */
  | { readonly event: 'ocr'; readonly page: number; readonly confidence: number }

export type NoteCode = 'page_without_text' | 'page_unreadable' | 'row_unreadable' | 'value_cut' | 'encoding_guessed' | 'truncated'

export type FileType = 'pdf' | 'docx' | 'xlsx' | 'json' | 'txt' | 'csv' | 'md'

export type ExtractOptions = {
  /** Pages without usable text are rendered and read. Default true. */
  readonly ocr?: boolean
  /** Languages of the OCR, by the names of its data. Default `['eng']`. */
  readonly languages?: readonly string[]
  /** Of txt, csv, json and md; default: detected. */
  readonly encoding?: string
  /** The first block wanted: earlier ones are left out, and where the type of file allows it not even read (PDF: pages before `page`). */
  readonly from?: { readonly seq: number; readonly page?: number }
}

/**
 * One function per type. Reads the file at `path` front to back, holding no more of it than the type demands, and yields events as
 * they come; the consumer's pace is its own. Throws `Unreadable` when the file is at fault, and plain errors when we are. Runs in a child
 * process of its own (`run-extractor.ts`): it may use memory up to the ceiling, never the network.
 */
export type Extractor = (path: string, options: ExtractOptions) => AsyncIterable<ExtractEvent>

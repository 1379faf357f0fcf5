/** Position of a block in its file. Only the fields that apply to the type of file are set. */
export type Place = {
  /** PDF: page number from 1. pptx: slide number from 1. */
  readonly page?: number
  /** PDF with an outline: title of the outline entry that contains the page. */
  readonly pageTitle?: string
  /** PDF: headers and footers that other pages have, too, joined by ` · `. Blocks do not contain them. */
  readonly running?: string
  /** xlsx: sheet name. */
  readonly sheet?: string
  /** csv and xlsx: row numbers as in a spreadsheet, from 1, including the header row. Both ends inclusive. */
  readonly rows?: { readonly from: number; readonly to: number }
  /** json: JSON Pointer (RFC 6901) to the value. epub: path of the chapter within the archive. */
  readonly path?: string
  /** txt and md: UTF-16 offsets into the decoded text, end exclusive. */
  readonly offset?: { readonly from: number; readonly to: number }
}

/**
 * A section of a file, in reading order. Text is Unicode without lone surrogates and without control characters other
 * than tab and the line end, `\n`; NFC is not enforced.
 * - `heading`: of `level` 1 to 6.
 * - `text`: a paragraph, a list or a page's column; it may be cut between sentences.
 * - `row`: one record of a table, fields as `name: value` lines or, without a header, values joined by ` | `.
 *   Consecutive rows belong together.
 * - `table`: a table inside running text (docx, md, html) as Markdown, its first line the header.
 * A block has at most 50,000 UTF-16 units: an extractor cuts longer text, at a blank if possible.
 */
export type Block = {
  /**
   * Number from 0, without gaps. The same bytes with the same options yield the same numbers, so that a later run can
   * resume here.
   */
  readonly seq: number
  readonly kind: 'heading' | 'text' | 'row' | 'table'
  readonly text: string
  readonly level?: number
  /** Rows only: text at the beginning of every chunk of these rows. */
  readonly header?: string
  readonly at: Place
  /**
   * Pages of PDFs: positions of the text's lines on the page, or of its words for scans; see `@cairn/domain/places`.
   */
  readonly places?: string
}

/** Properties stored in the file: front matter or document properties. Scalars and arrays of scalars only. */
export type FileProperties = { readonly title?: string; readonly [name: string]: unknown }

/** Events that an extractor yields while it reads a file. */
export type ExtractEvent =
  | { readonly event: 'properties'; readonly properties: FileProperties }
  | { readonly event: 'block'; readonly block: Block }
  /** Also serves as a heartbeat: a child that reports nothing for a minute is killed. */
  | {
      readonly event: 'progress'
      readonly page?: number
      readonly pages?: number
      readonly rows?: number
      readonly bytes?: number
    }
  /** Problem in a file that was read nonetheless, such as a page without text or a broken row. At most 100 per file. */
  | { readonly event: 'note'; readonly code: NoteCode; readonly message: string; readonly at?: Place }
  /** Mean confidence, 0 to 100, of a page read by OCR. */
  | { readonly event: 'ocr'; readonly page: number; readonly confidence: number }

/** Codes of notes, documented for users in docs/errors.md. */
export const noteCodes = [
  'page_without_text',
  'page_repeated',
  'page_unreadable',
  'row_unreadable',
  'value_cut',
  'encoding_guessed',
  'truncated',
  /** OCR recognized too little of a page to use the text. */
  'ocr_unreadable',
  /** Characters of a PDF's fonts have no mapping to Unicode, so part of the text is missing. */
  'text_unmapped',
  /** Text that a human reader of the page does not see: left out, or kept with `CAIRN_HIDDEN_TEXT=keep`. */
  'text_hidden',
  /** Bytes that are invalid in the file's encoding; they became U+FFFD. */
  'bytes_replaced',
  /** Cells with a formula whose result is not in the file. */
  'formula_without_value',
  /** A part of the file that the extractor does not read, such as an embedded file, a picture or a chart. */
  'content_not_read',
] as const
export type NoteCode = (typeof noteCodes)[number]

/** Treatment of hidden text; the default is `leave-out`. */
export type HiddenText = 'leave-out' | 'keep'

export type ExtractOptions = {
  /** Whether pages without usable text are rendered and read by OCR. Default true. */
  readonly ocr?: boolean
  /** OCR languages, named like their data packages. Default `['eng']`. */
  readonly languages?: readonly string[]
  /** Treatment of text of a PDF or a web page that a human reader does not see: left out, or kept with a mark. */
  readonly hiddenText?: HiddenText
  /** Encoding of a txt, csv, json, md or html file, or of the parts of a mail that state none. Default: detected. */
  readonly encoding?: string
  /**
   * First block to yield. Earlier blocks are omitted and, if the file type allows it, not read (PDF: pages before
   * `page`).
   */
  readonly from?: { readonly seq: number; readonly page?: number }
}

/**
 * Reads the file at `path` from front to back and yields events at the consumer's pace. Each file type has one
 * extractor, which holds only as much of the file in memory as the type requires. Throws `Unreadable` if the file is
 * the cause, other errors for internal faults. Runs in a child process (`run-extractor.ts`) with a memory limit and
 * without network.
 */
export type Extractor = (path: string, options: ExtractOptions) => AsyncIterable<ExtractEvent>

export type Place = {
  /** PDF: page number from 1. pptx: slide number from 1. */
  readonly page?: number
  /** PDF with an outline: title of the entry that contains the page. */
  readonly pageTitle?: string
  /** PDF: page headers and footers that recur, joined by ` · `; blocks do not contain them. */
  readonly running?: string
  readonly sheet?: string
  /** csv and xlsx: row numbers as in a spreadsheet, from 1, header included; both ends inclusive. */
  readonly rows?: { readonly from: number; readonly to: number }
  /** json: JSON Pointer (RFC 6901) to the value. epub: path of the chapter within the archive. */
  readonly path?: string
  /** txt and md: UTF-16 offsets into the decoded text, end exclusive. */
  readonly offset?: { readonly from: number; readonly to: number }
}

/**
 * Section of a file, in reading order. Text has no lone surrogates and no control characters but tab and line feed; NFC
 * is not enforced.
 * - `text`: a paragraph, a list or a page's column; it may be cut between sentences.
 * - `row`: one record of a table, as `name: value` lines or, without a header, values joined by ` | `.
 * - `table`: a table inside running text (docx, md, html) as Markdown, its first line the header.
 * A block has at most 50,000 UTF-16 units: an extractor cuts longer text, at a blank if possible.
 */
export type Block = {
  /** From 0, without gaps. The same bytes and options yield the same numbers, so that a later run can resume here. */
  readonly seq: number
  readonly kind: 'heading' | 'text' | 'row' | 'table'
  readonly text: string
  readonly level?: number
  /** Rows only: text that begins every chunk of these rows. */
  readonly header?: string
  readonly at: Place
  /**
   * PDF: positions of the text's lines on the page, or of its words for scans. csv and xlsx: columns of a row's cells,
   * from 0, as `x0` and `x1`; see `@cairn/domain/text/places`.
   */
  readonly places?: string
}

/** Front matter or document properties: scalars and arrays of scalars only. */
export type FileProperties = { readonly title?: string; readonly [name: string]: unknown }

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
  /** Problem in a file that was read nonetheless. At most 100 per file. */
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
  'ocr_unreadable',
  /** Characters of a PDF's fonts without a mapping to Unicode: part of the text is missing. */
  'text_unmapped',
  /** Text that a human reader does not see: left out, or kept with `CAIRN_HIDDEN_TEXT=keep`. */
  'text_hidden',
  /** Bytes invalid in the file's encoding; they became U+FFFD. */
  'bytes_replaced',
  /** Formulas whose result is not in the file. */
  'formula_without_value',
  /** Content that the extractor does not read, such as embedded files, pictures, charts. */
  'content_not_read',
] as const
export type NoteCode = (typeof noteCodes)[number]

export type HiddenText = 'leave-out' | 'keep'

export type ExtractOptions = {
  /** Whether pages without usable text are read by OCR. Default true. */
  readonly ocr?: boolean
  /** OCR languages, named like tesseract's data. Default `['eng']`. */
  readonly languages?: readonly string[]
  /** Text of a PDF or a web page that a human reader does not see; kept text gets a mark. Default `leave-out`. */
  readonly hiddenText?: HiddenText
  /** Encoding of a text file, or of the parts of a mail that state none. Default: detected. */
  readonly encoding?: string
  /** First block to yield. Earlier ones are omitted and, if the type allows it, not read (PDF: before `page`). */
  readonly from?: { readonly seq: number; readonly page?: number }
}

/**
 * Reads the file at `path` from front to back, at the consumer's pace. Throws `PermanentError` if the file is the
 * cause, other errors for internal faults. Runs in a child process (`run-extractor.ts`) with a memory limit and without
 * network.
 */
export type Extractor = (path: string, options: ExtractOptions) => AsyncIterable<ExtractEvent>

import type { ExtractEvent, Extractor } from './block.ts'
import { blockWriter } from './block-writer.ts'
import { type CsvRecord, csvRecords, maxFields } from './csv-records.ts'
import { findDelimiter, hasHeader } from './csv-shape.ts'
import { decodeFile, findEncoding, guessedMessage } from './encoding.ts'
import { peekText } from './peek-text.ts'
import { type Columns, columnsOf } from './table-rows.ts'

const headUnits = 64 * 1024
/** Records held back until it is known whether the first one is a header. */
const firstRecords = 20
/** A few wide records are a large enough sample. */
const firstFields = 20_000

const column = (index: number): string => `column ${index + 1}`

/** Yields one `row` per record. Formulas remain unchanged; an export to a spreadsheet must escape them. */
export const extractCsv: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const encoding = yield* findEncoding(path, options)
  if (encoding.guessed) yield* writer.note('encoding_guessed', guessedMessage(encoding))
  const file = decodeFile(path, encoding)
  const { head, all } = await peekText(file.text, headUnits)
  // Excel writes this line to declare the delimiter.
  const declared = /^sep=([^\r\n"])(?:\r\n|\n|\r)/i.exec(head)
  const delimiter = declared?.[1] ?? findDelimiter(head.slice(0, headUnits))

  let columns: Columns | undefined
  let held: CsvRecord[] = []

  function* rows(records: readonly CsvRecord[], { header, row }: Columns): Generator<ExtractEvent> {
    for (const record of records) {
      const at = { rows: { from: record.row, to: record.row } }
      if (record.broken) {
        yield* writer.note(
          'row_unreadable',
          `Row ${record.row}: a quote is not closed or not in its place; the line was read as it stands.`,
          at,
        )
      }
      if (record.cut) yield* writer.note('value_cut', `Row ${record.row}: what was too long was left out.`, at)
      yield* writer.block({ kind: 'row', text: row(record.fields.entries()), ...(header ? { header } : {}), at })
    }
  }

  function* begin(ended: boolean): Generator<ExtractEvent> {
    const records = held
    held = []
    const [first] = records
    const few = first && first.fields.length <= maxFields
    const named = few && hasHeader(records.map(({ fields }) => fields)) ? new Map(first.fields.entries()) : undefined
    columns = columnsOf(named, column)
    if (!named || !first) return yield* rows(records, columns)
    if (first.broken)
      yield* writer.note('row_unreadable', `Row ${first.row}: a quote is not closed or not in its place.`)
    if (first.cut) yield* writer.note('value_cut', `Row ${first.row}: what was too long was left out.`)
    if (records.length > 1) yield* rows(records.slice(1), columns)
    // The header is the only text in the file.
    else if (ended) yield* rows(records, columnsOf(undefined, column))
  }

  for await (const found of csvRecords(all, delimiter)) {
    const records = declared ? found.filter(({ row }) => row > 1) : found
    if (columns) yield* rows(records, columns)
    else {
      held = held.concat(records)
      const fields = held.reduce((sum, record) => sum + record.fields.length, 0)
      if (held.length >= firstRecords || fields > firstFields) yield* begin(false)
    }
    yield* writer.progress(file.bytes(), records.at(-1)?.row)
  }
  if (!columns) yield* begin(true)
  writer.end()
}

import type { ExtractEvent, Extractor } from '../block.ts'
import { blockWriter } from '../shared/block-writer.ts'
import { cleanText } from '../shared/clean-text.ts'
import { peekText } from '../shared/peek-text.ts'
import { isData, kindOf } from '../shared/tables/cell-kinds.ts'
import type { TableItem } from '../shared/tables/table-lines.ts'
import { TableReader } from '../shared/tables/table-reader.ts'
import { openText } from '../shared/text-file.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { findDialect, noDelimiter, withoutProseCommas } from './csv-shape.ts'

const headUnits = 64 * 1024
/** If more lines begin with `#`, all of them are records. */
const maxComments = 50
const comment = /^#+\s*(?=\S)/

const columnName = (index: number): string => `column ${index + 1}`

const cellsOf = (fields: readonly string[]): Map<number, string> => {
  const cells = new Map<number, string>()
  for (const [column, field] of fields.entries()) {
    const cell = cleanText(field)
    if (cell.trim() !== '') cells.set(column, cell)
  }
  return cells
}

/** Whether a line that began with `#` is the header of the record below. */
const isHeaderOf = (fields: readonly string[], below: readonly string[]): boolean =>
  fields.length > 1 &&
  fields.length === below.length &&
  fields.every((field) => field.trim() !== '' && !isData(field)) &&
  below.some((field) => isData(field) || kindOf(field) === 'code')

/** Formulas remain unchanged, so an export to a spreadsheet must escape them. */
export const extractCsv: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)
  const { head, all } = await peekText(file.text, headUnits)
  const declared = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i.exec(head)
  const found = findDialect(head.slice(0, headUnits))
  const delimiter = declared?.[1] ?? found.delimiter
  const table = new TableReader({ letters: columnName, level: 1, isRecords: true, isList: delimiter === noDelimiter })
  let comments: CsvRecord[] | undefined = []
  /** Fields of the first record with several. */
  let usual = 0

  function* items(read: readonly TableItem[]): Generator<ExtractEvent> {
    for (const { rows, names, ...block } of read) yield* writer.block({ ...block, at: rows ? { rows } : {} }, names)
  }

  function* record({ row, fields, broken, cut }: CsvRecord): Generator<ExtractEvent> {
    const at = { rows: { from: row, to: row } }
    if (broken) {
      yield* writer.note(
        'row_unreadable',
        `Row ${row}: a quote is not closed or not in its place; the line was read as it stands.`,
        at,
      )
    }
    if (cut) yield* writer.note('value_cut', `Row ${row}: what was too long was left out.`, at)
    // Joining would also join column names after a blank, so it is disabled if the header has such names.
    if (usual === 0 && fields.length > 1)
      usual = fields.some((field) => field.startsWith(' ')) ? Number.POSITIVE_INFINITY : fields.length
    const cells = cellsOf(withoutProseCommas(fields, usual || Number.POSITIVE_INFINITY, delimiter))
    if (cells.size > 0) yield* items(table.add({ row, cells }))
  }

  /** Reads the comment lines above `next`; the last one may be the header. Without `next`, they are records. */
  function* takeComments(next?: CsvRecord): Generator<ExtractEvent> {
    const taken = comments ?? []
    comments = undefined
    for (const [index, line] of taken.entries()) {
      const { fields, row } = line
      const bare = [fields[0]?.replace(comment, '') ?? '', ...fields.slice(1)]
      if (!next) yield* record(line)
      else if (index === taken.length - 1 && isHeaderOf(bare, next.fields)) yield* record({ ...line, fields: bare })
      else yield* writer.block({ kind: 'text', text: bare.join(delimiter), at: { rows: { from: row, to: row } } })
    }
  }

  for await (const records of csvRecords(all, delimiter, found.quote)) {
    for (const line of records) {
      if (declared && line.row === 1) continue
      if (comments) {
        const isComment = comment.test(line.fields[0] ?? '')
        if (isComment) comments.push(line)
        if (isComment && comments.length <= maxComments) continue
        yield* takeComments(isComment ? undefined : line)
        if (isComment) continue
      }
      yield* record(line)
    }
    yield* writer.progress(file.bytes(), records.at(-1)?.row)
  }
  yield* takeComments()
  yield* items(table.end())
  yield* file.notes()
  writer.end()
}

import type { ExtractEvent, Extractor, Place } from '../block.ts'
import { type BlockWriter, blockWriter } from '../shared/block-writer.ts'
import { officeProperties, readXml } from '../shared/office-part.ts'
import type { TableItem } from '../shared/tables/table-lines.ts'
import { TableReader } from '../shared/tables/table-reader.ts'
import { shorten } from '../shared/tables/table-rows.ts'
import { tableParts } from '../shared/tables.ts'
import { openZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'
import { readAround, type SheetAround } from './around.ts'
import { readFormats } from './formats.ts'
import { gatherRanges, mergedRows, type SheetRanges } from './ranges.ts'
import { columnLetters, type SheetFacts, SheetReader, type SheetRow, sheetFacts } from './sheet.ts'
import { readSharedStrings } from './strings.ts'
import { readWorkbook } from './workbook.ts'

/** UTF-16 units of a cell's value quoted with its comment. */
const quotedUnits = 100

type Sheet = {
  readonly name: string
  readonly isHidden: boolean
  readonly ranges: SheetRanges
  readonly around: SheetAround
  readonly facts: SheetFacts
}

const listed = (count: number, one: string, names: readonly string[]): string[] =>
  count === 0
    ? []
    : [`${count} hidden ${one}${count === 1 ? '' : 's'} (${names.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`]

const sheetWriter = (writer: BlockWriter, { name: sheet, isHidden, ranges, around, facts }: Sheet) => {
  const filled = mergedRows(ranges.merges)
  let table: TableReader | undefined
  /** Cells that have a comment or a text box. */
  const values = new Map(around.texts.map(({ row, column }) => [`${row}:${column}`, '']))
  const rowsWithText = new Set(around.texts.map(({ row }) => row))

  const blocks = (items: readonly TableItem[]): ExtractEvent[] =>
    items.flatMap(({ rows, names, ...block }) =>
      writer.block({ ...block, at: { sheet, ...(rows ? { rows } : {}) } }, names),
    )

  const besideCells = (): ExtractEvent[] =>
    around.texts.flatMap(({ kind, row, column, text }) => {
      const cell = `${columnLetters(column)}${row}`
      const value = values.get(`${row}:${column}`)?.replace(/\s+/g, ' ').trim()
      const label = kind === 'box' ? `Text box at ${cell}` : `Comment on ${cell}${value ? ` (${value})` : ''}`
      return writer.block({ kind: 'text', text: `${label}: ${text}`, at: { sheet, rows: { from: row, to: row } } })
    })

  const charts = (): ExtractEvent[] =>
    around.charts.flatMap(({ title, rows }) => [
      ...(title === '' ? [] : writer.block({ kind: 'text', text: `Chart: ${title}`, at: { sheet } })),
      ...tableParts({ rows, header: 1 }).flatMap((text) => writer.block({ kind: 'table', text, at: { sheet } })),
    ])

  const notes = (): ExtractEvent[] => {
    const at: Place = { sheet }
    const hidden = [
      ...listed(facts.hiddenRows.size, 'row', [...facts.hiddenRows].map(String)),
      ...listed(facts.hiddenColumns.size, 'column', [...facts.hiddenColumns].sort((a, b) => a - b).map(columnLetters)),
    ]
    const unread = around.unread.join(', ')
    return [
      ...(isHidden && table ? writer.note('text_hidden', `Sheet "${sheet}" is hidden; its text was read.`, at) : []),
      ...(hidden.length > 0
        ? writer.note('text_hidden', `Sheet "${sheet}" has ${hidden.join(' and ')}; their text was read.`, at)
        : []),
      ...(unread
        ? writer.note('content_not_read', `Sheet "${sheet}" has content that was not read: ${unread}.`, at)
        : []),
    ]
  }

  const heading = (): ExtractEvent[] => writer.block({ kind: 'heading', level: 1, text: sheet, at: { sheet } }, true)

  return {
    row(row: SheetRow): ExtractEvent[] {
      const begun = table ? [] : heading()
      table ??= new TableReader({
        letters: columnLetters,
        level: 2,
        outer: sheet,
        hints: around.tables,
        filterRow: ranges.filter?.fromRow,
        frozenRow: facts.frozenRows,
      })
      if (rowsWithText.has(row.row)) {
        for (const [column, cell] of row.cells) {
          const key = `${row.row}:${column}`
          if (values.has(key)) values.set(key, shorten(cell, quotedUnits))
        }
      }
      const at = { sheet, rows: { from: row.row, to: row.row } }
      const cut = row.cut
        ? writer.note('value_cut', `Row ${row.row} of sheet "${sheet}": a cell was too long and was cut.`, at)
        : []
      return [...begun, ...cut, ...blocks(table.add(filled(row)))]
    },
    end(): ExtractEvent[] {
      const begun = table || around.texts.length + around.charts.length === 0 ? [] : heading()
      return [...begun, ...blocks(table?.end() ?? []), ...besideCells(), ...charts(), ...notes()]
    },
  }
}

/**
 * Reads row by row from the compressed parts. The library `xlsx` only formats numbers: it would hold a whole workbook
 * in memory, at 2 to 3 KB per row, with no limit.
 */
export const extractXlsx: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const ranges = await gatherRanges(zip)
    const workbook = await readWorkbook(zip)
    const properties = await officeProperties(zip)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const formats = await readFormats(zip, workbook.styles, workbook.date1904)
    const stringsRead = readSharedStrings(zip, workbook.strings)
    let step = await stringsRead.next()
    while (!step.done) step = await stringsRead.next()
    const strings = step.value
    for (const name of workbook.missing) {
      yield* writer.note('page_unreadable', `Sheet "${name}" is missing in the file.`, { sheet: name })
    }
    let rows = 0
    let bytes = 0
    let formulas = 0
    const firstFormulas: string[] = []
    for (const { name, part, isHidden } of workbook.sheets) {
      const facts = sheetFacts()
      const around = await readAround(zip, part)
      const sheet = sheetWriter(writer, { name, isHidden, ranges: ranges.get(part) ?? { merges: [] }, around, facts })
      let events: ExtractEvent[] = []
      const emit = (row: SheetRow): void => {
        rows++
        for (const event of sheet.row(row)) events.push(event)
      }
      const handler = new SheetReader({ strings, formats, facts, emit })
      for await (const read of readXml(zip, part, handler)) {
        const found = events
        events = []
        yield* found
        bytes += read
        yield* writer.progress(bytes, rows)
      }
      yield* events
      yield* sheet.end()
      formulas += facts.formulas
      if (firstFormulas.length < 3) firstFormulas.push(...facts.firstFormulas.map((cell) => `${name}!${cell}`))
    }
    if (formulas > 0) {
      const places = `${firstFormulas.slice(0, 3).join(', ')}${formulas > 3 ? ', …' : ''}`
      const which = formulas === 1 ? '1 cell has a formula' : `${formulas} cells have formulas`
      yield* writer.note(
        'formula_without_value',
        `${which} whose result is not stored in the file: ${places}. Open the file in a spreadsheet program, save it, and upload it again.`,
      )
    }
    if (strings.missing() > 0)
      yield* writer.note('row_unreadable', `The texts of ${strings.missing()} cells are missing in the file.`)
    try {
      writer.end()
    } catch (error) {
      const hasMissing = workbook.missing.length > 0 || strings.missing() > 0
      throw hasMissing
        ? unreadable('damaged', 'The sheets, or the texts of their cells, are missing in the file.')
        : error
    }
  } finally {
    zip.close()
  }
}

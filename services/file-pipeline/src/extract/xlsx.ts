import type { ExtractEvent, Extractor } from './block.ts'
import { type BlockWriter, blockWriter } from './block-writer.ts'
import { mainPart, officeProperties, readSmallXml, readXml, relationsOf, relationsPart } from './office-part.ts'
import { type Columns, columnsOf } from './table-rows.ts'
import { unreadable } from './unreadable.ts'
import { readFormats } from './xlsx-formats.ts'
import { cellRange, columnLetters, type Range, type SheetRow, sheetRows } from './xlsx-sheet.ts'
import { readSharedStrings } from './xlsx-strings.ts'
import { type CheckedZip, checkZip, openZip, overlap } from './zip-check.ts'

const maxSheets = 1000
const maxMerges = 20_000

type Workbook = {
  readonly sheets: readonly { name: string; part: string }[]
  /** Names of sheets that the workbook lists but the file does not contain. */
  readonly missing: readonly string[]
  readonly date1904: boolean
  strings?: string
  styles?: string
}

const readWorkbook = async (zip: CheckedZip): Promise<Workbook> => {
  const main = await mainPart(zip)
  if (!zip.entries.has(relationsPart(main)))
    throw unreadable('damaged', 'The part that says where the sheets are is missing.')
  const relations = await relationsOf(zip, main)
  const parts = new Map(relations.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]))
  const sheets: { name: string; part: string }[] = []
  const missing: string[] = []
  let date1904 = false
  await readSmallXml(zip, main, {
    open(name, attribute) {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '')
      const part = name === 'sheet' ? parts.get(attribute('r:id') ?? attribute('id') ?? '') : undefined
      if (part === undefined) return
      const title = (attribute('name') ?? '').slice(0, 200)
      if (sheets.length + missing.length >= maxSheets)
        throw unreadable('too_large_to_process', `The workbook has more than ${maxSheets} sheets.`)
      if (zip.entries.has(part)) sheets.push({ name: title, part })
      else missing.push(title)
    },
  })
  const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.target
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')]
  return { sheets, missing, date1904, ...(strings ? { strings } : {}), ...(styles ? { styles } : {}) }
}

/** Collects merged cells while the archive is checked: they follow their sheet's rows but are needed before them. */
const gatherMerges = async (zip: CheckedZip): Promise<Map<string, Range[]>> => {
  const merges = new Map<string, Range[]>()
  let count = 0
  await checkZip(zip, (name, text) => {
    if (!text.includes('mergeCell')) return
    for (const { index, 0: whole, 1: reference } of text.matchAll(
      /<(?:\w+:)?mergeCell [^<>]{0,40}?ref="([A-Z0-9:]{1,40})"/g,
    )) {
      // The previous piece already matched references within the overlap, except in the first piece.
      const range = cellRange(reference ?? '')
      if (!range || count >= maxMerges || index + whole.length > text.length) continue
      const ranges = merges.get(name) ?? []
      const last = ranges.at(-1)
      if (index < overlap && last && last.fromRow === range.fromRow && last.fromColumn === range.fromColumn) continue
      ranges.push(range)
      merges.set(name, ranges)
      count++
    }
  })
  for (const ranges of merges.values()) ranges.sort((a, b) => a.fromRow - b.fromRow)
  return merges
}

/** Fills merged cells in the rows below the first one, which alone holds the value. */
const mergedDown = (ranges: readonly Range[]) => {
  let next = 0
  let active: { range: Range; value: string | undefined }[] = []
  return ({ row, cells }: SheetRow): ReadonlyMap<number, string> => {
    active = active.filter(({ range }) => range.toRow >= row)
    for (let range = ranges[next]; range && range.fromRow <= row; range = ranges[++next]) {
      if (range.toRow > range.fromRow && range.toRow >= row) {
        active.push({ range, value: range.fromRow === row ? cells.get(range.fromColumn) : undefined })
      }
    }
    const missing = active.filter(({ range, value }) => value !== undefined && !cells.has(range.fromColumn))
    if (missing.length === 0) return cells
    const all = [...cells, ...missing.map(({ range, value }) => [range.fromColumn, value ?? ''] as const)]
    return new Map(all.sort(([a], [b]) => a - b))
  }
}

/** Returns column names; a name that spans columns applies to each. */
const columnNames = ({ row, cells }: SheetRow, ranges: readonly Range[]): Map<number, string> => {
  const names = new Map(cells)
  for (const { fromRow, toRow, fromColumn, toColumn } of ranges) {
    const name = cells.get(fromColumn)
    if (fromRow > row || toRow < row || name === undefined) continue
    for (let column = fromColumn; column <= toColumn; column++) if (!names.has(column)) names.set(column, name)
  }
  return names
}

/** Converts the rows of one sheet to events. The first non-empty row names the columns. */
const sheetWriter = (writer: BlockWriter, sheet: string, ranges: readonly Range[]) => {
  const filled = mergedDown(ranges)
  let first: SheetRow | undefined
  let columns: Columns | undefined

  const write = (row: SheetRow, { header, row: line }: Columns): ExtractEvent[] => {
    const at = { sheet, rows: { from: row.row, to: row.row } }
    const cut = row.cut
      ? writer.note('value_cut', `Row ${row.row} of sheet "${sheet}": a cell was too long and was cut.`, at)
      : []
    return [...cut, ...writer.block({ kind: 'row', text: line(filled(row)), ...(header ? { header } : {}), at })]
  }

  return {
    row(row: SheetRow): ExtractEvent[] {
      if (!first) {
        first = row
        return writer.block({ kind: 'heading', level: 1, text: sheet, at: { sheet } }, true)
      }
      if (!columns) {
        columns = columnsOf(columnNames(first, ranges), columnLetters)
        filled(first)
      }
      return write(row, columns)
    },
    /** A sheet of one row has no table below the names, so they are its text. */
    end: (): ExtractEvent[] => (first && !columns ? write(first, columnsOf(undefined, columnLetters)) : []),
  }
}

/**
 * Reads sheet by sheet and row by row from the compressed parts. The library `xlsx` only formats numbers: it would hold
 * a whole workbook in memory, at 2 to 3 KB per row, with no limit on the file's rows.
 */
export const extractXlsx: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const merges = await gatherMerges(zip)
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
    for (const { name, part } of workbook.sheets) {
      const sheet = sheetWriter(writer, name, merges.get(part) ?? [])
      let events: ExtractEvent[] = []
      const handler = sheetRows(strings, formats, (row) => {
        rows++
        for (const event of sheet.row(row)) events.push(event)
      })
      for await (const read of readXml(zip, part, handler)) {
        const found = events
        events = []
        yield* found
        bytes += read
        yield* writer.progress(bytes, rows)
      }
      yield* events
      yield* sheet.end()
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

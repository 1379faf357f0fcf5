import { type Chart, readCharts } from '../shared/charts.ts'
import { readSmallXml, relationsOf } from '../shared/office-part.ts'
import type { TableHint } from '../shared/tables/table-row.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { cellAddress, cellRange } from './sheet.ts'
import { unescapeCell } from './strings.ts'

/** Bytes of a part; UTF-16 units of all texts of a sheet. */
const maxPartBytes = 16 * 1024 * 1024
const maxUnits = 4 * 1024 * 1024
const maxTexts = 20_000
const maxTables = 1000

export type CellText = {
  readonly kind: 'comment' | 'box'
  readonly row: number
  readonly column: number
  readonly text: string
}

export type SheetAround = {
  readonly tables: readonly TableHint[]
  /** By row, then column. */
  readonly texts: readonly CellText[]
  readonly charts: readonly Chart[]
  /** Such as `2 pictures`. */
  readonly unread: readonly string[]
}

const counted = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** Tables, comments, text boxes and charts of a sheet. */
export const readAround = async (zip: CheckedZip, part: string): Promise<SheetAround> => {
  const tables: TableHint[] = []
  const texts: CellText[] = []
  let units = 0
  let dropped = 0
  const charts: Chart[] = []
  let [pictures, unreadCharts] = [0, 0]
  const add = (text: CellText) => {
    const clean = unescapeCell(text.text).trim()
    if (clean === '') return
    units += clean.length
    if (units > maxUnits || texts.length >= maxTexts) dropped++
    else texts.push({ ...text, text: clean })
  }

  const readTable = (target: string) =>
    readSmallXml(zip, target, {
      open(name, attribute) {
        const range = name === 'table' ? cellRange(attribute('ref') ?? '') : undefined
        const headerRows = Number(attribute('headerRowCount') ?? 1)
        if (range && tables.length < maxTables) tables.push({ ...range, headerRows: headerRows === 0 ? 0 : 1 })
      },
    })

  const readComments = (target: string, element: 'comment' | 'threadedComment') => {
    let at: { row: number; column: number } | undefined
    let text = ''
    let isText = false
    let phonetic = 0
    return readSmallXml(zip, target, {
      open(name, attribute) {
        if (name === element) {
          at = cellAddress(attribute('ref') ?? '')
          text = ''
        }
        if (name === 'rPh') phonetic++
        isText = phonetic === 0 && (name === 't' || (element === 'threadedComment' && name === 'text'))
      },
      close(name) {
        if (name === 'rPh') phonetic--
        // Excel also writes a threaded comment for older programs, after a notice.
        if (name === element && at && !/^\[Threaded comment\]/.test(text)) add({ kind: 'comment', ...at, text })
        isText = false
      },
      text(more) {
        if (isText && text.length < maxUnits) text += more
      },
    })
  }

  const readDrawing = async (target: string) => {
    const found = await readCharts(zip, await relationsOf(zip, target))
    charts.push(...found.values())
    unreadCharts -= found.size
    let place: 'row' | 'col' | undefined
    let from = false
    let at = { row: 1, column: 0 }
    let text = ''
    let isText = false
    return readSmallXml(zip, target, {
      open(name) {
        if (name === 'from') from = true
        place = from && (name === 'row' || name === 'col') ? name : undefined
        if (name === 'txBody') text = ''
        if (name === 'pic') pictures++
        if (name === 'graphicFrame') unreadCharts++
        if (name === 'br') text += '\n'
        isText = name === 't'
      },
      close(name) {
        if (name === 'from') from = false
        if (name === 'p') text += '\n'
        if (name === 'txBody') add({ kind: 'box', ...at, text })
        place = undefined
        isText = false
      },
      text(more) {
        const number = Number(more)
        if (place && Number.isInteger(number))
          at = place === 'row' ? { ...at, row: number + 1 } : { ...at, column: number }
        if (isText && text.length < maxUnits) text += more
      },
    })
  }

  const readers: Readonly<Record<string, (target: string) => Promise<void>>> = {
    table: readTable,
    comments: (target) => readComments(target, 'comment'),
    threadedComment: (target) => readComments(target, 'threadedComment'),
    drawing: readDrawing,
  }
  let objects = 0
  for (const { type, target } of await relationsOf(zip, part)) {
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (type === 'oleObject' || type === 'package') objects++
    if (!read) continue
    if ((zip.entries.get(target)?.uncompressedSize ?? 0) > maxPartBytes) dropped++
    else await read(target)
  }
  texts.sort((a, b) => a.row - b.row || a.column - b.column)
  return {
    tables,
    texts,
    charts,
    unread: [
      ...counted(pictures, 'picture'),
      ...counted(Math.max(0, unreadCharts), 'chart'),
      ...counted(objects, 'embedded file'),
      ...counted(dropped, 'comment or text box', 'comments or text boxes'),
    ],
  }
}

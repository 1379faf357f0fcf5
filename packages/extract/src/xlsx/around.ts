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
/** Types of the relations of a sheet whose parts are read. */
const partTypes: ReadonlySet<string> = new Set(['table', 'comments', 'threadedComment', 'drawing'])

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

class CellTexts {
  readonly #texts: CellText[] = []
  #units = 0
  dropped = 0

  add(text: CellText): void {
    const clean = unescapeCell(text.text).trim()
    if (clean === '') return
    this.#units += clean.length
    if (this.#units > maxUnits || this.#texts.length >= maxTexts) this.dropped++
    else this.#texts.push({ ...text, text: clean })
  }

  sorted(): readonly CellText[] {
    return this.#texts.toSorted((a, b) => a.row - b.row || a.column - b.column)
  }
}

const readTable = (zip: CheckedZip, target: string, tables: TableHint[]): Promise<void> =>
  readSmallXml(zip, target, {
    open(name, attribute) {
      const range = name === 'table' ? cellRange(attribute('ref') ?? '') : undefined
      const headerRows = Number(attribute('headerRowCount') ?? 1)
      if (range && tables.length < maxTables) tables.push({ ...range, headerRows: headerRows === 0 ? 0 : 1 })
    },
  })

const readComments = (
  zip: CheckedZip,
  target: string,
  element: 'comment' | 'threadedComment',
  texts: CellTexts,
): Promise<void> => {
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
      if (name === element && at && !/^\[Threaded comment\]/.test(text)) texts.add({ kind: 'comment', ...at, text })
      isText = false
    },
    text(more) {
      if (isText && text.length < maxUnits) text += more
    },
  })
}

/** Adds text boxes to `texts`; returns the charts and the counts of pictures and of all charts. */
const readDrawing = async (zip: CheckedZip, target: string, texts: CellTexts) => {
  const charts = await readCharts(zip, await relationsOf(zip, target))
  let [pictures, frames] = [0, 0]
  let place: 'row' | 'col' | undefined
  let from = false
  let at = { row: 1, column: 0 }
  let text = ''
  let isText = false
  await readSmallXml(zip, target, {
    open(name) {
      if (name === 'from') from = true
      place = from && (name === 'row' || name === 'col') ? name : undefined
      if (name === 'txBody') text = ''
      if (name === 'pic') pictures++
      if (name === 'graphicFrame') frames++
      if (name === 'br') text += '\n'
      isText = name === 't'
    },
    close(name) {
      if (name === 'from') from = false
      if (name === 'p') text += '\n'
      if (name === 'txBody') texts.add({ kind: 'box', ...at, text })
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
  return { charts: [...charts.values()], pictures, unreadCharts: frames - charts.size }
}

/** Tables, comments, text boxes and charts of a sheet. */
export const readAround = async (zip: CheckedZip, part: string): Promise<SheetAround> => {
  const texts = new CellTexts()
  const tables: TableHint[] = []
  const charts: Chart[] = []
  let [pictures, unreadCharts, objects] = [0, 0, 0]
  for (const { type, target } of await relationsOf(zip, part)) {
    if (type === 'oleObject' || type === 'package') objects++
    if (!partTypes.has(type)) continue
    if ((zip.entries.get(target)?.uncompressedSize ?? 0) > maxPartBytes) texts.dropped++
    else if (type === 'table') await readTable(zip, target, tables)
    else if (type === 'comments') await readComments(zip, target, 'comment', texts)
    else if (type === 'threadedComment') await readComments(zip, target, 'threadedComment', texts)
    else {
      const drawing = await readDrawing(zip, target, texts)
      charts.push(...drawing.charts)
      pictures += drawing.pictures
      unreadCharts += drawing.unreadCharts
    }
  }
  return {
    tables,
    texts: texts.sorted(),
    charts,
    unread: [
      ...counted(pictures, 'picture'),
      ...counted(Math.max(0, unreadCharts), 'chart'),
      ...counted(objects, 'embedded file'),
      ...counted(texts.dropped, 'comment or text box', 'comments or text boxes'),
    ],
  }
}

import type { PlacedStretch } from '@cairn/domain/text/places'
import { cleanText } from '../clean-text.ts'
import { isData } from './cell-kinds.ts'
import type { TableRow } from './table-row.ts'

/** In reading order. */
export type TableItem = {
  readonly kind: 'heading' | 'text' | 'row'
  readonly text: string
  readonly level?: number
  readonly header?: string
  readonly rows?: { readonly from: number; readonly to: number }
  readonly places?: readonly PlacedStretch[]
  /** The text only repeats the name of a part of the file, such as a sheet. */
  readonly names?: boolean
}

/** A row of one cell, or of a few cells above a table. */
export type Line = { readonly text: string; readonly row: number; readonly region: number }

export const maxTitleUnits = 200

const cleanCells = ({ cells }: TableRow): string[] =>
  Array.from(cells.values(), (cell) => cleanText(cell).trim()).filter(Boolean)

/** `Member since: 2009`. */
export const formText = (row: TableRow): string => {
  const cells = cleanCells(row)
  const lines: string[] = []
  const byColon = cells.some((cell) => /[:：]$/.test(cell))
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    const next = cells[index + 1]
    const isLabel = next !== undefined && (byColon ? /[:：]$/.test(cell) : index % 2 === 0)
    if (!isLabel) lines.push(cell)
    else {
      lines.push(`${cell.replace(/\s*[:：]$/, '')}: ${next}`)
      index++
    }
  }
  return lines.join('\n')
}

export const lineText = (row: TableRow): string => (row.cells.size === 2 ? formText(row) : cleanCells(row).join(' | '))

/** Whether a row of one cell is a remark rather than a record. */
export const isNote = (row: TableRow): boolean => {
  const [cell = ''] = row.cells.values()
  const text = cell.trim()
  return (
    (row.spans?.size ?? 0) > 0 ||
    text.split(/\s+/, 8).length > 7 ||
    /^[*†‡¹²#]\s*\p{L}|^(?:notes?|source|remarks?)\s*:/iu.test(text)
  )
}

const isHeading = (text: string): boolean =>
  !isData(text) && text.length <= maxTitleUnits && !text.includes('\n') && !/[\p{L})][.!?]$/u.test(text)

/** Lines are titles if a table follows, else text. Lines of one region form one text. */
export const itemsOfLines = (lines: readonly Line[], isTitle: boolean, level: number): TableItem[] => {
  const [first] = lines
  const final = lines.findLast((line) => line.region !== first?.region && isHeading(line.text))
  const items: TableItem[] = []
  let text: Line[] = []
  const takeText = () => {
    const [from] = text
    const rows = { from: from?.row ?? 0, to: text.at(-1)?.row ?? 0 }
    if (from) items.push({ kind: 'text', text: text.map((line) => line.text).join('\n'), rows })
    text = []
  }
  for (const line of lines) {
    if (isTitle && (line === first || line === final) && isHeading(line.text)) {
      takeText()
      const own = Math.min(6, line === first ? level : level + 1)
      items.push({ kind: 'heading', level: own, text: line.text, rows: { from: line.row, to: line.row } })
    } else {
      if (text.length > 0 && text.at(-1)?.region !== line.region) takeText()
      text.push(line)
    }
  }
  takeText()
  return items
}

import type { Element } from '../shared/document.ts'
import type { HtmlFlow } from './flow.ts'
import { attributeOf, type HtmlElement } from './tree.ts'

/** Deeper tables are read as text: their blocks are built by recursion. */
const maxDepth = 8
const maxSpan = 1_000

type Row = { readonly cells: Element[]; isHeader: boolean }
type Table = { readonly rows: Element[]; head: boolean; row: Row }

const spanOf = (element: HtmlElement, name: string): number => {
  const value = Number.parseInt(attributeOf(element, name) ?? '1', 10)
  // `rowspan="0"` extends a cell to the end of the table.
  if (value === 0 && name === 'rowspan') return maxSpan
  return value >= 1 ? Math.min(maxSpan, value) : 1
}

/** The HTML parser has put the elements in order. */
export const htmlTables = (flow: HtmlFlow) => {
  const tables: Table[] = []
  let flat = 0
  const newRow = (): Row => ({ cells: [], isHeader: true })

  const open = (element: HtmlElement): boolean => {
    if (element.name === 'table') {
      if (tables.length === maxDepth) flat++
      else {
        flow.beginFrame()
        tables.push({ rows: [], head: false, row: newRow() })
      }
      return true
    }
    const table = tables.at(-1)
    if (!table || flat > 0) return false
    if (element.name === 'thead') table.head = true
    else if (element.name === 'tr') table.row = newRow()
    else if (element.name === 'td' || element.name === 'th') flow.beginFrame()
    else return false
    return true
  }

  const close = (element: HtmlElement): boolean => {
    const table = tables.at(-1)
    if (!table) return false
    if (element.name === 'table' && flat > 0) flat--
    else if (element.name === 'table') {
      tables.pop()
      // Besides rows, a table has only a caption.
      flow.add(...flow.endFrame(), { type: 'table', children: table.rows })
    } else if (flat > 0) return false
    else if (element.name === 'thead') table.head = false
    else if (element.name === 'tr') {
      const { cells, isHeader } = table.row
      if (cells.length > 0) table.rows.push({ type: 'tableRow', isHeader: isHeader || table.head, children: cells })
    } else if (element.name === 'td' || element.name === 'th') {
      if (element.name === 'td') table.row.isHeader = false
      const [colSpan, rowSpan] = [spanOf(element, 'colspan'), spanOf(element, 'rowspan')]
      table.row.cells.push({ type: 'tableCell', colSpan, rowSpan, children: flow.endFrame() })
    } else return false
    return true
  }
  return { open, close }
}

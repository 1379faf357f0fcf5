import { changeInnermost, type Handler, handleEach, handlersOf, type NamedHandlers, skip } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'
import { isOn } from './is-on.ts'

type Row = { isHeader: boolean; isDeleted: boolean; before: number }
type Cell = { span: number; merge?: string }

const maxSpan = 1000
const numberOf = (value: string | undefined): number =>
  Math.max(0, Math.min(maxSpan, Number.parseInt(value ?? '', 10) || 0))

const spanXml = (span: number): string => (span > 1 ? `<w:gridSpan w:val="${span}"/>` : '')

/** Keeps the attributes that mammoth needs to merge cells. */
export const tableHandlers = (context: DocxContext): NamedHandlers => ({
  ...handleEach(['tblPr', 'tblGrid', 'tblPrEx'], skip),
  tbl: beginTable(context),
  ...rowHandlers(context),
  ...cellHandlers(context),
})

const beginTable =
  ({ flow }: DocxContext): Handler =>
  () => {
    flow.beginFrame()
    flow.write('<w:tbl>')
    return {
      end: () => {
        flow.write('</w:tbl>')
        flow.endFrame()
      },
    }
  }

const rowHandlers = ({ flow }: DocxContext): NamedHandlers => {
  const rows: Row[] = []
  const change = changeInnermost(rows)
  const properties = handlersOf({
    tblHeader: change((row, value) => (row.isHeader = isOn(value))),
    gridBefore: change((row, value) => (row.before = numberOf(value))),
    del: change((row) => (row.isDeleted = true)),
    trPrChange: skip,
  })
  const writeProperties = (): void => {
    const row = rows.at(-1)
    if (row?.isHeader) flow.write('<w:trPr><w:tblHeader/></w:trPr>')
    if (row && row.before > 0) flow.write(`<w:tc><w:tcPr>${spanXml(row.before)}</w:tcPr></w:tc>`)
  }
  const begin: Handler = () => {
    const row = { isHeader: false, isDeleted: false, before: 0 }
    rows.push(row)
    const remove = flow.mark()
    flow.write('<w:tr>')
    return {
      end: () => {
        rows.pop()
        flow.write('</w:tr>')
        if (row.isDeleted) remove()
      },
    }
  }
  return { tr: begin, trPr: () => ({ children: properties, end: writeProperties }) }
}

const cellHandlers = ({ flow }: DocxContext): NamedHandlers => {
  const cells: Cell[] = []
  const change = changeInnermost(cells)
  const properties = handlersOf({
    gridSpan: change((cell, value) => (cell.span = numberOf(value))),
    vMerge: change((cell, value) => (cell.merge = value === 'restart' ? value : 'continue')),
    tcPrChange: skip,
  })
  const writeProperties = (): void => {
    const cell = cells.at(-1)
    if (!cell || (cell.span <= 1 && !cell.merge)) return
    const merge = cell.merge ? `<w:vMerge w:val="${cell.merge}"/>` : ''
    flow.write(`<w:tcPr>${spanXml(cell.span)}${merge}</w:tcPr>`)
  }
  const begin: Handler = () => {
    cells.push({ span: 1 })
    flow.write('<w:tc>')
    flow.beginFrame()
    return {
      end: () => {
        cells.pop()
        flow.endFrame()
        flow.write('</w:tc>')
      },
    }
  }
  return { tc: begin, tcPr: () => ({ children: properties, end: writeProperties }) }
}

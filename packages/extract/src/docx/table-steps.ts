import type { Handler, Handlers } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'
import { isOn } from './fields.ts'

type Row = { isHeader: boolean; isDeleted: boolean; before: number }
type Cell = { span: number; merge?: string }

const maxSpan = 1000
const numberOf = (value: string | undefined): number =>
  Math.max(0, Math.min(maxSpan, Number.parseInt(value ?? '', 10) || 0))

/** Keeps the attributes that mammoth needs to merge cells. */
export const tableHandlers = ({ flow }: DocxContext): [string, Handler][] => {
  const rows: Row[] = []
  const cells: Cell[] = []
  const change =
    <T>(list: readonly T[], act: (item: T, value: string | undefined) => void): Handler =>
    (attribute) => {
      const item = list.at(-1)
      if (item) act(item, attribute('val'))
      return undefined
    }
  const skip: Handler = () => 'skip'

  const rowProperties: Handlers = new Map<string, Handler>([
    ['tblHeader', change(rows, (row, value) => (row.isHeader = isOn(value)))],
    ['gridBefore', change(rows, (row, value) => (row.before = numberOf(value)))],
    ['del', change(rows, (row) => (row.isDeleted = true))],
    ['trPrChange', skip],
  ])
  const cellProperties: Handlers = new Map<string, Handler>([
    ['gridSpan', change(cells, (cell, value) => (cell.span = numberOf(value)))],
    ['vMerge', change(cells, (cell, value) => (cell.merge = value === 'restart' ? value : 'continue'))],
    ['tcPrChange', skip],
  ])
  const spanXml = (span: number): string => (span > 1 ? `<w:gridSpan w:val="${span}"/>` : '')

  return [
    [
      'tbl',
      () => {
        flow.beginFrame()
        flow.write('<w:tbl>')
        return {
          end: () => {
            flow.write('</w:tbl>')
            flow.endFrame()
          },
        }
      },
    ],
    [
      'tr',
      () => {
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
      },
    ],
    [
      'trPr',
      () => ({
        children: rowProperties,
        end: () => {
          const row = rows.at(-1)
          if (row?.isHeader) flow.write('<w:trPr><w:tblHeader/></w:trPr>')
          if (row && row.before > 0) flow.write(`<w:tc><w:tcPr>${spanXml(row.before)}</w:tcPr></w:tc>`)
        },
      }),
    ],
    [
      'tc',
      () => {
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
      },
    ],
    [
      'tcPr',
      () => ({
        children: cellProperties,
        end: () => {
          const cell = cells.at(-1)
          if (!cell || (cell.span <= 1 && !cell.merge)) return
          const merge = cell.merge ? `<w:vMerge w:val="${cell.merge}"/>` : ''
          flow.write(`<w:tcPr>${spanXml(cell.span)}${merge}</w:tcPr>`)
        },
      }),
    ],
    ...['tblPr', 'tblGrid', 'tblPrEx'].map((name): [string, Handler] => [name, skip]),
  ]
}

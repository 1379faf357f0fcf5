import type { Element } from '../shared/document.ts'
import { type NamedHandlers, on } from '../shared/xml-steps.ts'
import type { Paragraph } from './shape.ts'

type Cell = Element & { readonly colSpan: number; readonly rowSpan: number; readonly children: Element[] }
type Row = Element & { readonly children: Cell[] }

const maxSpan = 500
const spanOf = (value: string | undefined): number =>
  Math.max(1, Math.min(maxSpan, Number.parseInt(value ?? '', 10) || 1))
const isSet = (value: string | undefined): boolean => value === '1' || value === 'true'

const unitsOf = ({ children }: Cell): number => children.reduce((sum, { value = '' }) => sum + value.length, 1)

/**
 * Tables become elements like mammoth's, so that they are read like tables of documents. `hold` counts the text that
 * filling merged cells adds.
 */
export const tableHandlers = (onTable: (table: Element) => void, hold: (units: number) => void) => {
  let rows: Row[] | undefined
  let cell: { paragraphs: Paragraph[]; isCovered: boolean; colSpan: number; rowSpan: number } | undefined

  const handlers: NamedHandlers = {
    tbl: () => {
      const begun: Row[] = []
      rows = begun
      return {
        end: () => {
          for (const [index, row] of begun.entries())
            for (const one of row.children)
              hold(unitsOf(one) * (one.colSpan * Math.min(one.rowSpan, begun.length - index) - 1))
          onTable({ type: 'table', children: begun })
          rows = undefined
        },
      }
    },
    tr: on(() => rows?.push({ type: 'tableRow', children: [] })),
    tc: (attribute) => {
      const row = rows?.at(-1)
      const begun = {
        paragraphs: [],
        isCovered: isSet(attribute('hMerge')) || isSet(attribute('vMerge')),
        colSpan: spanOf(attribute('gridSpan')),
        rowSpan: spanOf(attribute('rowSpan')),
      }
      cell = begun
      return {
        end: () => {
          cell = undefined
          if (begun.isCovered) return
          const { colSpan, rowSpan } = begun
          const children = begun.paragraphs.map(({ text }: Paragraph) => ({ type: 'text', value: text }))
          row?.children.push({ type: 'tableCell', colSpan, rowSpan, children })
        },
      }
    },
  }
  return { handlers, paragraphs: (): Paragraph[] | undefined => cell?.paragraphs }
}

import { maxBlockUnits } from './block-writer.ts'
import { oneLine } from './clean-text.ts'
import type { Element } from './document.ts'

const maxColumns = 500
const maxHeaderRows = 3

type Rows = {
  readonly rows: readonly (readonly string[])[]
  readonly header: number
}

const hasText = ({ type, value, children }: Element): boolean =>
  type === 'text' ? /\S/.test(value ?? '') : type === 'noteReference' || (children ?? []).some(hasText)

const span = (cell: Element): number => Math.max(1, Math.min(maxColumns, cell.colSpan ?? 1))

/** Rows marked as header, or those that merged cells of the first row combine. */
const headerRows = (table: readonly Element[], rows: readonly (readonly string[])[]): number => {
  const marked = table.findIndex((row) => !row.isHeader)
  if (marked > 1) return marked
  const first = table[0]?.children ?? []
  const across = first.filter((cell) => span(cell) > 1)
  if (across.length === 0) return 1
  const down = first.reduce((max, { rowSpan = 1 }) => Math.max(max, rowSpan), 1)
  // A cell that extends below the presumed header makes it content.
  const reachesOut = (row: Element, index: number) =>
    (row.children ?? []).some((cell) => index + (cell.rowSpan ?? 1) > down)
  // Later rows with the first row's merging pattern are groups, so the first rows are content.
  const isGroup = ({ children = [] }: Element) =>
    children.some((cell) => span(cell) > 1) && children.some(({ rowSpan = 1 }) => rowSpan > 1)
  if (down > 1) return table.slice(0, down).some(reachesOut) || table.slice(down).some(isGroup) ? 1 : down
  // Column names stand below the name of their group; a column outside of the groups has one name, above or below.
  const [groups = [], names = []] = rows
  const alone: number[] = []
  let column = 0
  for (const cell of first) {
    if (span(cell) === 1) alone.push(column)
    column += span(cell)
  }
  const named = alone.every((index) => (groups[index] ?? '').trim() === '' || (names[index] ?? '').trim() === '')
  const all = names.length === groups.length && alone.length > 0
  return all && named && names.every((name, index) => name.trim() !== '' || alone.includes(index)) ? 2 : 1
}

/** Titles are leading rows of one cell across the whole table. A table of only such rows has none. */
export const splitTitles = ({
  children: rows = [],
}: Element): { titles: readonly Element[]; rows: readonly Element[] } => {
  const widthOf = ({ children = [] }: Element) => children.reduce((sum, cell) => sum + span(cell), 0)
  const width = rows.reduce((max, row) => Math.max(max, widthOf(row)), 0)
  const isTitle = ({ children = [] }: Element): boolean =>
    width > 1 && children.length === 1 && children.every((cell) => span(cell) === width && (cell.rowSpan ?? 1) === 1)
  const first = rows.findIndex((row) => hasText(row) && !isTitle(row))
  return { titles: first > 0 ? rows.slice(0, first) : [], rows: first > 0 ? rows.slice(first) : rows }
}

/** Rows with text, as texts of cells; merged cells are filled. */
export const tableRows = (table: readonly Element[], textOf: (cell: Element) => string): Rows => {
  const rows: string[][] = []
  const found: Element[] = []
  /** By column: cell text that spans rows, and how many it still covers. */
  const reaching = new Map<number, { text: string; rows: number }>()
  const takeReaching = (cells: string[]) => {
    for (let above = reaching.get(cells.length); above && above.rows > 0; above = reaching.get(cells.length)) {
      above.rows--
      cells.push(above.text)
    }
  }
  for (const row of table) {
    const cells: string[] = []
    for (const cell of row.children ?? []) {
      takeReaching(cells)
      const text = textOf(cell)
      const down = (cell.rowSpan ?? 1) - 1
      for (let left = span(cell); left > 0 && cells.length < maxColumns; left--) {
        if (down > 0) reaching.set(cells.length, { text, rows: down })
        cells.push(text)
      }
    }
    takeReaching(cells)
    if (cells.every((cell) => cell.trim() === '')) continue
    rows.push(cells)
    found.push(row)
  }
  return { rows, header: Math.min(maxHeaderRows, headerRows(found, rows), Math.max(1, rows.length - 1)) }
}

/** Each part begins with the header, unless it is long. */
export const tableParts = ({ rows, header }: Rows): string[] => {
  if (rows.length === 0) return []
  const width = Math.min(
    maxColumns,
    rows.reduce((max, { length }) => Math.max(max, length), 0),
  )
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => oneLine((cells[index] ?? '').replaceAll('|', '\\|'))).join(' | ')} |`
  const names = Array.from({ length: width }, (_, index) =>
    [...new Set(rows.slice(0, header).map((row) => oneLine(row[index] ?? '')))].join(' '),
  )
  const head = [line(names), `| ${Array.from({ length: width }, () => '---').join(' | ')} |`]
  const headUnits = head.join('\n').length
  const parts: string[] = []
  let lines = [...head]
  let units = headUnits
  const end = () => {
    parts.push(lines.join('\n'))
    lines = headUnits < maxBlockUnits / 10 ? [...head] : []
    units = lines.length > 0 ? headUnits : 0
  }
  for (const row of rows.slice(header)) {
    const text = line(row)
    if (units + text.length + 1 > maxBlockUnits && lines.length > 2) end()
    lines.push(text)
    units += text.length + 1
  }
  if (lines.length > 2 || parts.length === 0) end()
  return parts
}

const columnsIn = (table: Element): number =>
  (table.children ?? []).reduce((max, row) => Math.max(max, row.children?.length ?? 0), 0)

const contentOf = (cell: Element) => {
  const filled = (cell.children ?? []).filter(hasText)
  const paragraphs = filled.filter(({ type }) => type === 'paragraph')
  return {
    blocks: filled.length,
    headings: paragraphs.filter(({ styleId }) => styleId?.startsWith('heading')).length,
    plain: paragraphs.filter(({ styleId }) => !styleId).length,
    grids: filled.filter(({ type, children }) => type === 'table' && (children ?? []).length > 1).length,
  }
}

const textOfPage = 3
const longPage = 6

/** True for a cell that holds a section with a heading, or running text around another table. */
export const isLayout = (table: Element): boolean => {
  const rows = (table.children ?? []).map((row) => (row.children ?? []).map(contentOf))
  const cells = rows.flat()
  if (columnsIn(table) === 1 && cells.some(({ blocks, headings, grids }) => blocks > 1 || headings > 0 || grids > 0))
    return true
  if (rows.length === 1 && (cells.length === 1 || cells.some(({ blocks }) => blocks > 1))) return true
  if (
    cells.some(
      ({ headings, blocks, grids, plain }) => (headings > 0 && blocks > 1) || (grids > 0 && plain >= textOfPage),
    )
  )
    return true
  if (rows.length <= 2 && cells.some(({ plain }) => plain >= longPage)) return true
  return rows.some(
    (row) =>
      row.some(({ headings }) => headings > 0) &&
      row.some(({ headings, plain }) => headings === 0 && plain >= textOfPage),
  )
}

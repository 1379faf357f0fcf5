import type { Block } from './block.ts'
import { maxBlockUnits } from './block-writer.ts'
import type { Element } from './docx-document.ts'

type Part = Omit<Block, 'seq' | 'at'>

const maxColumns = 500
/** Elements whose text another text must not follow directly, such as paragraphs of a text box and nested tables. */
const endsLine: ReadonlySet<string> = new Set(['paragraph', 'table', 'tableRow', 'tableCell'])

const headingLevel = ({ styleName, styleId }: Element): number | undefined => {
  const name = (styleName ?? styleId ?? '').toLowerCase()
  const level = /^heading ?([1-9])\b/.exec(name)?.[1]
  if (level) return Math.min(6, Number(level))
  return name === 'title' ? 1 : name === 'subtitle' ? 2 : undefined
}

/** Returns a table as Markdown, in parts that each begin with the header. */
const tableParts = (rows: readonly (readonly string[])[]): Part[] => {
  const [header, ...others] = rows
  if (!header) return []
  const width = Math.min(
    maxColumns,
    rows.reduce((most, { length }) => Math.max(most, length), 0),
  )
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()).join(' | ')} |`
  const head = [line(header), `| ${Array.from({ length: width }, () => '---').join(' | ')} |`]
  const headUnits = head.join('\n').length
  const parts: Part[] = []
  let lines = head
  let units = headUnits
  const end = () => {
    parts.push({ kind: 'table', text: lines.join('\n') })
    lines = headUnits < maxBlockUnits / 10 ? head : []
    units = lines.length > 0 ? headUnits : 0
  }
  for (const row of others.map(line)) {
    if (units + row.length + 1 > maxBlockUnits && lines.length > 2) end()
    lines = [...lines, row]
    units += row.length + 1
  }
  if (lines.length > 2 || parts.length === 0) end()
  return parts
}

/** Yields the blocks of a document in reading order, followed by its footnotes and endnotes. */
export function* documentBlocks(document: Element): Generator<Part> {
  const referred: Element[] = []

  const textOf = (element: Element): string => {
    if (element.type === 'text') return element.value ?? ''
    if (element.type === 'tab') return '\t'
    if (element.type === 'break') return '\n'
    if (element.type === 'noteReference') {
      referred.push(element)
      return ` [${referred.length}]`
    }
    return (element.children ?? []).map((child) => textOf(child) + (endsLine.has(child.type) ? '\n' : '')).join('')
  }

  const tableRows = (table: Element): string[][] => {
    const rows: string[][] = []
    /** By column: a cell that spans rows, and the number of rows it still covers. */
    const reaching = new Map<number, { text: string; rows: number }>()
    const takeReaching = (cells: string[]) => {
      for (let above = reaching.get(cells.length); above && above.rows > 0; above = reaching.get(cells.length)) {
        above.rows--
        cells.push(above.text)
      }
    }
    for (const row of table.children ?? []) {
      const cells: string[] = []
      for (const cell of row.children ?? []) {
        takeReaching(cells)
        const text = (cell.children ?? []).map(textOf).join(' ')
        const down = (cell.rowSpan ?? 1) - 1
        for (
          let span = Math.max(1, Math.min(maxColumns, cell.colSpan ?? 1));
          span > 0 && cells.length < maxColumns;
          span--
        ) {
          if (down > 0) reaching.set(cells.length, { text, rows: down })
          cells.push(text)
        }
      }
      takeReaching(cells)
      if (cells.some((cell) => cell.trim() !== '')) rows.push(cells)
    }
    return rows
  }

  let list: string[] = []
  let counters: number[] = []
  let units = 0
  const endList = (): Part[] => {
    const text = list.join('\n')
    list = []
    units = 0
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  function* blocksOf(elements: readonly Element[]): Generator<Part> {
    for (const element of elements) {
      if (element.type === 'table') {
        yield* endList()
        counters = []
        yield* tableParts(tableRows(element))
      } else if (element.type === 'paragraph') {
        const text = textOf(element).trim()
        if (text === '') continue
        const level = headingLevel(element)
        if (level === undefined && element.numbering) {
          const depth = Math.max(0, Math.min(8, Number(element.numbering.level) || 0))
          counters = counters.slice(0, depth + 1)
          const number = (counters[depth] ?? 0) + 1
          counters[depth] = number
          const mark = element.numbering.isOrdered ? `${number}.` : '-'
          list.push(`${'  '.repeat(depth)}${mark} ${text.replaceAll('\n', ' ')}`)
          units += text.length + 20
          if (units > maxBlockUnits - 10_000) yield* endList()
          continue
        }
        yield* endList()
        counters = []
        yield level === undefined ? { kind: 'text', text } : { kind: 'heading', level, text: text.replace(/\s+/g, ' ') }
      } else if (element.children) {
        yield* blocksOf(element.children)
      }
    }
  }

  yield* blocksOf(document.children ?? [])
  yield* endList()
  // A note may refer to another. Each is written once, so that a cycle ends.
  const count = referred.length
  for (const [at, reference] of referred.slice(0, count).entries()) {
    const text = (document.notes?.resolve(reference)?.body ?? []).map(textOf).join('\n').trim()
    if (text !== '') yield { kind: 'text', text: `[${at + 1}] ${text}` }
  }
}

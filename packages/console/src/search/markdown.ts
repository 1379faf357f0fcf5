import { type Element, type Node, type Part, parseInline } from './markdown-inline.ts'

/** Longer texts are shown as they are: more elements would respond slowly. */
const maxLength = 200_000
const maxElements = 4_000

// Every alternative begins at a line and reads it in linear time.
const blocks = [
  /^ {0,3}(?<fence>`{3,}|~{3,})[^`\n]*\n(?<code>[\s\S]*?)(?:^ {0,3}\k<fence>.*|(?![\s\S]))/,
  /^ {0,3}(?<level>#{1,6}) +(?<title>\S.*)/,
  // Rows of a sheet: the names of its columns, then a line `name: value` for each cell.
  /^(?<names>[^\n|]+(?:\|[^\n|]+)+)\n(?<records>(?:[^\n:|]+: .*(?:\n.+)*(?:\n\n?|(?![\s\S])))+)/,
  /^(?<rows>.*\|.*(?:\n.*\|.*)*)/,
  /^(?<items> *(?:[-*+•]|\d{1,9}[.)]) +\S.*(?:\n\n?(?: *(?:[-*+•]|\d{1,9}[.)])| ) +\S.*)*)/,
]
const block = new RegExp(blocks.map(({ source }) => source).join('|'), 'dgm')

const element = (tag: string, children: readonly Node[], props = {}): Element => ({ tag, children, props })
const partsOf = ({ text, start }: Part, pattern: RegExp): Part[] =>
  Array.from(text.matchAll(pattern), ({ 0: part, index }) => ({ text: part, start: start + index }))
const from = ({ text, start }: Part, at: number): Part => ({ text: text.slice(at), start: start + at })
const linesOf = (part: Part) => partsOf(part, /.+/g)
const cellsOf = (line: Part): Part[] => {
  const cells = partsOf(line, /(?<=\||^)(?:\\.|[^|])*/g).map((cell) => ({
    ...from(cell, cell.text.length - cell.text.trimStart().length),
    text: cell.text.trim(),
  }))
  return cells.slice(cells[0]?.text ? 0 : 1, cells.at(-1)?.text ? undefined : -1)
}

type Row = readonly (readonly Node[])[]
/** Makes a table that scrolls; for that the keyboard must reach it. */
const tableOf = (names: Row, rows: readonly Row[]): Element => {
  const cells = (tag: string, row: Row) => row.map((cell) => element(tag, cell))
  const head = element('thead', [element('tr', cells('th', names))])
  const body = rows.map((row) => element('tr', cells('td', row)))
  return element('table', names.length > 0 ? [head, ...body] : body, { tabIndex: 0 })
}

/** The later part of a table has no names and no line of hyphens below them. */
const tableOfRows = (lines: readonly Part[]): Element | undefined => {
  const isSeparator = (line: Part | undefined) => /^[\s|:-]+$/.test(line?.text ?? '') && line?.text.includes('-')
  const rows = lines.filter((line) => !isSeparator(line)).map((line) => cellsOf(line).map(parseInline))
  if (isSeparator(lines[1])) return tableOf(rows[0] ?? [], rows.slice(1))
  return lines.length > 1 || /^\|.*\|\s*$/.test(lines[0]?.text ?? '') ? tableOf([], rows) : undefined
}

const tableOfRecords = (header: Part, records: Part): Element | undefined => {
  const names = cellsOf(header)
  const head = names.map((name) => [name])
  const nameIn = ({ text }: Part) => text.slice(0, Math.max(0, text.indexOf(': ')))
  const columns = new Map(names.map(({ text }, column) => [text, column]))
  if (!columns.has(nameIn(records))) return undefined
  const rows = partsOf(records, /.+(?:\n.+)*/g).map((record) => {
    const cells: Node[][] = names.map(() => [])
    let column = 0
    for (const line of linesOf(record)) {
      const name = nameIn(line)
      column = columns.get(name) ?? column
      cells[column]?.push(
        columns.has(name) ? from(line, name.length + 2) : { text: `\n${line.text}`, start: line.start - 1 },
      )
    }
    return cells
  })
  return tableOf(head, rows)
}

/** Makes an item without nesting, indented and numbered as in the text. */
const itemOf = (line: Part): Element => {
  const [syntax = '', indent = '', mark] = /^( *)([-*+•]|\d{1,9}[.)])? +/.exec(line.text) ?? []
  const style = { marginLeft: `${indent.length / 2}em`, listStyleType: mark && `"${mark[1] ? mark : '•'} "` }
  return element('li', parseInline(from(line, syntax.length)), { style })
}

const blockOf = ({ groups = {}, indices }: RegExpExecArray): Element | undefined => {
  const part = (name: string): Part => ({ text: groups[name] ?? '', start: indices?.groups?.[name]?.[0] ?? 0 })
  if (groups['code'] !== undefined) return element('pre', [part('code')])
  if (groups['level']) return element(`h${Math.min(6, groups['level'].length + 2)}`, parseInline(part('title')))
  if (groups['names']) return tableOfRecords(part('names'), part('records'))
  if (groups['rows']) return tableOfRows(linesOf(part('rows')))
  return element('ul', linesOf(part('items')).map(itemOf))
}

const sizeOf = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + ('tag' in node ? sizeOf(node.children) : 0), 0)

/** Parses Markdown, and tables as extracted from files. Text outside blocks keeps its line ends. */
export const parseMarkdown = (text: string): readonly Node[] => {
  const parsed: (readonly Node[])[] = []
  let start = 0
  const addText = (to: number) => {
    while (text[start] === '\n') start += 1
    parsed.push(parseInline({ text: text.slice(start, to).trimEnd(), start }))
  }
  for (const match of text.length > maxLength ? [] : text.matchAll(block)) {
    const found = blockOf(match)
    if (!found) continue
    addText(match.index)
    parsed.push([found])
    start = match.index + match[0].length
  }
  addText(text.length)
  const nodes = parsed.flat()
  return text.length > maxLength || sizeOf(nodes) > maxElements ? [{ text, start: 0 }] : nodes
}

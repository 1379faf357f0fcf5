import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Block, ExtractEvent, Extractor } from '../block.ts'
import { blockWriter, maxBlockUnits } from '../block-writer.ts'
import { oneLine } from '../clean-text.ts'
import { readFrontMatter } from './front-matter.ts'
import { type Line, linesOf } from './lines.ts'
import { withoutHtml } from './markdown-html.ts'
import { openText } from './text-file.ts'

const frontMatterLines = 500
/** Maximum length of headings that are parsed; longer headings keep their source text. */
const headingUnits = 1000

type Node = {
  readonly type: string
  readonly value?: string
  readonly alt?: string | null | undefined
  readonly children?: readonly Node[]
}

const plainText = (node: Node): string => node.value ?? node.alt ?? (node.children ?? []).map(plainText).join('')

/** Matches attributes at the end of a heading, `{#id .class key=value}`, which several site generators support. */
const attributes =
  /[ \t]*\{:?[ \t]*(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)(?:[ \t]+(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)){0,20}[ \t]*\}$/

const headingText = (line: string): string => {
  if (line.length > headingUnits) return line
  const source = withoutHtml(line.replace(attributes, '')).trim()
  if (!/[\\*_`[\]<>&!~]/.test(source)) return source
  return oneLine(plainText(fromMarkdown(source))) || source
}

/**
 * Whether the line is the delimiter row under a table's header. Checked in two linear steps, because a single regular
 * expression takes quadratic time for trailing blanks.
 */
const isDelimiterRow = (line: string): boolean => {
  if (!/^ {0,3}[|:-][ \t|:-]*$/.test(line)) return false
  const cells = line.trim().split('|')
  if (cells[0] === '') cells.shift()
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell.trim()))
}
const fence = /^[ \t>]{0,40}(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\n]*)$/
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/

/** Returns a table line without HTML; a line break within a cell becomes a blank. */
const cellText = (line: string): string => withoutHtml(line.replace(/<br\s*\/?>/gi, ' ')).replaceAll('\n', ' ')

type Open = {
  kind: 'text' | 'table' | 'fence'
  lines: string[]
  from: number
  to: number
  units: number
  /**
   * `mark` closes a fence. `head` holds the first lines of a table, repeated when the table continues in another block.
   */
  mark?: string
  head?: string[]
}

/**
 * Yields Markdown line by line, because the syntax tree of a large file does not fit into memory. Each heading and each
 * table is one block. Text between blank lines is one block of Markdown source; so is a fence with its content.
 */
export const extractMarkdown: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)

  let open: Open | undefined
  /** Lines since the opening `---`, until the front matter is closed. */
  let front: Line[] | undefined
  let begun = false

  const write = (kind: Block['kind'], text: string, from: number, to: number, level?: number): ExtractEvent[] =>
    writer.block({ kind, text, ...(level === undefined ? {} : { level }), at: { offset: { from, to } } })

  const close = (): ExtractEvent[] => {
    const ended = open
    open = undefined
    if (!ended || ended.lines.length === 0) return []
    const source = ended.lines.join('\n')
    if (ended.kind === 'fence') return write('text', source, ended.from, ended.to)
    if (ended.kind === 'table') return write('table', ended.lines.map(cellText).join('\n'), ended.from, ended.to)
    // Lines indented by four blanks are code.
    const isCode = ended.lines.every((line) => /^(?: {4}|\t)/.test(line))
    return write('text', isCode ? source : withoutHtml(source), ended.from, ended.to)
  }

  const add = (line: Line, begin: Omit<Open, 'lines' | 'from' | 'to' | 'units'>): ExtractEvent[] => {
    const events: ExtractEvent[] = []
    if (open && open.units + line.text.length >= maxBlockUnits) {
      const { kind, mark, head } = open
      events.push(...close())
      const again = head ?? []
      const units = again.reduce((sum, { length }) => sum + length + 1, 0)
      open = {
        kind,
        ...(mark ? { mark } : {}),
        ...(head ? { head } : {}),
        lines: [...again],
        from: line.from,
        to: line.from,
        units,
      }
    }
    open ??= { ...begin, lines: [], from: line.from, to: line.to, units: 0 }
    open.lines.push(line.text)
    open.to = line.from + line.text.length
    open.units += line.text.length + 1
    return events
  }

  /** Begins a table at the delimiter row. The last line of the open paragraph becomes the header. */
  const beginTable = (line: Line): ExtractEvent[] => {
    const header = open?.lines.pop()
    if (!open || header === undefined) return []
    const from = open.to - header.length
    open.to = from
    const events = close()
    const head = header.length + line.text.length < maxBlockUnits / 10 ? [header, line.text] : []
    open = {
      kind: 'table',
      head,
      lines: [header, line.text],
      from,
      to: line.from + line.text.length,
      units: header.length + line.text.length + 2,
    }
    return events
  }

  function* read(line: Line): Generator<ExtractEvent> {
    const { text } = line
    if (open?.kind === 'fence') {
      yield* add(line, open)
      const end = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(text.slice(0, 200))?.[1]
      if (open?.mark && end?.startsWith(open.mark)) yield* close()
      return
    }
    if (text.trim() === '') return yield* close()
    const opening = text.length < 500 ? fence.exec(text) : null
    if (opening?.[1] && !(opening[1].startsWith('`') && opening[2]?.includes('`'))) {
      yield* close()
      return yield* add(line, { kind: 'fence', mark: opening[1] })
    }
    const heading = text.length < maxBlockUnits ? atxHeading.exec(text) : null
    if (heading) {
      yield* close()
      const source = (heading[2] ?? '')
        .trim()
        .replace(/(?:^|[ \t])#+$/, '')
        .trim()
      return yield* write('heading', headingText(source), line.from, line.from + text.length, heading[1]?.length ?? 1)
    }
    if (open?.kind === 'table') {
      if (text.includes('|')) return yield* add(line, open)
      yield* close()
    }
    const under = open?.kind === 'text' ? open.lines.at(-1) : undefined
    if (open && under !== undefined) {
      if (text.includes('|') && under.includes('|') && text.length < 20_000 && isDelimiterRow(text))
        return yield* beginTable(line)
      const setext = /^ {0,3}(=+|-+)[ \t]*$/.exec(text.slice(0, 1000))?.[1]
      if (setext && open.lines.length <= 3 && !/^\s*(?:[-*+>|]|\d+[.)])/.test(open.lines[0] ?? '')) {
        const { lines, from } = open
        open = undefined
        return yield* write(
          'heading',
          headingText(lines.join(' ').trim()),
          from,
          line.from + text.length,
          setext.startsWith('=') ? 1 : 2,
        )
      }
    }
    // A thematic break ends the block and has no text of its own.
    if (text.length < 200 && /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(text))
      return yield* close()
    yield* add(line, { kind: 'text' })
  }

  /**
   * Ends the front matter. `closing` is the line that closes it, if there is one. Lines that are not valid front matter
   * are read as text.
   */
  function* endFront(closing?: Line): Generator<ExtractEvent> {
    const [opening, ...lines] = front ?? []
    front = undefined
    if (!opening) return
    const found = closing && readFrontMatter(lines.map(({ text }) => text))
    if (!found) {
      for (const line of [opening, ...lines]) yield* read(line)
      // The closing line must not turn the text above into a heading.
      if (closing && open?.kind === 'text' && open.from === lines[0]?.from) yield* close()
      if (closing) yield* read(closing)
      return
    }
    const { properties, isWhole } = found
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const last = lines.at(-1) ?? opening
    if (!isWhole)
      yield* write('text', lines.map(({ text }) => text).join('\n'), opening.to, last.from + last.text.length)
  }

  for await (const lines of linesOf(file.text)) {
    for (const line of lines) {
      if (!begun && /^---[ \t]*$/.test(line.text)) {
        front = [line]
      } else if (front) {
        if (/^(?:---|\.\.\.)[ \t]*$/.test(line.text)) yield* endFront(line)
        else if (front.push(line) > frontMatterLines || line.more) yield* endFront()
      } else {
        yield* read(line)
      }
      begun = true
    }
    yield* writer.progress(file.bytes())
  }
  yield* endFront()
  yield* close()
  yield* file.notes()
  writer.end()
}

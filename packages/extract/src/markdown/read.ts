import type { ExtractEvent, Extractor } from '../block.ts'
import { pageEvents } from '../html/page.ts'
import { htmlParser } from '../html/parse.ts'
import { blockWriter, maxBlockUnits } from '../shared/block-writer.ts'
import { notReadCounter } from '../shared/not-read.ts'
import { openText } from '../shared/text-file.ts'
import { type Line, linesOf } from '../txt/lines.ts'
import { readFrontMatter } from './front-matter.ts'
import { withoutMarks } from './marks.ts'
import { markdownToHtml } from './page.ts'
import { footnoteOf, readReferences } from './references.ts'

const frontMatterLines = 500

/** `{#id .class key=value}` at the end of a heading, which several site generators support. */
const attributes =
  /[ \t]*\{:?[ \t]*(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)(?:[ \t]+(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)){0,20}[ \t]*\}$/
/** HTML that goes on after a blank line: Markdown is not cut before its end. */
const longHtml =
  /^ {0,3}<(?:(!--)|(script|style|pre|textarea|table|svg)\b|([a-z][\w-]*)\s(?:[^<>]*\s)?(?:hidden|style="[^"]*display:\s*none)\b)/i
/** A paragraph without marks needs no parser. */
const plain = /^(?![-+=:\d#>\s])[^\\`*_[\]<>&~!{|}\n]*$/
/** After this first line, indented text is no code. */
const holdsIndented = /^ {0,3}(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,200}\]:|!!!|\?\?\?\+?)(?:[ \t]|$)/

/** Takes two linear steps: a single regular expression takes quadratic time for trailing blanks. */
const isDelimiterRow = (line: string): boolean => {
  if (!/^ {0,3}[|:-][ \t|:-]*$/.test(line)) return false
  const cells = line.trim().split('|')
  if (cells[0] === '') cells.shift()
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell.trim()))
}
const fence = /^[ \t>]{0,40}(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\n]*)$/
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/

type Open = {
  kind: 'text' | 'table' | 'fence' | 'html'
  lines: string[]
  from: number
  to: number
  units: number
  /** `mark` closes a fence or HTML. `head` is repeated when a table or an element goes on in another block. */
  mark?: string
  head?: string[]
}

/**
 * Yields the text as a reader of the page sees it. Reads line by line, because the syntax tree of a large file does not
 * fit into memory: each heading, each table and the text between blank lines is parsed alone.
 */
export const extractMarkdown: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)
  const references = await readReferences(file.again())
  const toHtml = markdownToHtml(references)
  const notRead = notReadCounter()
  const keepsHidden = options.hiddenText === 'keep'
  let open: Open | undefined
  /** Lines since the opening `---`, until the closing one. */
  let front: Line[] | undefined
  let begun = false
  /** Whether indented text belongs to a list, a footnote or an admonition above it. */
  let isInside = false
  const asWritten = (source: string, from: number, to: number): ExtractEvent[] =>
    writer.block({ kind: 'text', text: source, at: { offset: { from, to } } })

  function* readPart(source: string, from: number, to: number): Generator<ExtractEvent> {
    if (plain.test(source)) return yield* asWritten(source, from, to)
    const parser = htmlParser()
    parser.write(toHtml.render(withoutMarks(source)))
    const at = { offset: { from, to } }
    yield* pageEvents(parser.end(), { writer, notRead, keepsHidden, isOfSite: false, at })
  }
  function* readHeading(source: string, level: number, from: number, to: number): Generator<ExtractEvent> {
    yield* readPart(`${'#'.repeat(level)} ${source.replace(attributes, '')}`, from, to)
  }

  function* close(): Generator<ExtractEvent> {
    const ended = open
    open = undefined
    const [first] = ended?.lines ?? []
    if (!ended || first === undefined) return
    const { kind, from, to } = ended
    let isMoved = false
    const lines = ended.lines.flatMap((line) => {
      const note = kind === 'text' ? footnoteOf(line) : undefined
      if (note) isMoved = references.footnotes.get(note.label) !== undefined
      return isMoved ? [] : [note && references.footnotes.has(note.label) ? note.text : line]
    })
    const source = lines.join('\n')
    if (kind === 'fence') return yield* asWritten(source, from, to)
    const isIndented = lines.every((line) => /^(?: {4}|\t)/.test(line))
    if (kind === 'text' && !isIndented) isInside = holdsIndented.test(first)
    if (isIndented && !isInside) return yield* asWritten(source, from, to)
    yield* readPart(isIndented ? source.replace(/^(?: {4}|\t)[ \t]*/gm, '') : source, from, to)
  }

  function* add(line: Line, begin: Omit<Open, 'lines' | 'from' | 'to' | 'units'>): Generator<ExtractEvent> {
    if (open && open.units + line.text.length >= maxBlockUnits) {
      const { kind, mark, head } = open
      yield* close()
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
  }

  /** The last line of the open paragraph becomes the header. */
  function* beginTable(line: Line): Generator<ExtractEvent> {
    const header = open?.lines.pop()
    if (!open || header === undefined) return
    const from = open.to - header.length
    open.to = from
    yield* close()
    const head = header.length + line.text.length < maxBlockUnits / 10 ? [header, line.text] : []
    open = {
      kind: 'table',
      head,
      lines: [header, line.text],
      from,
      to: line.from + line.text.length,
      units: header.length + line.text.length + 2,
    }
  }

  function* read(line: Line): Generator<ExtractEvent> {
    const { text } = line
    if (open?.kind === 'fence') {
      yield* add(line, open)
      const end = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(text.slice(0, 200))?.[1]
      if (open?.mark && end?.startsWith(open.mark)) yield* close()
      return
    }
    if (open?.kind === 'html') {
      yield* add(line, open)
      if (open?.mark && text.toLowerCase().includes(open.mark)) yield* close()
      return
    }
    if (text.trim() === '') return yield* close()
    const html = longHtml.exec(text.slice(0, 1000))
    const mark = html && (html[1] ? '-->' : `</${(html[2] ?? html[3] ?? '').toLowerCase()}`)
    if (html && mark && !text.toLowerCase().includes(mark)) {
      yield* close()
      const head = [html[1] ? '<!--' : (/^[^>]*>/.exec(text.trimStart())?.[0] ?? '')]
      return yield* add(line, { kind: 'html', mark, head })
    }
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
      return yield* readHeading(source, heading[1]?.length ?? 1, line.from, line.from + text.length)
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
        const level = setext.startsWith('=') ? 1 : 2
        return yield* readHeading(lines.join(' ').trim(), level, from, line.from + text.length)
      }
    }
    // A thematic break has no text of its own.
    if (text.length < 200 && /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(text))
      return yield* close()
    yield* add(line, { kind: 'text' })
  }

  /** Without a valid `closing` line and valid front matter, the lines are read as text. */
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
    if (!isWhole) yield* asWritten(lines.map(({ text }) => text).join('\n'), opening.to, last.from + last.text.length)
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
  for (const { text, from, to } of toHtml.rest()) yield* readPart(text, from, to)
  for (const message of notRead.messages()) yield* writer.note('content_not_read', message)
  yield* file.notes()
  writer.end()
}

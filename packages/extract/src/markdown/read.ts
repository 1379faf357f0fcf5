import type { ExtractEvent, Extractor } from '../block.ts'
import { type PageContext, pageEvents } from '../html/page.ts'
import { htmlParser } from '../html/parse.ts'
import { blockWriter, maxBlockUnits } from '../shared/block-writer.ts'
import { notReadCounter } from '../shared/not-read.ts'
import { openText } from '../shared/text-file.ts'
import { type Line, linesOf } from '../txt/lines.ts'
import { readFrontMatter } from './front-matter.ts'
import { withoutMarks } from './marks.ts'
import { type BlockBegin, OpenBlock } from './open-block.ts'
import { markdownToHtml } from './page.ts'
import { footnoteOf, type References, readReferences } from './references.ts'
import {
  atxHeadingSource,
  fenceBegin,
  headingSource,
  holdsIndented,
  htmlBegin,
  isDelimiterRow,
  isEndOf,
  isIndented,
  isPlain,
  isThematicBreak,
  setextLevel,
} from './syntax.ts'

const frontMatterLines = 500

const endOf = ({ text, from }: Line): number => from + text.length

/** Cuts lines into blocks: a heading, a table, a fence, HTML, or the text between blank lines. */
class MarkdownBlocks {
  readonly #references: References
  readonly #toHtml: ReturnType<typeof markdownToHtml>
  readonly #page: PageContext
  #open: OpenBlock | undefined
  /** Whether indented text belongs to a list, a footnote or an admonition above it. */
  #isInside = false

  constructor(references: References, page: PageContext) {
    this.#references = references
    this.#toHtml = markdownToHtml(references)
    this.#page = page
  }

  *line(line: Line): Generator<ExtractEvent> {
    const { text } = line
    const begun = this.#open?.begin
    if (begun?.kind === 'fence' || begun?.kind === 'html') {
      yield* this.#add(line, begun)
      if (isEndOf(begun, text)) yield* this.close()
      return
    }
    if (text.trim() === '') return yield* this.close()
    const begin = htmlBegin(text) ?? fenceBegin(text)
    if (begin) {
      yield* this.close()
      return yield* this.#add(line, begin)
    }
    const heading = atxHeadingSource(text)
    if (heading !== undefined) {
      yield* this.close()
      return yield* this.#parsed(heading, line.from, endOf(line))
    }
    if (begun?.kind === 'table') {
      if (text.includes('|')) return yield* this.#add(line, begun)
      yield* this.close()
    }
    if (this.#open && (yield* this.#underline(line, this.#open))) return
    // A thematic break has no text of its own.
    if (isThematicBreak(text)) yield* this.close()
    else yield* this.#add(line, { kind: 'text' })
  }

  *close(): Generator<ExtractEvent> {
    const ended = this.#open
    this.#open = undefined
    const [first] = ended?.lines ?? []
    if (!ended || first === undefined) return
    const { begin, from, to } = ended
    const lines = begin.kind === 'text' ? this.#withoutMoved(ended.lines) : ended.lines
    const source = lines.join('\n')
    if (begin.kind === 'fence') return yield* this.asWritten(source, from, to)
    const isCode = lines.every(isIndented)
    if (begin.kind === 'text' && !isCode) this.#isInside = holdsIndented(first)
    if (isCode && !this.#isInside) return yield* this.asWritten(source, from, to)
    yield* this.#parsed(isCode ? source.replace(/^(?: {4}|\t)[ \t]*/gm, '') : source, from, to)
  }

  /** Reads the footnotes to which no text refers. Call at the end. */
  *footnotes(): Generator<ExtractEvent> {
    for (const { text, from, to } of this.#toHtml.rest()) yield* this.#parsed(text, from, to)
  }

  asWritten(text: string, from: number, to: number): ExtractEvent[] {
    return this.#page.writer.block({ kind: 'text', text, at: { offset: { from, to } } })
  }

  /** Whether the open block begins at this offset. */
  isOpenFrom(from: number | undefined): boolean {
    return this.#open?.begin.kind === 'text' && this.#open.from === from
  }

  *#add(line: Line, begin: BlockBegin): Generator<ExtractEvent> {
    const full = this.#open?.isFullFor(line.text) ? this.#open : undefined
    if (full) {
      yield* this.close()
      this.#open = full.continuation(line.from)
    }
    this.#open ??= new OpenBlock(begin, line.from)
    this.#open.add(line)
  }

  /** Reads a line that makes a header or a heading of the text above it. Returns false if the line does not. */
  *#underline(line: Line, open: OpenBlock): Generator<ExtractEvent, boolean> {
    const above = open.lines.at(-1)
    if (above === undefined) return false
    if (isDelimiterRow(line.text, above)) {
      yield* this.#beginTable(line, open)
      return true
    }
    const level = setextLevel(line.text, open.lines)
    if (level === undefined) return false
    this.#open = undefined
    yield* this.#parsed(headingSource(open.lines.join(' ').trim(), level), open.from, endOf(line))
    return true
  }

  *#beginTable(line: Line, above: OpenBlock): Generator<ExtractEvent> {
    const header = above.removeLast()
    yield* this.close()
    const isShort = header.text.length + line.text.length < maxBlockUnits / 10
    this.#open = new OpenBlock({ kind: 'table', head: isShort ? [header.text, line.text] : [] }, header.from)
    this.#open.add(header)
    this.#open.add(line)
  }

  /** Leaves out footnotes that are read where the text refers to them. */
  #withoutMoved(lines: readonly string[]): string[] {
    const { footnotes } = this.#references
    let isMoved = false
    return lines.flatMap((line) => {
      const note = footnoteOf(line)
      if (note) isMoved = footnotes.get(note.label) !== undefined
      return isMoved ? [] : [note && footnotes.has(note.label) ? note.text : line]
    })
  }

  *#parsed(source: string, from: number, to: number): Generator<ExtractEvent> {
    if (isPlain(source)) return yield* this.asWritten(source, from, to)
    const parser = htmlParser()
    parser.write(this.#toHtml.render(withoutMarks(source)))
    yield* pageEvents(parser.end(), { ...this.#page, at: { offset: { from, to } } })
  }
}

/** Separates front matter from the lines of the blocks. */
class MarkdownLines {
  readonly #blocks: MarkdownBlocks
  #isBegun = false
  /** Lines since the opening `---`, until the closing one. */
  #front: Line[] | undefined

  constructor(blocks: MarkdownBlocks) {
    this.#blocks = blocks
  }

  *line(line: Line): Generator<ExtractEvent> {
    if (!this.#isBegun && /^---[ \t]*$/.test(line.text)) this.#front = [line]
    else if (!this.#front) yield* this.#blocks.line(line)
    else if (/^(?:---|\.\.\.)[ \t]*$/.test(line.text)) yield* this.#endFront(line)
    else if (this.#front.push(line) > frontMatterLines || line.more) yield* this.#endFront()
    this.#isBegun = true
  }

  *end(): Generator<ExtractEvent> {
    yield* this.#endFront()
    yield* this.#blocks.close()
    yield* this.#blocks.footnotes()
  }

  /** Without a valid `closing` line and valid front matter, the lines are read as text. */
  *#endFront(closing?: Line): Generator<ExtractEvent> {
    const [opening, ...lines] = this.#front ?? []
    this.#front = undefined
    if (!opening) return
    const found = closing && readFrontMatter(lines.map(({ text }) => text))
    if (!found) {
      for (const line of [opening, ...lines]) yield* this.#blocks.line(line)
      // The closing line must not turn the text above into a heading.
      if (closing && this.#blocks.isOpenFrom(lines[0]?.from)) yield* this.#blocks.close()
      if (closing) yield* this.#blocks.line(closing)
      return
    }
    const { properties, isWhole } = found
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const source = lines.map(({ text }) => text).join('\n')
    if (!isWhole) yield* this.#blocks.asWritten(source, opening.to, endOf(lines.at(-1) ?? opening))
  }
}

/**
 * Yields the text as a reader of the page sees it. Reads line by line, because the syntax tree of a large file does not
 * fit into memory: each heading, each table and the text between blank lines is parsed alone.
 */
export const extractMarkdown: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)
  const references = await readReferences(file.again())
  const notRead = notReadCounter()
  const page = { writer, notRead, keepsHidden: options.hiddenText === 'keep', isOfSite: false }
  const reading = new MarkdownLines(new MarkdownBlocks(references, page))
  for await (const lines of linesOf(file.text)) {
    for (const line of lines) yield* reading.line(line)
    yield* writer.progress(file.bytes())
  }
  yield* reading.end()
  for (const message of notRead.messages()) yield* writer.note('content_not_read', message)
  yield* file.notes()
  writer.end()
}

import { isTableRule } from '@cairn/contracts/text/table-rule'
import type { CutOptions, Stretch } from '@cairn/domain/text/cut-passages'
import { lowerBound } from '@cairn/domain/text/lower-bound'
import { wordBorder } from '@cairn/domain/text/word-border'
import type { Block } from '@cairn/extract/block'
import type { Heading } from './chunk.ts'

/** `path` of a heading includes the heading. `mark` precedes a heading in the text of several sections. */
export type Unit = {
  readonly block: Block
  readonly tokens: Uint32Array
  readonly path: readonly Heading[]
  readonly mark?: string
}

export type Sizes = CutOptions

/** Cuts between sentences. `tokens` holds the tokens' starts. */
export type Cut = (text: string, tokens: Uint32Array, sizes: Sizes) => Promise<readonly Stretch[]>

type Line = { readonly unit: Unit; readonly part: Stretch }

/** `at` is the offset in the chunk's text. */
export type PlacedLine = Line & { readonly at: number }

export type Piece = { readonly text: string; readonly of: readonly PlacedLine[]; readonly header?: PlacedLine }

/** `line`: the text is part of a table. */
export type Header = { readonly text: string; readonly tokens: number; readonly line?: Line }

export const maxCharacters = 50_000
/** Limits the short text before a table, too. */
export const maxHeaderCharacters = 4_000

const blank = /^\s*$/u

/** Cuts by characters, too, because a few tokens may have many. */
const stretches = async (
  cut: Cut,
  text: string,
  tokens: Uint32Array,
  sizes: Sizes,
  characters: number,
): Promise<Stretch[]> =>
  (await cut(text, tokens, sizes)).flatMap(({ start, end }) => {
    const found: Stretch[] = []
    for (let from = start; from < end; ) {
      const to = end - from > characters ? wordBorder(text, from, from + characters) : end
      found.push({ start: from, end: to })
      from = to
    }
    return found.filter((part) => !blank.test(text.slice(part.start, part.end)))
  })

const isSingleLine = (unit: Unit): boolean => !unit.block.text.includes('\n')
const between = (before: Unit, after: Unit): string =>
  before.block.kind === 'row' && after.block.kind === 'row' && isSingleLine(before) && isSingleLine(after)
    ? '\n'
    : '\n\n'

/** Also returns the start of each unit and of each token. */
export const joined = (units: readonly Unit[]) => {
  let text = ''
  const starts: number[] = []
  const tokens: number[] = []
  for (const [index, unit] of units.entries()) {
    const before = units[index - 1]
    if (before) text += between(before, unit)
    if (unit.mark) {
      tokens.push(text.length)
      text += unit.mark
    }
    starts.push(text.length)
    for (const index of unit.tokens) tokens.push(text.length + index)
    text += unit.block.text
  }
  return { text, starts, tokens: Uint32Array.from(tokens) }
}

const whole = (unit: Unit): Line => ({ unit, part: { start: 0, end: unit.block.text.length } })

const wholeAt = (units: readonly Unit[], starts: readonly number[]): PlacedLine[] =>
  units.map((unit, index) => ({ ...whole(unit), at: starts[index] as number }))

/** Cuts running text between sentences, with overlap. */
const prose = async (units: readonly Unit[], cut: Cut, sizes: Sizes): Promise<Piece[]> => {
  const { text, starts, tokens } = joined(units)
  const parts = await stretches(cut, text, tokens, sizes, maxCharacters)
  return parts.map(({ start, end }) => ({
    text: text.slice(start, end),
    of: units.flatMap((unit, index) => {
      const position = starts[index] as number
      const part = { start: Math.max(0, start - position), end: Math.min(unit.block.text.length, end - position) }
      return part.start < part.end ? [{ unit, part, at: Math.max(0, position - start) }] : []
    }),
  }))
}

/** Leaves half of the chunk for the rows. `tokens` holds the header's token starts. */
export const headerThatFits = (header: string, tokens: Uint32Array, maxTokens: number): Header => {
  const maxHeaderTokens = Math.floor(maxTokens / 2)
  const end = Math.min(header.length, maxHeaderCharacters, tokens[maxHeaderTokens] ?? header.length)
  const text = header.slice(0, wordBorder(header, 0, end)).trim()
  return { text, tokens: Math.min(maxHeaderTokens, tokens.length) }
}

const tokensIn = ({ block, tokens }: Unit, { start, end }: Stretch): Uint32Array => {
  if (start === 0 && end === block.text.length) return tokens
  // Searched: a table has as many lines as tokens, and each asks for its own.
  return tokens.slice(lowerBound(tokens, start), lowerBound(tokens, end)).map((index) => index - start)
}

const textOf = ({ unit, part }: Line): string => unit.block.text.slice(part.start, part.end)

/** Only a record larger than a chunk is cut. `lead` is the short text in front of the table's first chunk. */
const records = async (
  lines: readonly Line[],
  header: Header,
  lead: readonly Unit[],
  separator: (before: Line, after: Line) => string,
  cut: Cut,
  sizes: Sizes,
): Promise<Piece[]> => {
  const opening = joined(lead)
  let filled = header.tokens + opening.tokens.length
  let body = ''
  let held: PlacedLine[] = []
  let prefix = lead.length === 0 ? header.text : `${opening.text}\n\n${header.text}`
  let leading = wholeAt(lead, opening.starts)
  const pieces: Piece[] = []
  const emit = () => {
    const text = prefix === '' || prefix.endsWith('\n') ? prefix + body : `${prefix}\n${body}`
    const bodyAt = text.length - body.length
    pieces.push({
      text,
      of: [...leading, ...held.map((line) => ({ ...line, at: bodyAt + line.at }))],
      ...(header.line && { header: { ...header.line, at: prefix.length - header.text.length } }),
    })
    prefix = header.text
    filled = header.tokens
    body = ''
    held = []
    leading = []
  }
  for (const line of lines) {
    const text = textOf(line)
    const tokens = tokensIn(line.unit, line.part)
    const last = held.at(-1)
    const gap = last ? separator(last, line) : ''
    const fits = () =>
      filled + tokens.length <= sizes.maxTokens &&
      prefix.length + body.length + gap.length + text.length < maxCharacters
    if (held.length > 0 && !fits()) emit()
    if (fits()) {
      if (held.length > 0) body += gap
      held.push({ ...line, at: body.length })
      body += text
      filled += tokens.length
      continue
    }
    const tokensLeft = sizes.maxTokens - filled
    const within = { maxTokens: tokensLeft, overlapTokens: Math.min(sizes.overlapTokens, Math.floor(tokensLeft / 2)) }
    for (const { start, end } of await stretches(cut, text, tokens, within, maxCharacters - prefix.length - 1)) {
      body = text.slice(start, end)
      held = [{ unit: line.unit, part: { start: line.part.start + start, end: line.part.start + end }, at: 0 }]
      emit()
    }
  }
  if (held.length > 0) emit()
  return pieces
}

/** If the first two lines are a header and a delimiter row, every chunk repeats them. */
const table = async (unit: Unit, lead: readonly Unit[], cut: Cut, sizes: Sizes): Promise<Piece[]> => {
  const lines: Line[] = []
  for (let start = 0; start < unit.block.text.length; ) {
    const found = unit.block.text.indexOf('\n', start)
    const end = found === -1 ? unit.block.text.length : found
    if (end > start) lines.push({ unit, part: { start, end } })
    start = end + 1
  }
  const [first, second] = lines
  const headed =
    first && second && lines.length > 2 && isTableRule(textOf(second))
      ? { start: first.part.start, end: second.part.end }
      : undefined
  const text = headed ? unit.block.text.slice(headed.start, headed.end) : ''
  const size = headed ? tokensIn(unit, headed).length : 0
  // A shortened header is not valid Markdown, so a long one is treated like any other line.
  const fits = size <= sizes.maxTokens / 2 && text.length <= maxHeaderCharacters
  const header: Header = headed && fits ? { text, tokens: size, line: { unit, part: headed } } : { text: '', tokens: 0 }
  return records(header.text === '' ? lines : lines.slice(2), header, lead, () => '\n', cut, sizes)
}

/** Lets headings of several sections be told from their text. */
const withMarks = (units: readonly Unit[]): readonly Unit[] => {
  const isHeading = ({ block }: Unit): boolean => block.kind === 'heading'
  const text = units.findIndex((unit) => !isHeading(unit))
  if (text < 0 || !units.slice(text).some(isHeading)) return units
  return units.map((unit) => (isHeading(unit) ? { ...unit, mark: `${'#'.repeat(unit.block.level ?? 1)} ` } : unit))
}

/** Scripts that write words without blanks. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** A sign, a number or one word says nothing apart from its neighbors. */
export const isOneWord = (text: string): boolean =>
  text.length <= 40 && !unspaced.test(text) && (text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0) <= 1

/** Joins a piece of one word to the one before it, or the first one to the next. */
const withoutOneWord = (pieces: readonly Piece[], maxTokens: number): Piece[] => {
  const kept: Piece[] = []
  for (const piece of pieces) {
    const before = kept.at(-1)
    const isSmall = before && (isOneWord(piece.text.trim()) || isOneWord(before.text.trim()))
    const fits = isSmall && wordsIn(before.text) + wordsIn(piece.text) <= maxTokens && !piece.header
    if (!fits || before.text.length + piece.text.length + 2 > maxCharacters) kept.push(piece)
    else {
      const text = `${before.text.trimEnd()}\n\n`
      const moved = piece.of.map((line) => ({ ...line, at: line.at + text.length }))
      kept[kept.length - 1] = { ...before, text: text + piece.text, of: [...before.of, ...moved] }
    }
  }
  return kept
}

type Run = { readonly kind: 'prose' | 'rows' | 'table'; readonly units: Unit[] }

export const runKind = (block: Block): Run['kind'] =>
  block.kind === 'row' ? 'rows' : block.kind === 'table' ? 'table' : 'prose'

/** `header` is that of the rows. Text before a table of up to `minTokens` joins the table. */
export const layOut = async (
  held: readonly Unit[],
  header: Header,
  cut: Cut,
  sizes: Sizes & { readonly minTokens: number },
): Promise<Piece[]> => {
  const units = withMarks(held)
  const runs: Run[] = []
  for (const unit of units) {
    const kind = runKind(unit.block)
    const last = runs.at(-1)
    if (last && last.kind === kind && kind !== 'table') last.units.push(unit)
    else runs.push({ kind, units: [unit] })
  }
  if (runs.length > 1 && !runs.some(({ kind }) => kind === 'rows')) {
    const all = joined(units)
    if (all.tokens.length <= sizes.maxTokens && all.text.length <= maxCharacters)
      return [{ text: all.text, of: wholeAt(units, all.starts) }]
  }
  const pieces: Piece[] = []
  let lead: readonly Unit[] = []
  for (const [index, run] of runs.entries()) {
    const length = run.units.reduce((sum, { tokens }) => sum + tokens.length, 0)
    const characters = run.units.reduce((sum, { block }) => sum + block.text.length + 2, 0)
    if (run.kind === 'prose' && index + 1 < runs.length && length < sizes.minTokens && characters < maxHeaderCharacters)
      lead = run.units
    else if (run.kind === 'prose') pieces.push(...(await prose(run.units, cut, sizes)))
    else if (run.kind === 'table') pieces.push(...(await table(run.units[0] as Unit, lead, cut, sizes)))
    else {
      const separator = (before: Line, after: Line) => between(before.unit, after.unit)
      pieces.push(...(await records(run.units.map(whole), header, lead, separator, cut, sizes)))
    }
    if (run.kind !== 'prose') lead = []
  }
  return withoutOneWord(pieces, sizes.maxTokens)
}

import type { CutOptions, Stretch } from '@cairn/domain/cut-passages'
import type { Block } from '../extract/block.ts'
import type { Heading } from './chunk.ts'

/** A block with the starts of its tokens and the headings it stands under (a heading: itself included). */
export type Unit = { readonly block: Block; readonly tokens: Uint32Array; readonly path: readonly Heading[] }

/** Tokens a chunk may have, and of the end of one that the next one of the same running text begins with. */
export type Sizes = CutOptions

/** Cuts a text at sentences so that no stretch has more than `maxTokens` of the tokens that start at `tokens`. */
export type Cut = (text: string, tokens: Uint32Array, sizes: Sizes) => readonly Stretch[]

/** What a chunk will say, and the parts of the units it says it of. */
export type Piece = { readonly text: string; readonly of: readonly { readonly unit: Unit; readonly part: Stretch }[] }

export const maxCharacters = 50_000
/** Of a header, and of the little text before a table. */
export const maxHeaderCharacters = 4_000

const blank = /^\s*$/u

/** A cut must not part the halves of a character. */
const splitsPair = (text: string, at: number): boolean =>
  /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')

/** Also cuts what has hardly a token but many characters. */
const stretches = (cut: Cut, text: string, tokens: Uint32Array, sizes: Sizes, characters: number): Stretch[] =>
  cut(text, tokens, sizes).flatMap(({ start, end }) => {
    const found: Stretch[] = []
    for (let from = start; from < end; ) {
      let to = Math.min(end, from + characters)
      if (to < end && splitsPair(text, to)) to -= 1
      found.push({ start: from, end: to })
      from = to
    }
    return found.filter((part) => !blank.test(text.slice(part.start, part.end)))
  })

const isSingleLine = (unit: Unit): boolean => !unit.block.text.includes('\n')
const between = (before: Unit, after: Unit): string =>
  before.block.kind === 'row' && after.block.kind === 'row' && isSingleLine(before) && isSingleLine(after) ? '\n' : '\n\n'

/** The texts of the units as one, with where each begins and the starts of all tokens. */
export const joined = (units: readonly Unit[]) => {
  let text = ''
  const starts: number[] = []
  const tokens: number[] = []
  for (const [index, unit] of units.entries()) {
    const before = units[index - 1]
    if (before) text += between(before, unit)
    starts.push(text.length)
    for (const at of unit.tokens) tokens.push(text.length + at)
    text += unit.block.text
  }
  return { text, starts, tokens: Uint32Array.from(tokens) }
}

const whole = (unit: Unit) => ({ unit, part: { start: 0, end: unit.block.text.length } })

/** Running text: cut at sentences, with overlap. */
const prose = (units: readonly Unit[], cut: Cut, sizes: Sizes): Piece[] => {
  const { text, starts, tokens } = joined(units)
  return stretches(cut, text, tokens, sizes, maxCharacters).map(({ start, end }) => ({
    text: text.slice(start, end),
    of: units.flatMap((unit, index) => {
      const at = starts[index] as number
      const part = { start: Math.max(0, start - at), end: Math.min(unit.block.text.length, end - at) }
      return part.start < part.end ? [{ unit, part }] : []
    }),
  }))
}

/** As much of a header as leaves half a chunk for what it heads. `tokens` are the starts of its tokens. */
export const headerThatFits = (
  header: string,
  tokens: Uint32Array,
  maxTokens: number,
): { readonly text: string; readonly tokens: number } => {
  const most = Math.floor(maxTokens / 2)
  let end = Math.min(header.length, maxHeaderCharacters, tokens[most] ?? header.length)
  if (end < header.length && splitsPair(header, end)) end -= 1
  const text = header.slice(0, end).trim()
  return { text, tokens: Math.min(most, tokens.length) }
}

type Line = { readonly unit: Unit; readonly part: Stretch }

const tokensIn = ({ block, tokens }: Unit, { start, end }: Stretch): Uint32Array => {
  if (start === 0 && end === block.text.length) return tokens
  return tokens.filter((at) => at >= start && at < end).map((at) => at - start)
}

const textOf = ({ unit, part }: Line): string => unit.block.text.slice(part.start, part.end)

/**
 * Records under a header: as many as fit, cut only when one does not fit by itself. `lead` is the little text that comes before the table and is
 * said in front of its first chunk.
 */
const records = (
  lines: readonly Line[],
  header: { readonly text: string; readonly tokens: number },
  lead: readonly Unit[],
  separator: (before: Line, after: Line) => string,
  cut: Cut,
  sizes: Sizes,
): Piece[] => {
  const opening = joined(lead)
  let filled = header.tokens + opening.tokens.length
  let body = ''
  let held: Line[] = []
  let prefix = lead.length === 0 ? header.text : `${opening.text}\n\n${header.text}`
  let leading = lead.map(whole)
  const pieces: Piece[] = []
  const emit = () => {
    pieces.push({ text: prefix === '' || prefix.endsWith('\n') ? prefix + body : `${prefix}\n${body}`, of: [...leading, ...held] })
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
    const fits = () => filled + tokens.length <= sizes.maxTokens && prefix.length + body.length + gap.length + text.length < maxCharacters
    if (held.length > 0 && !fits()) emit()
    if (fits()) {
      body += (held.length > 0 ? gap : '') + text
      held.push(line)
      filled += tokens.length
      continue
    }
    const room = sizes.maxTokens - filled
    const within = { maxTokens: room, overlapTokens: Math.min(sizes.overlapTokens, Math.floor(room / 2)) }
    for (const { start, end } of stretches(cut, text, tokens, within, maxCharacters - prefix.length - 1)) {
      body = text.slice(start, end)
      held = [{ unit: line.unit, part: { start: line.part.start + start, end: line.part.start + end } }]
      emit()
    }
  }
  if (held.length > 0) emit()
  return pieces
}

/** Each sign is looked at once: this runs in the service itself, over whatever somebody wrote. */
const isRule = (line: string): boolean => line.includes('-') && /^[\s:|-]+$/.test(line)

/** A Markdown table: its first two lines, when they are a header and its rule, are said again in each chunk. */
const table = (unit: Unit, lead: readonly Unit[], cut: Cut, sizes: Sizes): Piece[] => {
  const lines: Line[] = []
  for (let start = 0; start < unit.block.text.length; ) {
    const found = unit.block.text.indexOf('\n', start)
    const end = found === -1 ? unit.block.text.length : found
    if (end > start) lines.push({ unit, part: { start, end } })
    start = end + 1
  }
  const [first, second] = lines
  const headed =
    first && second && lines.length > 2 && isRule(textOf(second)) ? { start: first.part.start, end: second.part.end } : undefined
  const text = headed ? unit.block.text.slice(headed.start, headed.end) : ''
  const size = headed ? tokensIn(unit, headed).length : 0
  // A header that would have to be shortened is no Markdown any more: then it is a line like the others.
  const fits = size <= sizes.maxTokens / 2 && text.length <= maxHeaderCharacters
  const header = headed && fits ? { text, tokens: size } : { text: '', tokens: 0 }
  return records(header.text === '' ? lines : lines.slice(2), header, lead, () => '\n', cut, sizes)
}

type Run = { readonly kind: 'prose' | 'rows' | 'table'; readonly units: Unit[] }

export const runKind = (block: Block): Run['kind'] => (block.kind === 'row' ? 'rows' : block.kind === 'table' ? 'table' : 'prose')

/**
 * Units that belong together as the texts of chunks, in order. `header` is that of the rows among them; `minTokens` is how much text
 * before a table still goes with it.
 */
export const layOut = (
  units: readonly Unit[],
  header: { readonly text: string; readonly tokens: number },
  cut: Cut,
  sizes: Sizes & { readonly minTokens: number },
): Piece[] => {
  const runs: Run[] = []
  for (const unit of units) {
    const kind = runKind(unit.block)
    const last = runs.at(-1)
    if (last && last.kind === kind && kind !== 'table') last.units.push(unit)
    else runs.push({ kind, units: [unit] })
  }
  if (runs.length > 1 && !runs.some(({ kind }) => kind === 'rows')) {
    const all = joined(units)
    if (all.tokens.length <= sizes.maxTokens && all.text.length <= maxCharacters) return [{ text: all.text, of: units.map(whole) }]
  }
  const pieces: Piece[] = []
  let lead: readonly Unit[] = []
  for (const [index, run] of runs.entries()) {
    const length = run.units.reduce((sum, { tokens }) => sum + tokens.length, 0)
    const characters = run.units.reduce((sum, { block }) => sum + block.text.length + 2, 0)
    if (run.kind === 'prose' && index + 1 < runs.length && length < sizes.minTokens && characters < maxHeaderCharacters) lead = run.units
    else if (run.kind === 'prose') pieces.push(...prose(run.units, cut, sizes))
    else if (run.kind === 'table') pieces.push(...table(run.units[0] as Unit, lead, cut, sizes))
    else {
      const separator = (before: Line, after: Line) => between(before.unit, after.unit)
      pieces.push(...records(run.units.map(whole), header, lead, separator, cut, sizes))
    }
    if (run.kind !== 'prose') lead = []
  }
  return pieces
}

import { sentencesOf } from '@cairn/contracts/text/sentence-ends'
import { hasText, isProse, maxSentenceLength } from '@cairn/contracts/text/sentences'
import { isTableRule } from '@cairn/contracts/text/table-rule'

export type Candidate = {
  readonly text: string
  readonly kind: 'sentence' | 'item' | 'row'
  /** Index of its passage. */
  readonly passage: number
  /** The sentence before it, or the one that introduces its list; empty: none. */
  readonly before: string
  /** Its words count; a row's has the first column's name, too. */
  readonly wording: string
  /** A line of its own without a sign at the end, as titles and bylines are. */
  readonly isLine: boolean
}

const maxRowLength = 800

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

const field = /^([^:|\n]{1,60}): (\S.*)$/
const item = /^(\s*)(?:[-*+•–]|\(?\d{1,3}[.)]|[a-z]\))\s+/

type Row = Pick<Candidate, 'text' | 'wording'>

/** Returns the first value, then the others with the names of their columns. */
const rowOf = (names: readonly string[], values: readonly string[]): Row => {
  const named = values.flatMap((value, index) => {
    const name = names[index] ?? ''
    if (value === '') return []
    return [index === 0 || name === '' || name === value ? value : `${name}: ${value}`]
  })
  const [first = '', ...others] = named
  const text = others.length === 0 ? first : `${first} – ${others.join('; ')}`
  return { text, wording: names[0] && values[0] ? `${names[0]}: ${text}` : text }
}

type Paragraph = { readonly lines: readonly string[] }

const paragraphsOf = (text: string): Paragraph[] =>
  text
    .split(/\n[^\S\n]*\n/)
    .map((part) => ({ lines: part.split('\n').filter((line) => line.trim() !== '') }))
    .filter(({ lines }) => lines.length > 0)

const tableRows = (lines: readonly string[]): Row[] => {
  const [first = '', second = '', ...others] = lines
  if (!isTableRule(second)) return lines.map((line) => rowOf([], cellsOf(line)))
  const names = cellsOf(first)
  return others.map((line) => rowOf(names, cellsOf(line)))
}

/** Returns undefined if the lines are no record. */
const recordRow = (lines: readonly string[]): Row | undefined => {
  // Chunks of tables repeat the column names above the first record.
  const [first = '', ...others] = lines
  const own = first.includes(' | ') && others.length > 0 ? others : lines
  const fields = own.map((line) => (item.test(line) ? null : field.exec(line)))
  if (own.length < 2 || fields.some((found) => found === null)) return undefined
  const names = fields.map((found) => found?.[1] ?? '')
  const values = fields.map((found) => found?.[2] ?? '')
  return rowOf(['', ...names.slice(1)], [`${names[0]}: ${values[0]}`, ...values.slice(1)])
}

/** Requires three words, or a name with a value. */
const saysSomething = (text: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{4}/u.test(text) || (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= 3

/** Detects a title in capital letters. */
const isShouted = (text: string): boolean => {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  return capitals > 10 && capitals > (text.match(/\p{Ll}/gu)?.length ?? 0)
}

const isQuotable = (text: string): boolean =>
  hasText(text) && text.length <= maxSentenceLength && isProse(text) && saysSomething(text) && !isShouted(text)

/** Joins lines wrapped by hand. */
const joinLines = (lines: readonly string[]): string[] => {
  const joined: string[] = []
  const width = Math.max(...lines.map((line) => line.trimEnd().length))
  let previous = 0
  for (const line of lines) {
    const last = joined.at(-1)
    // A wrapped line is full: the next word had no room; or that word goes on in lower case.
    const [word = ''] = /^\S+/.exec(line.trimStart()) ?? []
    const isFull = line.trim().length > 0 && previous + 1 + word.length > width * 0.95
    const isNew =
      last === undefined ||
      item.test(line) ||
      /[.!?:;…。！？]$/.test(last) ||
      width < 40 ||
      !(isFull || /^\p{Ll}/u.test(word))
    previous = line.trimEnd().length
    if (isNew) joined.push(line.trim())
    else joined[joined.length - 1] = `${last} ${line.trim()}`
  }
  return joined
}

/** Yields candidates in reading order. `headings` are lines that are never quoted. */
export function* candidatesIn(text: string, passage: number, headings: ReadonlySet<string>): Generator<Candidate> {
  let before = ''
  for (const { lines } of paragraphsOf(text)) {
    const row = recordRow(lines)
    const rows = row !== undefined ? [row] : lines.every((line) => line.includes('|')) ? tableRows(lines) : undefined
    if (rows) {
      for (const one of rows)
        if (hasText(one.text) && one.text.length <= maxRowLength)
          yield { ...one, kind: 'row', passage, before: '', isLine: false }
      continue
    }
    let introduction = ''
    for (const line of joinLines(lines)) {
      const mark = item.exec(line)?.[0]
      const plain = mark === undefined ? line : line.slice(mark.length)
      if (headings.has(line) || headings.has(plain)) continue
      for (const { segment } of sentencesOf(plain)) {
        const sentence = segment.replace(/\s+/gu, ' ').trim()
        if (isQuotable(sentence))
          yield {
            text: sentence,
            wording: sentence,
            kind: mark === undefined ? 'sentence' : 'item',
            passage,
            before: mark === undefined ? before : introduction,
            isLine: mark === undefined && sentence === line.trim() && !/\p{P}$/u.test(sentence),
          }
        before = sentence
        if (mark === undefined) introduction = sentence
      }
    }
  }
}

import { maxBlockUnits } from '../shared/block-writer.ts'
import type { BlockBegin } from './open-block.ts'

/** `{#id .class key=value}` at the end of a heading, which several site generators support. */
const attributes =
  /[ \t]*\{:?[ \t]*(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)(?:[ \t]+(?:[#.][^\s{}]+|[\w-]+=[^\s{}]+)){0,20}[ \t]*\}$/
/** HTML that goes on after a blank line: Markdown is not cut before its end. */
const longHtml =
  /^ {0,3}<(?:(!--)|(script|style|pre|textarea|table|svg)\b|([a-z][\w-]*)\s(?:[^<>]*\s)?(?:hidden|style="[^"]*display:\s*none)\b)/i
/** A paragraph without marks needs no parser. */
const plain = /^(?![-+=:\d#>\s])[^\\`*_[\]<>&~!{|}\n]*$/
/** After this first line, indented text is no code. */
const indentedHolder = /^ {0,3}(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,200}\]:|!!!|\?\?\?\+?)(?:[ \t]|$)/
const fence = /^[ \t>]{0,40}(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\n]*)$/
const fenceEnd = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const thematicBreak = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/

export const isPlain = (source: string): boolean => plain.test(source)
export const isIndented = (line: string): boolean => /^(?: {4}|\t)/.test(line)
export const holdsIndented = (firstLine: string): boolean => indentedHolder.test(firstLine)
export const isThematicBreak = (line: string): boolean => line.length < 200 && thematicBreak.test(line)

/** HTML that does not end in its first line. */
export const htmlBegin = (line: string): BlockBegin | undefined => {
  const [match, comment, raw, hidden] = longHtml.exec(line.slice(0, 1000)) ?? []
  if (match === undefined) return undefined
  const mark = comment ? '-->' : `</${(raw ?? hidden ?? '').toLowerCase()}`
  if (line.toLowerCase().includes(mark)) return undefined
  return { kind: 'html', mark, head: [comment ? '<!--' : (/^[^>]*>/.exec(line.trimStart())?.[0] ?? '')] }
}

export const fenceBegin = (line: string): BlockBegin | undefined => {
  const [, mark, info = ''] = (line.length < 500 && fence.exec(line)) || []
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined
  return { kind: 'fence', mark }
}

/** Whether the line is the last one of a fence or of HTML. */
export const isEndOf = ({ kind, mark }: BlockBegin, line: string): boolean => {
  if (mark === undefined) return false
  if (kind === 'html') return line.toLowerCase().includes(mark)
  return fenceEnd.exec(line.slice(0, 200))?.[1]?.startsWith(mark) === true
}

/** Markdown of a heading, in whichever way the file marks it. */
export const headingSource = (text: string, level: number): string =>
  `${'#'.repeat(level)} ${text.replace(attributes, '')}`

export const atxHeadingSource = (line: string): string | undefined => {
  const [, marks, text = ''] = (line.length < maxBlockUnits && atxHeading.exec(line)) || []
  if (marks === undefined) return undefined
  const words = text
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim()
  return headingSource(words, marks.length)
}

/** Level of the heading that a line makes of the paragraph above it. */
export const setextLevel = (line: string, paragraph: readonly string[]): number | undefined => {
  const marks = /^ {0,3}(=+|-+)[ \t]*$/.exec(line.slice(0, 1000))?.[1]
  if (!marks || paragraph.length > 3 || /^\s*(?:[-*+>|]|\d+[.)])/.test(paragraph[0] ?? '')) return undefined
  return marks.startsWith('=') ? 1 : 2
}

/** Whether the line makes a header of the line above it. */
export const isDelimiterRow = (line: string, above: string): boolean => {
  if (!line.includes('|') || !above.includes('|') || line.length >= 20_000) return false
  // Takes two linear steps: a single regular expression takes quadratic time for trailing blanks.
  if (!/^ {0,3}[|:-][ \t|:-]*$/.test(line)) return false
  const cells = line.trim().split('|')
  if (cells[0] === '') cells.shift()
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell.trim()))
}

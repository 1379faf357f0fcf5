import { median } from '@cairn/domain/text/median'
import type { Word } from '../words/words.ts'
import { joinLines, type Line } from './lines.ts'

export type Paragraph = { readonly lines: readonly Line[]; readonly text: string }

const bullet = /^(?:[•‣◦▪●○■□–—·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s/i
const endsSentence = /[.!?:;…。！？：；؟]["'”’»)\]]*$/

/** Font sizes between lines of one paragraph. Double spacing is 2.3. */
const widestLines = 2.6

/** Measures in font sizes, because a page may have several. */
const usualDistance = (lines: readonly Line[]): number =>
  median(
    lines.flatMap((line, index) => {
      const above = lines[index - 1]
      const distance = above ? (line.y - above.y) / line.size : 0
      return distance > 0.5 && distance < widestLines ? [distance] : []
    }),
  ) || 1.2

export const emphasisOf = ({ words }: Line): 'bold' | 'italic' | undefined =>
  words.every(({ style }) => style.isBold) ? 'bold' : words.every(({ style }) => style.isItalic) ? 'italic' : undefined

type Column = { readonly x0: number; readonly x1: number }

const begins = (above: Line, line: Line, distance: number, column: Column): boolean => {
  const down = (line.y - above.y) / line.size
  const continues = !endsSentence.test(above.text) && /^\p{Ll}/u.test(line.text)
  if (Math.abs(line.size - above.size) > 0.15 * Math.max(line.size, above.size)) return true
  // A bold line above text that begins with a lower-case letter is a heading only with extra space between them.
  if (emphasisOf(line) !== emphasisOf(above) && (!continues || down > distance * 1.2)) return true
  // Another column, or text beside a picture: a sentence may continue there.
  if (down < 0.3 || line.x0 > above.x1) return !continues
  if (down > distance * 1.35 && down > distance + 0.25) return !continues || down > distance * 2.5
  if (bullet.test(line.text)) return true
  const indented = line.x0 - above.x0 > line.size * 0.8 && above.x0 < column.x0 + line.size
  const short = above.x1 < column.x0 + (column.x1 - column.x0) * 0.75
  return endsSentence.test(above.text) && (indented || short)
}

/** Shares of lines that the next word would fit into: in any text, and in text with `areEntries`. */
const withRoom = { any: 0.5, entries: 0.2 }
const areEntries = 0.4
/** Lines of receipts and forms end with a number or begin with a label. */
const entry = /\d%?\)?$|^[^:.]{2,25}: \S/

/** Whether the author ended the lines: the first word of the next line would have fitted. */
const areSeparate = (lines: readonly Line[]): boolean => {
  if (lines.length < 3 || lines.some(({ y }, index) => y < (lines[index - 1]?.y ?? 0))) return false
  const right = Math.max(...lines.map(({ x1 }) => x1))
  const hasRoom = ({ x1, size }: Line, [next]: readonly Word[]) =>
    next !== undefined && x1 + next.x1 - next.x0 + size * 0.6 < right
  const room = lines.slice(1).filter(({ words }, index) => hasRoom(lines[index] as Line, words)).length
  const share = room / (lines.length - 1)
  const entries = lines.filter(({ text }) => entry.test(text)).length
  return share >= withRoom.any || (share >= withRoom.entries && entries >= lines.length * areEntries)
}

export const paragraphsOf = (lines: readonly Line[]): Paragraph[] => {
  const distance = usualDistance(lines)
  const paragraphs: Paragraph[] = []
  let column: Column = { x0: 0, x1: 0 }
  let held: Line[] = []
  const finish = () => {
    if (held.length > 0) paragraphs.push({ lines: held, text: joinLines(held, areSeparate(held) ? '\n' : ' ') })
    held = []
  }
  for (const line of lines) {
    const above = held.at(-1)
    if (!above || begins(above, line, distance, column)) {
      finish()
      // One line is weak evidence of the column's width.
      if (!above || Math.abs(line.x0 - column.x0) > line.size * 3 || line.x1 > column.x1) column = line
    } else {
      column = { x0: Math.min(column.x0, line.x0), x1: Math.max(column.x1, line.x1) }
    }
    held.push(line)
  }
  finish()
  return paragraphs
}

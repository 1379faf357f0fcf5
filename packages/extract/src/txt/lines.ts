import { cutAt, graphemeUnits, maxBlockUnits } from '../shared/block-writer.ts'

export type Line = {
  readonly text: string
  /** UTF-16 units from the beginning of the text. */
  readonly from: number
  readonly to: number
  /** The line is longer than a block may be and continues in the next piece. */
  readonly more: boolean
}

/** A longer line is split, so that a file of one line does not need more memory. */
const maxLineLength = maxBlockUnits

/** LF, CRLF or CR end a line. Each batch has the lines that end in one piece of the text. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let rest = ''
  let index = 0

  const take = (last: boolean): Line[] => {
    const lines: Line[] = []
    const ends = rest.includes('\r') ? /\r\n|\n|\r/g : /\n/g
    let from = 0
    const add = (end: number, next: number, more: boolean) => {
      lines.push({ text: rest.slice(from, end), from: index + from, to: index + next, more })
      from = next
    }
    const addPieces = (end: number) => {
      while (end - from > maxLineLength) {
        const to = from + cutAt(rest.slice(from, from + maxLineLength + graphemeUnits), maxLineLength)
        add(to, to, true)
      }
    }
    for (let found = ends.exec(rest); found; found = ends.exec(rest)) {
      const next = found.index + found[0].length
      // The LF of a CRLF may be in the next piece.
      if (found[0] === '\r' && next === rest.length && !last) break
      addPieces(found.index)
      add(found.index, next, false)
    }
    addPieces(rest.length)
    if (last && from < rest.length) add(rest.length, rest.length, false)
    index += from
    rest = rest.slice(from)
    return lines
  }

  for await (const piece of text) {
    rest += piece
    const lines = take(false)
    if (lines.length > 0) yield lines
  }
  const lines = take(true)
  if (lines.length > 0) yield lines
}

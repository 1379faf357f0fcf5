import { type PlacedStretch, pageEdge } from '@cairn/domain/text/places'
import { cleanText } from '../clean-text.ts'

const nameUnits = 200
const headerUnits = 1000
/** Applies once full names would make up most of a large table. */
const shortNameUnits = 40
const namesPerValue = 8
const freeNameUnits = 4 * 1024 * 1024

export const shorten = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).toWellFormed()}…`

const oneLine = (text: string): string => shorten(cleanText(text.slice(0, 1000)).replace(/\s+/g, ' ').trim(), nameUnits)

export type Columns = {
  /** Begins every chunk of the rows. */
  readonly header: string | undefined
  /**
   * Returns one record as `name: value` lines, or as values in one line if no column has a name; empty fields are
   * omitted. Call it for each record in order: once the names written exceed 4 Mi UTF-16 units and 8 times the values,
   * names are cut to 40 units. A table of long names and short values would else grow to hundreds of times its size.
   */
  readonly row: (fields: Iterable<readonly [column: number, value: string]>) => RowText
}

/** `cells`: the stretch of each cell, with its column, from 0, as `x0` and `x1`. */
export type RowText = { readonly text: string; readonly cells: readonly PlacedStretch[] }

const rowText = (parts: readonly { readonly column: number; readonly text: string }[], separator: string): RowText => {
  const cells: PlacedStretch[] = []
  let start = 0
  for (const { column, text } of parts) {
    const end = start + text.length
    if (column <= pageEdge) cells.push({ start, end, x0: column, y0: 0, x1: column, y1: 0 })
    start = end + separator.length
  }
  return { text: parts.map(({ text }) => text).join(separator), cells }
}

/** `names` are by column, from 0; `letters` names the others. */
export const columnsOf = (
  names: ReadonlyMap<number, string> | undefined,
  letters: (column: number) => string,
): Columns => {
  if (!names) {
    return {
      header: undefined,
      row: (fields) =>
        rowText(
          Array.from(fields, ([column, value]) => ({ column, text: cleanText(value).trim() })).filter(
            ({ text }) => text !== '',
          ),
          ' | ',
        ),
    }
  }
  const cached = new Map<number, string>()
  /** UTF-16 units that names may still use. */
  let left = freeNameUnits
  const all: string[] = []
  let units = 0
  for (const [column, name] of names) {
    const short = oneLine(name)
    if (short === '') continue
    cached.set(column, short)
    if (units <= headerUnits) all.push(short)
    units += short.length + 3
  }
  return {
    header: shorten(all.join(' | '), headerUnits),
    row(fields) {
      const lines: { column: number; text: string }[] = []
      for (const [column, value] of fields) {
        const text = cleanText(value).trim()
        if (text === '') continue
        const name = cached.get(column) ?? letters(column)
        const written = left > 0 ? name : shorten(name, shortNameUnits)
        left += namesPerValue * text.length - written.length
        lines.push({ column, text: `${written}: ${text}` })
      }
      return rowText(lines, '\n')
    },
  }
}

export type Column<T> = {
  readonly title: string
  readonly value: (row: T) => string | number | null | undefined
  readonly right?: boolean
  /** May be cut to fit the terminal. Ids and names are not, because people copy them. */
  readonly long?: boolean
}

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters and marks of direction, which make a terminal display another text. Leaves JSON valid. */
export const escaped = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, escapeOf)

/** Returns one line without invisible characters. */
export const printable = (text: string): string => escaped(text).replace(/[\n\t\p{Cf}\u2028\u2029]+/gu, ' ')

const cell = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? '-' : printable(String(value))

const minLong = 10

/** Reduces columns of long texts until a line has at most `width` characters. */
const fitWidths = (
  widths: readonly number[],
  isLong: readonly boolean[],
  width: number | undefined,
): readonly number[] => {
  const excess = widths.reduce((sum, each) => sum + each + 2, -2) - (width ?? Number.POSITIVE_INFINITY)
  const index = isLong.lastIndexOf(true)
  if (excess <= 0 || index < 0) return widths
  return widths.map((each, at) => (at === index ? Math.max(Math.min(each, minLong), each - excess) : each))
}

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

/** Formats columns under their titles, with a final line end. `width`: of the terminal; undefined for other outputs. */
export const table = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number | undefined = undefined,
): string => {
  if (rows.length === 0) return 'none\n'
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => cell(value(row))))]
  const natural = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const isLong = columns.map(({ long = false }) => long)
  const widths = fitWidths(natural, isLong, width)
  const pad = (text: string, index: number) => {
    const length = widths[index] ?? 0
    return columns[index]?.right ? text.padStart(length) : cut(text, length).padEnd(length)
  }
  return cells.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Formats one line per value. */
export const detailsTable = (values: Readonly<Record<string, string | number | null | undefined>>): string => {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`)
    .join('')
}

export type Column<T> = {
  readonly title: string
  readonly value: (row: T) => string | number | null | undefined
  readonly right?: boolean
}

/** Replaces control characters with blanks: names chosen by other users could contain terminal control sequences. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

const cell = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? '-' : printable(String(value))

/** Formats rows as columns under their titles, with a final line end. */
export const table = <T>(columns: readonly Column<T>[], rows: readonly T[]): string => {
  if (rows.length === 0) return 'none\n'
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => cell(value(row))))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const pad = (text: string, index: number) =>
    columns[index]?.right ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)
  return cells.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Formats one object, one line per value. */
export const record = (values: Readonly<Record<string, string | number | null | undefined>>): string => {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`)
    .join('')
}

const nameUnits = 200
const headerUnits = 1000

export const shorten = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).toWellFormed()}…`

const oneLine = (text: string): string => shorten(text.slice(0, 1000).replace(/\s+/g, ' ').trim(), nameUnits)

export type Columns = {
  /** What every chunk of the rows begins with. */
  readonly header: string | undefined
  /** One record: fields as `name: value` lines, or values in a line where no column has a name. Fields that are empty are left out. */
  readonly row: (fields: Iterable<readonly [column: number, value: string]>) => string
}

/** How the rows of a table are written. `names` by column from 0; `letters` names columns the way their file does. */
export const columnsOf = (names: ReadonlyMap<number, string> | undefined, letters: (column: number) => string): Columns => {
  if (!names) {
    return {
      header: undefined,
      row: (fields) =>
        Array.from(fields, ([, value]) => value.trim())
          .filter(Boolean)
          .join(' | '),
    }
  }
  const known = new Map<number, string>()
  const all: string[] = []
  let units = 0
  for (const [column, name] of names) {
    const short = oneLine(name)
    if (short === '') continue
    known.set(column, short)
    if (units <= headerUnits) all.push(short)
    units += short.length + 3
  }
  return {
    header: shorten(all.join(' | '), headerUnits),
    row(fields) {
      const lines: string[] = []
      for (const [column, value] of fields) {
        const text = value.trim()
        if (text !== '') lines.push(`${known.get(column) ?? letters(column)}: ${text}`)
      }
      return lines.join('\n')
    },
  }
}

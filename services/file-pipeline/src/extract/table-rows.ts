const nameUnits = 200
const headerUnits = 1000
/** Long names of columns are written in full with each value until they are most of a large table. */
const shortNameUnits = 40
const namesPerValue = 8
const freeNameUnits = 4 * 1024 * 1024

export const shorten = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).toWellFormed()}…`

const oneLine = (text: string): string => shorten(text.slice(0, 1000).replace(/\s+/g, ' ').trim(), nameUnits)

export type Columns = {
  /** What every chunk of the rows begins with. */
  readonly header: string | undefined
  /**
   * One record: fields as `name: value` lines, or values in a line where no column has a name. Fields that are empty are left out. Called
   * for each record of the table in order: once the names written so far have more than 4 Mi UTF-16 units and 8 times those of the values,
   * names are cut to 40 units. Otherwise a table of long names and short values would become hundreds of times its size.
   */
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
  /** UTF-16 units that names may still take. */
  let left = freeNameUnits
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
        if (text === '') continue
        const name = known.get(column) ?? letters(column)
        const written = left > 0 ? name : shorten(name, shortNameUnits)
        left += namesPerValue * text.length - written.length
        lines.push(`${written}: ${text}`)
      }
      return lines.join('\n')
    },
  }
}

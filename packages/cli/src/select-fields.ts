/** Returns names at any depth. */
export const fieldNames = (data: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof data !== 'object' || data === null) return found
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(data)) found.add(name)
    fieldNames(value, found)
  }
  return found
}

/**
 * Selects at any depth. Objects and lists that hold a named field stay, so that a path into the result is also one into
 * the selection; empty lists stay, because their items might have it.
 */
export const selectFields = (data: unknown, names: ReadonlySet<string>): unknown => {
  if (typeof data !== 'object' || data === null) return undefined
  if (Array.isArray(data)) return data.map((each) => selectFields(each, names)).filter((each) => each !== undefined)
  const rows = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (names.has(name)) return [[name, value]]
    const selected = selectFields(value, names)
    const isEmptied = Array.isArray(value) && value.length > 0 && Array.isArray(selected) && selected.length === 0
    return selected === undefined || isEmptied ? [] : [[name, selected]]
  })
  return rows.length === 0 ? undefined : Object.fromEntries(rows)
}

const delimiters = [',', ';', '\t', '|'] as const
const sampledLines = 50

/** Returns fields outside quotes, for counting only. */
const fieldsOf = (line: string, delimiter: string): string[] => line.replace(/"(?:[^"]|"")*"/g, '""').split(delimiter)

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Returns the delimiter that splits most lines into the same number of fields; a comma if none does. */
export const findDelimiter = (head: string): string => {
  // A line break within quotes does not end a line.
  const lines = head
    .replace(/"(?:[^"]|""){0,5000}"/g, (quoted) => quoted.replace(/[\r\n]/g, ' '))
    .split(/\r\n|\n|\r/, sampledLines + 1)
    .filter((line) => line.trim() !== '')
    .slice(0, sampledLines)
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => fieldsOf(line, delimiter).length)
    const usual = median(counts)
    if (usual < 2) continue
    const same = counts.filter((count) => count === usual).length / counts.length
    const score = same * 10 + Math.min(usual, 50) / 50
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

const isNumber = (text: string): boolean =>
  /^\s*[-+(]?[\p{Sc}]?\s*[\d][\d.,' ]*\s*[%\p{Sc})]?\s*$/u.test(text.slice(0, 60))
const isDate = (text: string): boolean => /^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text)
const isData = (text: string): boolean => isNumber(text) || isDate(text)
const isYear = (text: string): boolean => /^\s*(19|20)\d\d\s*$/.test(text)

/**
 * Whether the first record names the columns. It does unless it resembles the records below, with data where they have
 * data. A year above numbers is a name.
 */
export const hasHeader = (records: readonly (readonly string[])[]): boolean => {
  const [first, ...others] = records
  if (!first || first.every((field) => field.trim() === '')) return false
  if (first.every((field) => field.trim() === '' || (isData(field) && !isYear(field)))) return false
  let votes = 0
  for (const [column, name] of first.slice(0, 1000).entries()) {
    const below = others.map((record) => record[column] ?? '').filter((field) => field.trim() !== '')
    if (below.length === 0 || !below.every(isData)) continue
    if (!isData(name)) votes++
    else if (!isYear(name) || below.every(isYear)) votes--
  }
  return votes >= 0
}

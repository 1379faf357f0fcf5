const delimiters = [',', ';', '\t', '|'] as const
const sampledLines = 200

/** A character that does not occur in text, so that records are whole lines. */
export const noDelimiter = '\uffff'

export type Dialect = { readonly delimiter: string; readonly quote: '"' | "'" }

const singleQuoted = /(^|[,;\t|])'(?:[^'\r\n]|'')*'(?=[,;\t|\r\n]|$)/gm
const singleQuoteOpens = /(?:^|[,;\t|])'/gm
const doubleQuoteOpens = /(?:^|[,;\t|])"/m

/** Apostrophes, if they enclose fields and no field begins with a double quote. */
const findQuote = (head: string): Dialect['quote'] => {
  if (!head.includes("'") || doubleQuoteOpens.test(head)) return '"'
  const opened = head.match(singleQuoteOpens)?.length ?? 0
  return opened > 0 && opened === (head.match(singleQuoted)?.length ?? 0) ? "'" : '"'
}

/** Whether the commas belong to sentences. */
const isProse = (lines: readonly string[], counts: readonly number[], usual: number): boolean => {
  const from = counts.indexOf(usual)
  const rest = counts.slice(from)
  const isUneven = rest.length < 2 || rest.filter((count) => count === usual).length < rest.length * 0.6
  const all = lines.join('\n')
  const isSpaced = (all.match(/,/g)?.length ?? 0) === (all.match(/, /g)?.length ?? 0)
  // A single column, with or without a name.
  if (counts[0] === 1 && counts.length > 1) return isUneven || (from === 1 && usual === 2 && isSpaced)
  return isUneven && isSpaced && counts.length > 2
}

export const findDialect = (head: string): Dialect => {
  const quote = findQuote(head)
  const bare =
    quote === '"'
      ? // A line break within quotes does not end a line.
        head.replace(/"(?:[^"]|""){0,5000}"/g, (quoted) =>
          /[\r\n]/.test(quoted) || quoted.length < 5000 ? '""' : quoted,
        )
      : head.replace(singleQuoted, "$1''")
  const all = bare.split(/\r\n|\n|\r/, sampledLines + 1).filter((line) => line.trim() !== '')
  const records = all.filter((line) => !/^#/.test(line))
  const lines = (records.length > 0 ? records : all).slice(0, sampledLines)
  let best: { delimiter: string; score: number } | undefined
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length)
    const tally = new Map<number, number>()
    for (const count of counts) if (count > 1) tally.set(count, (tally.get(count) ?? 0) + 1)
    const [usual, lineCount] = [...tally].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0])
    if (usual < 2 || (delimiter === ',' && isProse(lines, counts, usual))) continue
    const score = (lineCount / counts.length) * 10 + Math.min(usual, 50) / 50
    if (score > (best?.score ?? 0)) best = { delimiter, score }
  }
  return { delimiter: best?.delimiter ?? noDelimiter, quote }
}

/**
 * Joins fields that were split at commas of a sentence: surplus fields that begin with a blank. Returns the fields
 * unchanged if the number then does not match.
 */
export const withoutProseCommas = (fields: readonly string[], usual: number, delimiter: string): readonly string[] => {
  if (delimiter !== ',' || fields.length <= usual || usual < 1) return fields
  const joined: string[] = []
  let left = fields.length - usual
  for (const field of fields) {
    const last = joined.length - 1
    if (left > 0 && last >= 0 && field.startsWith(' ') && joined[last]?.trim()) {
      joined[last] += `,${field}`
      left--
    } else joined.push(field)
  }
  return left === 0 ? joined : fields
}

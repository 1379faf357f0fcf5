import { withoutCode } from './markdown-links.ts'

/** Length of a common beginning from which two lines in a row count as one sentence twice. */
const sameBeginning = 40
/** Length from which a line may stand only once on its page. */
const onlyOnce = 60

/** Tables and lists repeat the beginnings of their rows on purpose. */
const isProse = (line: string): boolean => /^[\p{L}`[(]/u.test(line)

/**
 * Returns a line for each prose line of a page that repeats an earlier one, and for each line of prose directly below a
 * code block, which is what a cut that went wrong leaves behind.
 */
export const repeatedLines = (name: string, markdown: string): string[] => {
  const lines = withoutCode(markdown)
  const raw = markdown.split('\n')
  const seen = new Map<string, number>()
  return lines.flatMap((line, index) => {
    if (!isProse(line)) return []
    const [above = '', at] = [raw[index - 1], `${name}:${index + 1}`]
    if (/^(`{3,}|~{3,})$/.test(above)) return [`${at}: a blank line is missing below the code block`]
    const first = line.length >= onlyOnce ? seen.get(line) : undefined
    seen.set(line, first ?? index + 1)
    if (first !== undefined) return [`${at}: repeats line ${first}`]
    const beginning = line.slice(0, sameBeginning)
    return beginning.length === sameBeginning && above.startsWith(beginning)
      ? [`${at}: begins like the line above`]
      : []
  })
}

import type { Row } from './page.ts'

/** Characters allowed between a label and its values: cell borders, leader dots and currency signs. */
const between = '[\\s|.…$€£*]*'
const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
/** Returns a pattern that ignores blanks within a text, and hyphens, which may be missing at the end of a line. */
const pattern = (text: string): string =>
  [...text.replaceAll(/\s/gu, '')].map((character) => (character === '-' ? '-?' : quoted(character))).join('\\s*')

/**
 * Returns the rows for which no line of the text has exactly the row's label and values. Each line counts for one row.
 */
export const rowsMissing = (text: string, rows: readonly Row[]): Row[] => {
  const lines = text.split('\n').map((line) => line.replaceAll('\\|', '|'))
  return rows.filter(({ label, values }) => {
    const line = new RegExp(`^${between}${[label, ...values].map(pattern).join(`[\\s|]${between}`)}${between}$`, 'u')
    const index = lines.findIndex((one) => line.test(one))
    if (index >= 0) lines.splice(index, 1)
    return index < 0
  })
}

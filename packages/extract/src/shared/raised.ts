/** A number or marks of footnotes: `6`, `-3`, `12,13`, `a,b,*`. */
const raised = /^(?:[+−-]?\d{1,4}|(?:\d{1,3}|[a-z*†‡§¶])(?:\s?[,–-]\s?(?:\d{1,3}|[a-z*†‡§¶]))*)$/
const negative = /^[−-]/
/** Before an exponent: a short whole number, a parenthesis or a variable. */
const base = /(?:(?<![\d.,])\d{1,2}|\)|(?<!\p{L})\p{L})$/u
const unit = /(?<!\p{L})(?!\p{Lu}\p{Lu})\p{L}{2}$/u
const longWord = /\p{L}{3}$/u

/**
 * Exponent (`^6`) or mark of a footnote in brackets, to be preceded by a blank; undefined for other raised text, such
 * as the end of `4th`.
 */
export const raisedText = (before: string, text: string): string | undefined => {
  if (!raised.test(text) || !/[\da-z]/.test(text) || /[([{]$/.test(before)) return undefined
  const isNumber = /^[+−-]?\d+$/.test(text)
  if (isNumber && (base.test(before) || negative.test(text) || (text.length === 1 && unit.test(before))))
    return `^${text}`
  return isNumber || /\d/.test(text[0] as string) || longWord.test(before) ? `[${text}]` : undefined
}

export const withRaised = (before: string, text: string): string => {
  const plain = text.trim()
  const written = raisedText(before, plain)
  if (written === undefined) return text
  return text.replace(plain, written.startsWith('[') && /\S$/.test(before) ? ` ${written}` : written)
}

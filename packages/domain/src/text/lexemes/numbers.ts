/** Returns a number without signs between thousands or needless zeros, with a point before decimals. */
const usualForm = (digits: string, thousands: string, decimal: string): string => {
  const [whole = '', fraction = ''] = digits.replaceAll(thousands, '').split(decimal)
  // Without the lookbehind, a long row of zeros in the fraction would take quadratic time.
  const decimals = fraction.replace(/(?<!0)0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals === '' ? '' : `.${decimals}`}`
}

/** `1,234.50`, `1.234,50` and `1'234.50` are 1234.5. `1,234` has two forms: languages differ. */
export const numberForms = (number: string): string[] => {
  const signs = number.replace(/\d/g, '')
  const [first = '', last = ''] = [signs[0], signs.at(-1)]
  if (signs.length > 1) return [usualForm(number, first, first === last ? '\0' : last)]
  if (first === "'" || first === '’') return [usualForm(number, first, '\0')]
  const decimal = usualForm(number, '\0', first)
  return /^[1-9]\d{0,2}.\d{3}$/.test(number) ? [decimal, usualForm(number, first, '\0')] : [decimal]
}

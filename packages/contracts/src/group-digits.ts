/** `10,485,760`: at most three digits after the point. Not by locale, because the first use of one loads 9 MB of its data. */
export const groupDigits = (value: number): string => {
  const [whole = '', fraction] = String(Math.round(value * 1_000) / 1_000).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

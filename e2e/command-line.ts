/** Returns the value of a command-line option as a whole number. Throws an error that describes an invalid value. */
export const wholeNumber = (name: string, value: string, min: number, max: number): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    throw new Error(`--${name} is a whole number from ${min} to ${max}, not ${value}`)
  return number
}

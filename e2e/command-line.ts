/** Returns the whole number that an option of the command line has. Throws a sentence that says what is wrong with it. */
export const wholeNumber = (name: string, value: string, min: number, max: number): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    throw new Error(`--${name} is a whole number from ${min} to ${max}, not ${value}`)
  return number
}

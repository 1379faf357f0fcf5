/** Hebrew, Arabic and related scripts, with presentation forms. */
export const rtl = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

const letter = /\p{L}/u

/** Whether more of the texts have letters from right to left than only others. */
export const areFromRight = (texts: readonly string[]): boolean =>
  texts.filter((text) => rtl.test(text)).length > texts.filter((text) => !rtl.test(text) && letter.test(text)).length

const controls = /[\p{Cc}--[\t\n]]+/gv
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's codes begin with ESC
const terminalCodes = /\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]/g
/** UTF-16 within a text of another encoding. */
const zerosBetween = /(?<=\0[^\0])\0|\0(?=[^\0]\0)/g

/**
 * Makes line ends line feeds, and removes lone surrogates, terminal codes and the zeros of UTF-16. Each run of other
 * control characters becomes a blank, because they may separate words.
 */
export const cleanText = (text: string): string => {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const plain =
    lines.search(controls) < 0
      ? lines
      : lines.replace(terminalCodes, '').replace(zerosBetween, '').replace(controls, ' ')
  return plain.toWellFormed()
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const controls = /[\p{Cc}--[\t\n]]+/gv
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's codes begin with ESC
const terminalCodes = /\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]/g
/** Matches zeros at every second position: UTF-16 within a text of another encoding. */
const zerosBetween = /(?<=\0[^\0])\0|\0(?=[^\0]\0)/g

/**
 * Returns text with line ends as `\n` and without lone surrogates and control characters. Terminal codes and the zeros
 * of UTF-16 are removed; other control characters may separate words, so each run of them becomes a blank.
 */
export const cleanText = (text: string): string => {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const plain =
    lines.search(controls) < 0
      ? lines
      : lines.replace(terminalCodes, '').replace(zerosBetween, '').replace(controls, ' ')
  return plain.toWellFormed()
}

/** Returns text as one line, trimmed. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * For a tokenizer on a server. Tends to be too high: a token per 3 ASCII letters or digits (English has 4 to 5 per
 * token), one per other visible ASCII character, and one per 2 bytes of UTF-8 of other characters (1 for an accented
 * letter, 2 for a Chinese character or an emoji). ASCII blanks and control characters count as none.
 */
export const estimateTokens = (text: string): Uint32Array => {
  const starts: number[] = []
  let letters = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (isLetter(unit)) {
      if (letters % 3 === 0) starts.push(index)
      letters += 1
      continue
    }
    letters = 0
    if (unit <= 0x20 || unit === 0x7f) continue
    starts.push(index)
    if (unit >= 0x800) starts.push(index)
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1
  }
  return Uint32Array.from(starts)
}

const isLetter = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

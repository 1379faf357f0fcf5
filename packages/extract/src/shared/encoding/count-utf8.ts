export type Utf8Count = {
  /** Complete characters of two to four bytes. */
  readonly whole: number
  /** Invalid bytes and incomplete characters. */
  readonly broken: number
}

/** Valid range, which is narrower after some first bytes. */
const secondByte = (first: number): readonly [min: number, max: number] => [
  first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80,
  first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf,
]

const bytesAfter = (first: number): number =>
  first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0

/** Counts non-ASCII characters in bytes that may be UTF-8. */
export const countUtf8 = (bytes: Uint8Array): Utf8Count => {
  let whole = 0
  let broken = 0
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index] as number
    index++
    if (first < 0x80) continue
    const wanted = bytesAfter(first)
    let [min, max] = secondByte(first)
    let found = 0
    for (; found < wanted; found++, index++, min = 0x80, max = 0xbf) {
      const next = bytes[index]
      if (next === undefined || next < min || next > max) break
    }
    if (wanted > 0 && found === wanted) whole++
    else broken++
  }
  return { whole, broken }
}

/**
 * Whether the bytes are UTF-8 with some damage: two complete characters for each broken one. In other encodings,
 * complete characters occur by chance: in 25 bytes of East Asian or Thai text, the worst case, at most one for each
 * broken one.
 */
export const isNearlyUtf8 = ({ whole, broken }: Utf8Count): boolean => whole > 0 && whole >= 2 * broken

/** Several bytes per character, so that a few characters may be UTF-8 by chance. */
const wideEncodings = /^(?:gb|hz|big5|cn|euc|shift|sjis|windows-?(?:31j|932|936|949|950)|ks|x-sjis|utf-?16|utf-?32)/i

/** Whether the bytes are UTF-8 although another encoding is declared. */
export const isUtf8Despite = (declared: string, { whole, broken }: Utf8Count): boolean => {
  const isSure = whole >= 5 && isNearlyUtf8({ whole, broken })
  return isSure || (broken === 0 && whole > 0 && !wideEncodings.test(declared))
}

/** Latin letters and punctuation. */
const latinCharacter = /^[\u00a0-\u00bf\u00c0-\u017f\u0218-\u021b\u2010-\u2030\u20ac]$/

/**
 * Whether the bytes are Latin-script UTF-8, with at most one damaged byte per complete character. Each non-ASCII
 * character must stand alone between ASCII characters; in other encodings such a pair of bytes is not a letter.
 */
export const isLatinUtf8 = (bytes: Buffer): boolean => {
  let whole = 0
  let broken = 0
  for (const [run] of bytes.toString('latin1').matchAll(/[\x80-\xff]+/g)) {
    const part = Buffer.from(run, 'latin1')
    const count = part.length > 4 ? undefined : countUtf8(part)
    if (!count || count.whole > 1 || count.broken > 1) return false
    if (count.whole === 1 && !latinCharacter.test(part.toString().replace('\ufffd', ''))) return false
    whole += count.whole
    broken += count.broken
  }
  return whole > 0 && whole >= broken
}

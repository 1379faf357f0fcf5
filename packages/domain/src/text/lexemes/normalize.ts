import { fold, withShortMarks } from '@cairn/contracts/text/text'

/**
 * Change how a text looks or sounds, not its words: soft hyphens, characters without width, marks of direction,
 * variants of glyphs, vowel signs of Arabic and Hebrew, the widening Arabic line, and the dot below Devanagari letters,
 * which many people leave out.
 */
const silent =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these characters is removed by itself
  /[\u00ad\u034f\u061c\u093c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g
/**
 * Accents of Latin, Greek and Cyrillic letters, and the hamza and madda of Arabic ones. U+034F stays: it ends long rows
 * of marks (`withShortMarks`).
 */
const accents = /[\u0300-\u034e\u0350-\u036f\u0653-\u0655]/g
const onlyAscii = /^\p{ASCII}*$/u
/** These signs separate thousands in some languages; NFKC would make blanks of the spaces, which end a number. */
const thousandsSign = /(?<=\p{Nd})[\u00a0\u202f\u066c](?=\p{Nd}{3})/gu
const arabicDecimalSign = /(?<=\p{Nd})\u066b(?=\p{Nd})/gu
const otherDigit = /[[\p{Nd}]--[0-9]]/gv

/** Returns an ASCII digit. Unicode has the ten digits of a script side by side. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Returns NFKC with ASCII digits, without silent characters. Keeps case and accents. */
export const normalized = (text: string): string =>
  onlyAscii.test(text)
    ? text
    : withShortMarks(text.toWellFormed())
        .replace(thousandsSign, "'")
        .replace(arabicDecimalSign, '.')
        .normalize('NFKC')
        .replace(silent, '')
        .replace(/\u0901/g, '\u0902')
        .replace(otherDigit, asciiDigit)

/** Returns NFC without the accents that are not part of a letter in NFC. */
export const withoutLooseAccents = (word: string): string => word.replace(accents, '')

export const withoutAccents = (word: string): string =>
  onlyAscii.test(word) ? word : word.normalize('NFD').replace(accents, '').normalize('NFC')

export const foldWord = (word: string): string => withoutAccents(fold(word))

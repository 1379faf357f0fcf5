import { isAscii } from 'node:buffer'
import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { plainBytes } from '../controls.ts'
import { countUtf8, isNearlyUtf8 } from './count-utf8.ts'
import { amongLatin } from './latin-letters.ts'
import { guessOlder, isPlausible } from './plausible-text.ts'

/** Returns percent of natural text. Controls and private-use characters lower it; a lone surrogate makes it 0. */
const likeliness = (text: string): number => {
  if (!text.isWellFormed()) return 0
  let good = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x20 || code === 0x0a || code === 0x0d) good += 2
    else if (code < 0x20 || code === 0x7f) good -= code === 9 ? 0 : 4
    else if (code < 0x0600 || (code >= 0x3000 && code < 0x3100) || (code >= 0x4e00 && code < 0xa000)) good += 1
    else if (
      (code >= 0x0600 && code < 0x1100) ||
      (code >= 0x2000 && code < 0x2100) ||
      (code >= 0xac00 && code < 0xd7a4)
    )
      good += 1
    else if (code >= 0xe000 && code < 0xf900) good -= 2
  }
  return (good * 100) / Math.max(1, text.length)
}

/** A text with a larger share of isolated zeros is UTF-16. */
const zeroShare = 1 / 3
/** Texts with more blanks without an adjacent zero are not UTF-16; East Asian UTF-16 has some by chance. */
const blankShare = 0.06

const countBetween = (bytes: Buffer, isCounted: (byte: number, before: number, after: number) => boolean): number => {
  let count = 0
  for (let index = 0; index < bytes.length; index++)
    if (isCounted(bytes[index] as number, bytes[index - 1] ?? 1, bytes[index + 1] ?? 1)) count++
  return count
}

/** Whether zeros are damage or separators in a text whose encoding extends ASCII. */
const extendsAscii = (head: Buffer): boolean => {
  const plain = plainBytes(head)
  if (!plain) return false
  const zeros = countBetween(head, (byte, before, after) => byte === 0 && before !== 0 && after !== 0)
  if (zeros > plain.length * zeroShare) return false
  if (isAscii(plain) || isNearlyUtf8(countUtf8(plain))) return true
  const blanks = countBetween(
    head,
    (byte, before, after) => (byte === 0x20 || byte === 0x0a) && before !== 0 && after !== 0,
  )
  return blanks > plain.length * blankShare
}

/** Text in single-byte encodings has no zeros. Tries both byte orders: East Asian text has few zeros. */
export const guessUtf16 = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (extendsAscii(head)) return undefined
  let even = head.subarray(0, Math.min(head.length, 16_384) & ~1)
  const low = even[even.length - 1] ?? 0
  const first = even[even.length - 2] ?? 0
  // A surrogate pair cut at the end would count against both byte orders.
  if (even.length < head.length && ((low & 0xfc) === 0xd8 || (first & 0xfc) === 0xd8)) even = even.subarray(0, -2)
  const little = likeliness(iconv.decode(even, 'utf-16le', { stripBOM: false }))
  const big = likeliness(iconv.decode(even, 'utf-16be', { stripBOM: false }))
  if (Math.max(little, big) < 80) return undefined
  return little >= big ? 'utf-16le' : 'utf-16be'
}

const oddShare = (text: string): number => {
  const odd = text.match(/[\uFFFD\p{Co}[\p{Cc}--[\t\n\f\r]]]/gv)?.length ?? 0
  return odd / Math.max(1, text.length)
}

const strangeShare = (text: string): number => {
  const high = text.match(/\P{ASCII}/gu) ?? []
  const common = high.filter((character) => /[\p{L}°²³µ±½¼¾€£§©®™«»„“”‘’–—…·×]/u.test(character)).length
  return high.length === 0 ? 1 : 1 - common / high.length
}

/** For bytes that are not UTF-8; undefined if they are no text in any encoding. */
export const guessEncoding = (bytes: Buffer): string | undefined => {
  const sample = plainBytes(bytes) ?? bytes
  const candidates = analyse(sample).filter(({ name }) => !/^utf|^ascii/i.test(name) && iconv.encodingExists(name))
  const reads = (name: string): boolean => {
    const text = iconv.decode(sample, name)
    return oddShare(text) < 0.01 && isPlausible(text)
  }
  const fitting = candidates
    .filter(({ confidence }) => confidence >= 10)
    .flatMap(({ name }) => {
      const { encoding, sure } = amongLatin(sample, name)
      const found = [encoding, name].find(reads)
      return found === undefined ? [] : [{ name: found, sure }]
    })
  const [likeliest] = fitting
  if (likeliest) {
    // A few East Asian words look like improbable combinations of letters.
    const wide = likeliest.sure < 0.5 ? fitting.find(({ name }) => /jis|euc|gb|big5/i.test(name)) : undefined
    return wide?.name ?? likeliest.name
  }
  const old = guessOlder(sample)
  if (old) return old
  // Too little evidence, such as one word with an accent: use the most common encoding.
  const western = iconv.decode(sample, 'windows-1252')
  return oddShare(western) < 0.05 && isPlausible(western) && strangeShare(western) < 0.5 ? 'windows-1252' : undefined
}

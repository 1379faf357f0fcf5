import type { Language } from './languages.ts'

/** `MarkedLatin`: Latin letters outside ASCII, which English lacks. `Other`: every other script. */
export const scripts = [
  'Latin',
  'MarkedLatin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
  'Han',
  'Kana',
  'Hangul',
  'Other',
] as const
export type Script = (typeof scripts)[number]

/** 0: no better than by chance, to 1. A missing script counts as 0. */
export type LanguageCoverage = Readonly<Partial<Record<Script, number>>>

/** Not the letters of the Unicode script of that name. */
const ownLetters: Readonly<Partial<Record<Script, RegExp>>> = {
  Latin: /^[A-Za-z]$/,
  MarkedLatin: /^\p{sc=Latin}$/u,
  Kana: /^[\p{sc=Hiragana}\p{sc=Katakana}ー]$/u,
  Other: /^\p{L}$/u,
}
/** The first pattern that a letter matches is that of its script. */
const patterns = scripts.map(
  (script) => [script, ownLetters[script] ?? new RegExp(`^\\p{sc=${script}}$`, 'u')] as const,
)
const noLetter = scripts.length

const classify = (codePoint: number): number => {
  const character = String.fromCodePoint(codePoint)
  if (!/^\p{L}$/u.test(character)) return noLetter
  const script = patterns.find(([, pattern]) => pattern.test(character))?.[0]
  return script ? scripts.indexOf(script) : noLetter
}

/** Class of each code point plus one; 0: not known yet. Unicode has no letters beyond these planes. */
const classes = new Uint8Array(0x4_0000)

const classOf = (codePoint: number): number => {
  if (codePoint >= classes.length) return noLetter
  const known = classes[codePoint] ?? 0
  if (known > 0) return known - 1
  const found = classify(codePoint)
  classes[codePoint] = found + 1
  return found
}

/** Counts in the order of `scripts`. */
const countLetters = (text: string): Uint32Array => {
  const counts = new Uint32Array(scripts.length + 1)
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at) ?? 0
    if (codePoint > 0xffff) at += 1
    const found = classOf(codePoint)
    counts[found] = (counts[found] ?? 0) + 1
  }
  return counts
}

/** A word has about two characters in Chinese, five in English. */
const lettersPer: Readonly<Partial<Record<Script, number>>> = { Han: 3, Kana: 2, Hangul: 2 }

/** Share of marked letters at which a text is certainly not English. */
const foreignShare = 0.01

/** Returns how far the Latin letters are of another language than English, 0 to 1. */
const foreignness = ([plain = 0, marked = 0]: Uint32Array): number =>
  marked === 0 ? 0 : Math.min(1, marked / (plain + marked) / foreignShare)

/** Returns 1 without letters. `latin`: coverage of Latin letters. */
const meanOver = (counts: Uint32Array, reads: LanguageCoverage, latin: number): number => {
  const [plain = 0, marked = 0] = counts
  let all = plain + marked
  let sum = all * latin
  for (const [index, script] of scripts.entries()) {
    const count = index < 2 ? 0 : (counts[index] ?? 0) * (lettersPer[script] ?? 1)
    all += count
    sum += count * (reads[script] ?? 0)
  }
  return all === 0 ? 1 : Math.min(1, sum / all)
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/**
 * Returns how far a model reads a text, 0 to 1: the mean over its letters' scripts; 1 without letters or `reads`. A
 * Chinese, Japanese or Korean character counts as several. Other languages in Latin letters count as English, unless
 * the model reads them better: they share words and parts of words, so cosines of an English model still order their
 * texts.
 */
export const readableShare = (text: string, reads: LanguageCoverage | undefined): number => {
  const { Latin = 0, MarkedLatin = 0 } = reads ?? {}
  // Most texts are in ASCII, and most models read that: no counting.
  if (!reads || (Latin === 1 && isAscii(text))) return 1
  const counts = countLetters(text)
  return meanOver(counts, reads, Latin + foreignness(counts) * Math.max(0, MarkedLatin - Latin))
}

/** Least weight of cosines for other languages in Latin letters, as a share of that for English. */
const minForeignWeight = 0.5

/** They don't make Latin letters foreign: `none` may be any language. */
const notForeign: readonly Language[] = ['en', 'none', 'ar', 'hy', 'ru', 'ta']

/**
 * Returns how much cosines count against words, 0 to 1. Less than `readableShare` for a query in another language in
 * Latin letters that the model doesn't read: words are the better guide, but cosines still help. It is recognized by
 * the namespace's language, or by marked letters.
 */
export const cosineWeight = (query: string, reads: LanguageCoverage | undefined, language: Language): number => {
  const { Latin = 0, MarkedLatin = 0 } = reads ?? {}
  const isForeign = !notForeign.includes(language)
  if (!reads || (Latin === 1 && !isForeign && isAscii(query))) return 1
  if (MarkedLatin >= Latin) return readableShare(query, reads)
  const counts = countLetters(query)
  const foreign = isForeign ? 1 : foreignness(counts)
  return meanOver(counts, reads, Latin + foreign * (Math.max(MarkedLatin, minForeignWeight * Latin) - Latin))
}

/** A model with a lower readable share is taken to be unable to read the text. */
export const minReadable = 0.5

const scriptNames: Readonly<Partial<Record<Script, string>>> = {
  Latin: 'English',
  MarkedLatin: 'languages in Latin letters other than English',
  Cyrillic: 'Cyrillic (Russian)',
  Devanagari: 'Devanagari (Hindi)',
  Han: 'Chinese',
  Kana: 'Japanese',
  Hangul: 'Korean',
  Other: 'other scripts',
}

/** Returns no names without `reads`. */
export const unreadScripts = (reads: LanguageCoverage | undefined): string[] =>
  reads ? scripts.flatMap((script) => ((reads[script] ?? 0) < minReadable ? (scriptNames[script] ?? script) : [])) : []

import iconv from 'iconv-lite'

/** Hardly occur in text decoded with the right encoding. */
const strange = [
  // Symbols within, before or after a word.
  /\p{Ll}[[\P{ASCII}&&\p{S}]§¶¸¿¡]\p{L}|\p{L}[§¶¨¸´ˇ˘˛˝¤¦¬±×÷°¼½¾]|[§¶¨¸´ˇ˘˛˝¤¦¬]\p{Ll}/gv,
  /\p{L}[‚„‹]|\p{L}[†‡ˆ›•‰“”«»ª©®™¢£¥](?=\p{L})/gu,
  /[†‡ˆ˜¢£¤¥¦§¨©ª«¬®¯±´¶·¸º»¼½¾]{2,}/gu,
  // A dash before the single last letter of a word.
  /\p{Ll}[–—](?=\p{Ll}(?!\p{L}))/gu,
  // A capital letter after a lower-case one, at least one of them not ASCII.
  /\p{Ll}(?=[\P{ASCII}&&\p{Lu}])|[[\P{ASCII}&&\p{Ll}]--ß](?=\p{Lu})|(?<!\p{L})[\P{ASCII}&&\p{Lu}](?=\p{Lu}\p{Ll})/gv,
  /(?<!\p{L})[œŒšŠžŽŸ](?!\p{L})/gu,
  // East Asian letters within a Latin word.
  /[A-Za-z][\uff61-\uff9f]|[\uff61-\uff9f](?=[A-Za-z])|(?<=[A-Za-z])[\u3400-\u9fff\uac00-\ud7a3](?=[A-Za-z])/gu,
  /[\p{Cc}--[\t\n\f\r\0]]|[\uFFFD\p{Co}]/gv,
]
/** Box-drawing characters next to others. */
const brokenFrames = /[\u2500-\u259f](?=[^\u2500-\u259f\s])|(?<=[^\u2500-\u259f\s])[\u2500-\u259f]/gu
/** Above it, EBCDIC text was decoded with box-drawing characters; blanks then become `@`. */
const maxFrames = 0.1
const highLetters = /[\P{ASCII}&&\p{L}]/gv
/** Share of strange characters among the non-ASCII ones; from `several` on, the lower share applies. */
const maxShare = 0.1
const several = 3
const maxShareOfSeveral = 0.03
/** Share of non-ASCII letters in Latin script; Vietnamese has a third. */
const maxAccented = 0.6

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const strangeIn = (text: string): number => strange.reduce((sum, pattern) => sum + countOf(text, pattern), 0)

const beyondAscii = (text: string): number => countOf(text, /\P{ASCII}/gu)

/** Lines with non-ASCII characters for each damaged line, such as one in another encoding. */
const linesForOneDamaged = 10

const isStrangeInFewLines = (text: string): boolean => {
  const lines = text.split(/\r\n?|\n/).filter((line) => beyondAscii(line) > 0)
  const damaged = lines.filter((line) => strangeIn(line) > 0).length
  return damaged <= lines.length / linesForOneDamaged
}

/** Whether the text may have been decoded with the right encoding. */
export const isPlausible = (text: string): boolean => {
  if (!text.includes(' ') && countOf(text, brokenFrames) > text.length * maxFrames) return false
  const found = strangeIn(text)
  const latin = countOf(text, /\p{Script=Latin}/gu)
  const accented = countOf(text, /[\P{ASCII}&&\p{Script=Latin}]/gv)
  if (accented >= 8 && accented > latin * maxAccented) return false
  const share = found / Math.max(1, beyondAscii(text))
  return (share <= maxShare && (found < several || share <= maxShareOfSeveral)) || isStrangeInFewLines(text)
}

/** Not supported by the statistical guess; with the letters of their languages. */
const older = [
  ['cp852', ['áčďéěíňóřšťúůýž', 'ąćęłńóśźż', 'áäčďéíľĺňóôŕšťúýž', 'áéíóöőúüű']],
  ['cp850', ['äöüß', 'éèêàçùôîûëïâœ', 'áéíóúñü¿¡', 'ãõáéíóúâêôçà', 'àèéìòù', 'åäöé', 'æøåé']],
  ['macroman', ['äöüß', 'éèêàçùôîûëïâœ', 'áéíóúñü¿¡', 'ãõáéíóúâêôçà', 'àèéìòù', 'åäöé', 'æøåé']],
  ['cp866', ['абвгдежзийклмнопрстуфхцчшщъыьэюяё']],
] as const

/** Non-ASCII letters needed, and the share that must belong to one language. */
const enoughLetters = 4
const languageShare = 0.95

/** Returns the only older encoding that gives words of a language; undefined if none or several do. */
export const guessOlder = (sample: Buffer): string | undefined => {
  const fitting = older.flatMap(([name, languages]) => {
    const text = iconv.decode(sample, name)
    const letters = (text.match(highLetters) ?? []).map((letter) => letter.toLowerCase())
    const high = countOf(text, /[\P{ASCII}--[\u2010-\u2030«»…°€§\u00a0]]/gv)
    if (letters.length < enoughLetters || letters.length < high * languageShare || strangeIn(text) > 0) return []
    // Letters of other scripts look like capital letters, so a lower-case letter is required.
    if (!/\p{Ll}/u.test(letters.length > 0 ? text.replace(/\p{ASCII}/gu, '') : '')) return []
    const share = Math.max(
      ...languages.map((known) => letters.filter((letter) => known.includes(letter)).length / letters.length),
    )
    return share >= languageShare ? [{ name, share, text }] : []
  })
  const texts = new Set(fitting.map(({ text }) => text))
  return texts.size === 1 ? fitting[0]?.name : undefined
}

import { languages } from '@cairn/contracts/text/languages'
import { isFunctionWord } from '@cairn/contracts/text/question-words'

/** A date, month, weekday or time; `plain` is one word for all ways to write it: `d0711`, `m07`, `w3`, `t1800`. */
export type WrittenForm = { readonly from: number; readonly to: number; readonly plain: string }

const two = (value: number): string => String(value).padStart(2, '0')

type Named = { readonly plain: string; readonly isCapital: boolean; readonly isShort: boolean }

/** Months and weekdays by their names in lower case, short and inflected ones, too. */
const calendar = (): ReadonlyMap<string, Named> => {
  const found = new Map<string, Named>()
  const add = (name: string, plain: string, isShort: boolean): void => {
    const key = name.toLowerCase().replace(/\.$/, '')
    if (/^\p{L}{3,}$/u.test(key) && !found.has(key)) found.set(key, { plain, isCapital: key !== name, isShort })
  }
  const kinds: Intl.DateTimeFormatOptions[] = [
    { month: 'long' },
    { month: 'long', day: 'numeric' },
    { month: 'short' },
    { weekday: 'long' },
    { weekday: 'short' },
  ]
  for (const kind of kinds)
    for (const language of languages) {
      if (language === 'none') continue
      const format = new Intl.DateTimeFormat(language, { ...kind, timeZone: 'UTC' })
      // 1 January 2024 was a Monday.
      for (let index = 0; index < (kind.month ? 12 : 7); index++) {
        const date = kind.month ? Date.UTC(2024, index, 3) : Date.UTC(2024, 0, 1 + index)
        const name = format.formatToParts(date).find(({ type }) => type === 'month' || type === 'weekday')?.value ?? ''
        const isShort = kind.month === 'short' || kind.weekday === 'short'
        add(name, kind.month ? `m${two(index + 1)}` : `w${index + 1}`, isShort)
      }
    }
  return found
}

// Made on first use: an idle process should not load the names of 23 languages.
let names: ReadonlyMap<string, Named> | undefined
const named = (name: string): Named | undefined => {
  names ??= calendar()
  return names.get(name.toLowerCase())
}
const monthOf = (name: string): string | undefined => {
  const plain = named(name)?.plain
  return plain?.startsWith('m') ? plain.slice(1) : undefined
}

const dayFirst = /(?<![\p{N}.,:])(\d{1,2})(?:st|nd|rd|th|er|[.ºª])?\s(?:of |de |d['’])?(\p{L}{3,12})/gu
const monthFirst =
  /(?<![\p{L}\p{N}])(\p{L}{3,12})\.?\s(?:(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\p{N}]|[.,:]\d)|(?:de |of )?\d{4}(?!\d))/gu
const inDigits = /(?<!\d)(?:\d{4}[-年](\d{1,2})[-月](\d{1,2})|(\d{1,2})\.(\d{1,2})\.\d{4})(?!\d)/g
const oneWord = /(?<![\p{L}\p{N}])\p{L}{3,12}(?![\p{L}\p{N}])/gu
const time =
  /(?<![\d.,:])(\d{1,2})(?:[:.](\d{2}))?\s?(?:([ap])\.?m(?!\p{L})|Uhr(?!\p{L}))|(?<![\d.,:])(\d{1,2})[:h](\d{2})(?![\d:])/giu

const form = (index: number, length: number, plain: string): WrittenForm => ({ from: index, to: index + length, plain })
const dayOf = (month: string, day: string | undefined): string =>
  day === undefined ? `m${month}` : `d${month}${two(Number(day))}`

export function* writtenForms(text: string): Generator<WrittenForm> {
  for (const { 0: all, 1: day, 2: name = '', index } of text.matchAll(dayFirst)) {
    const month = monthOf(name)
    if (month) yield form(index, all.length, dayOf(month, day))
  }
  for (const { 0: all, 1: name = '', 2: day, index } of text.matchAll(monthFirst)) {
    const month = monthOf(name)
    if (month) yield form(index, day === undefined ? name.length : all.length, dayOf(month, day))
  }
  for (const { 0: all, 1: month, 2: day, 3: otherDay, 4: otherMonth, index } of text.matchAll(inDigits)) {
    const plain = two(Number(month ?? otherMonth))
    yield form(index + (month ? 5 : 0), all.length - 5, dayOf(plain, day ?? otherDay))
    yield form(index, 0, dayOf(plain, undefined))
  }
  for (const { 0: word, index } of text.matchAll(oneWord)) {
    // Matches the plural of a day, as in "on Mondays".
    const one = word.replace(/s$/, '')
    const found = named(word) ?? (named(one)?.plain.startsWith('w') ? named(one) : undefined)
    // May is also a verb, and short names are words: "led" is January in Czech.
    if (found && (/^\p{Lu}/u.test(word) || !(found.isCapital || found.isShort)))
      yield form(index, word.length, found.plain)
  }
  for (const { 0: all, 1: hour, 2: minute, 3: half, 4: hourOf24, 5: minuteOf24, index } of text.matchAll(time)) {
    const hours = (Number(hour ?? hourOf24) % (half ? 12 : 24)) + (half?.toLowerCase() === 'p' ? 12 : 0)
    yield form(index, all.length, `t${two(hours)}${minute ?? minuteOf24 ?? '00'}`)
  }
}

const labeled =
  /(?<!\p{L})(\p{L}{2,20})[\s:.]{1,2}(\d{1,3}(?:\s?(?:[,–-]|to|and|or|bis|und|oder|et|y)\s?\d{1,3}){0,9})(?![\d\p{L}]|[.,:]\d)/gu
const ordinal = /(?<!\d)(\d{1,3})\.\s(\p{L}{2,20})/gu
/** Wider ones are not taken one by one, as in "Classes 3 to 5". */
const widestRange = 30

const numbersIn = (list: string): number[] => {
  const numbers = (list.match(/\d+/g) ?? []).map(Number)
  const [from = 0, to = 0] = numbers
  const isRange = numbers.length === 2 && /[–-]|to|bis/.test(list) && to > from && to - from <= widestRange
  return isRange ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : numbers
}

/**
 * Joins numbers with the word before, or after an ordinal: `class3` is not in a text with class 5 and 3 pounds.
 * Possible plurals also without their endings.
 */
function* labels(text: string): Generator<string> {
  const labels = [
    ...Array.from(text.matchAll(labeled), ([, word = '', list = '']) => ({ word, numbers: numbersIn(list) })),
    ...Array.from(text.matchAll(ordinal), ([, number, word = '']) => ({ word, numbers: [Number(number)] })),
  ]
  for (const { word, numbers } of labels)
    for (const stem of new Set(['', /s$/, /es$/].map((end) => word.toLowerCase().replace(end, ''))))
      for (const number of numbers) yield stem + number
}

const labelInQuestion = /(?<=\s)(\p{Lu}\p{L}{1,19})\s(\d{1,3})(?![\d\p{L}]|[.,:–-]\d)/gu

/** Yields labels as `furtherWords` has them for a text, but only words with a capital. */
export function* numberedNamesInQuestion(question: string): Generator<WrittenForm> {
  for (const { 0: all, 1: word = '', 2: number = '', index } of question.matchAll(labelInQuestion)) {
    if (isFunctionWord(word)) continue
    const to = index + all.length
    yield { from: to - number.length, to, plain: word.toLowerCase() + Number(number) }
  }
}

/** Two to six words. */
const nameOfWords = /\p{Lu}\p{Ll}+(?:\s(?:of |the |and |for )?\p{Lu}\p{Ll}+){1,5}/gu

/** Yields the first letters of names, with and without the first one: `umc`. */
function* acronyms(text: string): Generator<string> {
  for (const [name] of text.matchAll(nameOfWords)) {
    const letters = name.replaceAll(/[^\p{Lu}]/gu, '').toLowerCase()
    yield letters
    if (letters.length > 2) yield letters.slice(1)
  }
}

/** 2 to 12 in English, German, French and Spanish. */
export const numberWords = [
  'two three four five six seven eight nine ten eleven twelve',
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'deux trois quatre cinq six sept huit neuf dix onze douze',
  'dos tres cuatro cinco seis siete ocho nueve diez once doce',
].map((words) => words.split(' '))

/** Returns what a question may say for a text's words: plain forms, labels and acronyms. */
export const furtherWords = (text: string): string[] => [
  ...Array.from(writtenForms(text), ({ plain }) => plain),
  ...labels(text),
  ...acronyms(text),
]

/** Returns a number in words, without separators, and with blanks in their place. */
export const otherNumbers = (number: string): string[] => {
  const words = numberWords.flatMap((list) => list[Number(number) - 2] ?? [])
  return /^\d{1,3}([.,]\d{3})+$/.test(number)
    ? [number.replaceAll(/[.,]/g, ''), number.replaceAll(/[.,]/g, ' ')]
    : words
}

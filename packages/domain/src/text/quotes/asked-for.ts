import { isFunctionWord } from '@cairn/contracts/text/question-words'
import { numberWords } from './written-forms.ts'

type Kind = 'person' | 'time' | 'place' | 'amount' | 'money' | 'reason'

export type AskedFor = {
  readonly kind: Kind
  /** What the question is about, in lower case. */
  readonly known: ReadonlySet<string>
  /** A number of what is to be counted; undefined: nothing named. */
  readonly counts: RegExp | undefined
}

const questions: readonly (readonly [Kind, RegExp])[] = [
  [
    'money',
    /\b(?:how much (?:does|do|did|is|was|are|were|will|must|would|money)|what (?:is|was|are) the (?:price|cost|fee|fine|charge|rent)|cost|price|fee|pay|paid)\b/i,
  ],
  [
    'amount',
    /\b(?:how (?:many|much|long|far|old|high|tall|deep|wide|often|big|large|heavy|fast|late|early)|what (?:number|percentage|share|size|weight|length|height|depth|speed)|wie ?viele?|wie (?:lang|lange|hoch|weit|groß|alt|oft|schnell)|cu[áa]nt[oa]s?|combien|à quel(?:le)? (?:prix|heure))\b|¿(?:a|en|por) cuánto|多少|几[个名位条辆天年月]|多[长高大久远]/i,
  ],
  [
    'time',
    /\b(?:when|what (?:time|date|day|year|month)|which (?:day|year|month|date)|since when|until when|by when|how soon|deadline|wann|um wie viel Uhr|cuándo|a qué hora|quand)\b|什么时候|何时|哪年|几点|几月/i,
  ],
  ['person', /\b(?:who|whom|whose|wer|wem|wen|wessen)\b|quién|\bqui\b|谁|哪位/i],
  ['place', /\b(?:where|in which (?:town|city|room|street|place|building|country)|what address)\b/i],
  ['reason', /\bwhy\b/i],
]

const units: Readonly<Record<string, string>> = {
  kilogram: 'kg',
  kilometer: 'km',
  kilometre: 'km',
  centimeter: 'cm',
  centimetre: 'cm',
  millimeter: 'mm',
  millimetre: 'mm',
  meter: 'm',
  metre: 'm',
  liter: 'l',
  litre: 'l',
  degree: '°',
}
const counted = /\b(?:how many|wie ?viele?|cu[áa]nt[oa]s|combien d[e’'])\s*(?:\p{Lu}?\p{Ll}+ )??(\p{L}{3,})/iu

const month =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'
const day = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const numberWord = `one|${numberWords.flat().join('|')}|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half|once|twice`
const amount = new RegExp(`\\d|(?<!\\p{L})(?:${numberWord})(?!\\p{L})`, 'iu')
const kinds: Readonly<Record<Kind, RegExp>> = {
  // Two words, or one after a title.
  person:
    /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Sister|Sir|Rev|Capt)\.?\s+(?:\p{Lu}\.\s*)*\p{Lu}\p{Ll}+)|(?:(?:\p{Lu}\.\s*)+\p{Lu}\p{Ll}+)|(?:\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+)/u,
  time: new RegExp(
    `\\b(?:1[5-9]|20)\\d\\d\\b|\\d{1,2}[:.]\\d\\d|\\b(?:${month}|${day})s?\\b|\\b\\d{1,2}(?: ?[ap]\\.?m\\b| o.clock)|\\b(?:noon|midnight|daily|weekly|monthly|yearly)\\b|(?:\\d|\\b(?:${numberWord})) (?:working |school |full )?(?:weeks?|days?|hours?|minutes?|years?|months?)\\b`,
    'i',
  ),
  place: /\b(?:in|at|on|near|behind|beside|under|opposite|above|below|from|to|inside|outside|between)\b/i,
  amount,
  money: /[$€£¥]|\d+(?:[.,]\d+)?\s*(?:pounds?|euros?|dollars?|francs?|crowns?|pence|cents?|%)|\d/i,
  reason:
    /\b(?:because|since|so that|due to|to (?:avoid|keep|prevent|make)|as (?:the|it|they|we)|otherwise|therefore|for fear)\b/i,
}

const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g
const word = /[\p{L}\p{N}]+/gu

const countsOf = (question: string): RegExp | undefined => {
  const unit = counted.exec(question)?.[1]?.toLowerCase().replace(/s$/, '')
  if (unit === undefined) return undefined
  const short = units[unit]
  const number = String.raw`(?:\d|(?<!\p{L})(?:${numberWord}))`
  return new RegExp(
    String.raw`${number}(?:\s?\p{L}+){0,2}?\s?(?:${unit}${short ? String.raw`|${short}(?!\p{L})` : ''})`,
    'iu',
  )
}

/** Returns undefined if the question's form does not say. */
export const askedFor = (question: string): AskedFor | undefined => {
  const [kind] = questions.find(([, form]) => form.test(question)) ?? []
  if (!kind) return undefined
  // 'Who is Ada Lovelace?' asks for a description, not for another person's name.
  if (/^[Ww]ho (?:is|was|are|were) (?:\p{Lu}\S*(?:\s|$))+$/u.test(question)) return undefined
  const known = new Set(
    question
      .match(word)
      ?.filter((one) => !isFunctionWord(one))
      .map((one) => one.toLowerCase()),
  )
  return { kind, known, counts: kind === 'amount' ? countsOf(question) : undefined }
}

/**
 * Returns how far a text has what is asked for, beside the question's words: 1; 0.5 for a number of something else, and
 * if the form does not say what it asks for; 0.
 */
export const shareOfAsked = (asked: AskedFor | undefined, text: string): number => {
  if (!asked) return 0.5
  const { kind, known, counts } = asked
  const rest = text.replaceAll(word, (one) => (known.has(one.toLowerCase()) ? '' : one))
  if (!kinds[kind].test(kind === 'amount' ? rest.replaceAll(year, '') : rest)) return 0
  return !counts || counts.test(text) ? 1 : 0.5
}

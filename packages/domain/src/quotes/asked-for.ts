/** What a question asks for. */
export type AskedFor = 'person' | 'time' | 'place' | 'amount' | 'money' | 'reason' | undefined

const questions: readonly (readonly [AskedFor, RegExp])[] = [
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

/** Returns what an English question asks for; undefined if its form does not say. */
export const askedFor = (question: string): AskedFor => questions.find(([, form]) => form.test(question))?.[0]

const month =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'
const day = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const numberWord =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half|once|twice'
const amount = new RegExp(`\\d|\\b(?:${numberWord})\\b`, 'i')
const kinds: Readonly<Record<NonNullable<AskedFor>, RegExp>> = {
  // A name within a sentence: two words, or one after a title.
  person:
    /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Sister|Sir|Rev|Capt)\.?\s+(?:\p{Lu}\.\s*)*\p{Lu}\p{Ll}+)|(?:(?:\p{Lu}\.\s*)+\p{Lu}\p{Ll}+)|(?:\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+)/u,
  time: new RegExp(
    `\\b(?:1[5-9]|20)\\d\\d\\b|\\d{1,2}[:.]\\d\\d|\\b(?:${month}|${day})s?\\b|\\b\\d{1,2}(?: ?[ap]\\.?m\\b| o.clock)|\\b(?:noon|midnight|daily|weeks?|days?|hours?|minutes?|years?|months?)\\b`,
    'i',
  ),
  place: /\b(?:in|at|on|near|behind|beside|under|opposite|above|below|from|to|inside|outside|between)\b/i,
  amount,
  money: /[$€£¥]|\d+(?:[.,]\d+)?\s*(?:pounds?|euros?|dollars?|francs?|crowns?|pence|cents?|%)|\d/i,
  reason:
    /\b(?:because|since|so that|due to|to (?:avoid|keep|prevent|make)|as (?:the|it|they|we)|otherwise|therefore|reason|for fear)\b/i,
}

/** Whether a text has what is asked for. */
export const hasAsked = (asked: AskedFor, text: string): boolean => asked !== undefined && kinds[asked].test(text)

import { expect, it } from 'vitest'
import { hash } from '../lexemes/hash.ts'
import { chooseQuote, type QuotePassage } from './choose.ts'

/** Returns vectors whose cosine is the share of words that two texts have in common. */
const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
  texts.map((text) => {
    const vector = new Float32Array(512)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) vector[Math.abs(hash(word)) % 512] = 1
    const norm = Math.hypot(...vector) || 1
    return vector.map((value) => value / norm)
  })
const weigh = async (lexemes: Uint32Array) => ({ of: Array.from(lexemes, () => 1), absent: 7 })
const passage = (text: string, about = '', score = 0.6): QuotePassage => ({ text, score, about, file: about })
const choose = (question: string, ...passages: readonly QuotePassage[]) =>
  chooseQuote(question, passages, { language: 'en', embed, weigh, meaningOf: (cosine) => cosine })

const ferries = passage(
  'The Lady Morwenna carries 212 passengers in summer. The car deck takes 28 cars. She was built at Leirvik in 1987.',
  'Ferries\nlady-morwenna.md',
)

it('is the sentence that has what is asked for', async () => {
  expect(await choose('How many cars does the Lady Morwenna take?', ferries)).toEqual({
    text: 'The car deck takes 28 cars.',
    isAnswer: true,
  })
  expect((await choose('When was the Lady Morwenna built?', ferries))?.text).toContain('1987')
})

it('is the row whose values the question names', async () => {
  const fleet = passage('ship: Brigid\nbuilt: 2003\ncars: 110\n\nship: Oran\nbuilt: 1999\ncars: 64', 'fleet.csv')
  expect(await choose('How many cars does the ship Oran carry?', fleet, ferries)).toEqual({
    text: 'ship: Oran – built: 1999; cars: 64',
    isAnswer: true,
  })
})

it.each([
  ['name', 'How many cars does the Lady Penrose take?'],
  ['number', 'How many passengers does the Lady Morwenna carry in 1994?'],
])('is no answer if the files lack a %s of the question', async (_, question) => {
  expect((await choose(question, ferries))?.isAnswer).toBe(false)
})

it('is no answer if little of the question is in it', async () => {
  expect((await choose('which vaccines are kept in a fridge?', ferries))?.isAnswer).toBe(false)
})

it('takes names from other passages of the file and from headings', async () => {
  const head = passage('Rules of the Skerrow Rowing Club for all members.', 'rules.txt')
  const rule = passage('A boat may leave the slip until eight in the evening.', 'rules.txt')
  const question = 'Until when may a boat leave the slip of Skerrow?'
  expect((await choose(question, head, rule))?.isAnswer).toBe(true)
  expect((await choose(question, rule))?.isAnswer).toBe(false)
})

it('takes no capitals of German nouns for names', async () => {
  const rule = passage('Das Boot darf den Steg bis acht Uhr verlassen, danach gilt die Ordnung des Vereins.')
  expect((await choose('Bis wann darf das Boot den Steg verlassen, laut der Vereinsordnung?', rule))?.isAnswer).toBe(
    true,
  )
})

it('demands less in few documents, where an absent word says little', async () => {
  const leave = passage('New parents get 16 weeks of paid leave.')
  const few = { language: 'en', embed, meaningOf: () => 0.35 } as const
  const weighFew = async (lexemes: Uint32Array) => ({ of: Array.from(lexemes, () => 1.8), absent: 1.8 })
  const question = 'how much time off after a birth?'
  expect((await chooseQuote(question, [leave], { ...few, weigh: weighFew }))?.isAnswer).toBe(true)
  expect((await chooseQuote(question, [leave], { ...few, weigh }))?.isAnswer).toBe(false)
})

it('is undefined if nothing can be quoted', async () => {
  expect(await choose('what?', passage('| |\n'))).toBeUndefined()
  expect(await choose('what?')).toBeUndefined()
})

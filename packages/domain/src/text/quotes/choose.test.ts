import { expect, it } from 'vitest'
import { hash } from '../lexemes/hash.ts'
import { lexemesOf } from '../lexemes.ts'
import { chooseQuote, type QuotePassage } from './choose.ts'

/** Returns vectors whose cosine is the share of words that two texts have in common. */
const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
  texts.map((text) => {
    const vector = new Float32Array(512)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) vector[Math.abs(hash(word)) % 512] = 1
    const norm = Math.hypot(...vector) || 1
    return vector.map((value) => value / norm)
  })
const { signal } = new AbortController()
const known = (passages: readonly QuotePassage[]) =>
  new Set(passages.flatMap(({ text, about, beginning }) => [...lexemesOf(`${text} ${about} ${beginning}`, 'en').ids]))
const passage = (text: string, about = '', score = 0.6): QuotePassage => ({
  text,
  score,
  about,
  attached: '',
  beginning: '',
})
const choose = (question: string, ...passages: readonly QuotePassage[]) =>
  chooseQuote(question, passages, {
    language: 'en',
    embed,
    weigh: async (lexemes) => ({ of: Array.from(lexemes, (id) => (known(passages).has(id) ? 3 : 7)), absent: 7 }),
    signal,
    meaningOf: (cosine) => cosine,
  })

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

it('takes names from headings, and not from other passages', async () => {
  const rule = 'A boat may leave the slip until eight in the evening.'
  const question = 'Until when may a boat leave the slip of Skerrow?'
  expect((await choose(question, passage(rule, 'Slip of Skerrow\nrules.txt')))?.isAnswer).toBe(true)
  const other = passage('The club of Skerrow has a slip for a boat.', 'rules.txt', 0.3)
  expect((await choose(question, passage(rule, 'rules.txt'), other))?.isAnswer).toBe(false)
})

it('takes names from the beginning of the file', async () => {
  const rule = passage('A trip abroad has to be approved by the head of department.', 'policy.md')
  const question = 'Who has to approve a trip abroad at Northmere?'
  expect((await choose(question, rule))?.isAnswer).toBe(false)
  const opening = { ...rule, beginning: 'Business travel at Northmere Instruments' }
  expect((await choose(question, opening))?.isAnswer).toBe(true)
})

it.each([
  ['a slip of typing in a name', 'How many cars does the Lady Morwena take?'],
  ['another form of a name', 'When was the ship of the Morwennas built at Leirvik?'],
])('allows %s', async (_, question) => {
  expect((await choose(question, ferries))?.isAnswer).toBe(true)
})

it.each([
  [
    'the first column',
    'Who is the teacher of Class 5?',
    '| Class | Teacher |\n| --- | --- |\n| 4 | Ben Moor |\n| 5 | Ada Penrose |',
    'Ada',
  ],
  [
    'a row that begins with a month',
    'How much rain falls in September?',
    '| Month | Rain |\n| --- | --- |\n| Aug | 31 |\n| Sep | 40 |',
    '40',
  ],
  [
    'a range of numbers',
    'Which day do the pupils of Class 4 swim?',
    'The pupils of Classes 3 to 5 swim on Mondays.',
    'Monday',
  ],
  [
    'an ordinal',
    'Welche Halle am Fluss darf die Klasse 5 nutzen?',
    'Die Halle am Fluss darf nur die 5. Klasse nutzen.',
    'Fluss',
  ],
])('finds the number of a question in %s', async (_, question, text, found) => {
  expect(await choose(question, passage(text))).toMatchObject({ text: expect.stringContaining(found), isAnswer: true })
})

it.each(['Which 2 documents does a pupil need for the boat?', 'Who led the pupils to the boat with 2 documents?'])(
  'takes no word of "%s" for a name',
  async (question) => {
    const rule = passage('A pupil needs two documents for the boat: Ada Penrose led the pupils to it.')
    expect((await choose(question, rule))?.isAnswer).toBe(true)
  },
)

it('takes no other name for the name of the question', async () => {
  const land = passage('| Land | Capital |\n| --- | --- |\n| Nigeria | Abuja |\n| Iceland | Reykjavik |')
  for (const name of ['Niger', 'Ireland'])
    expect((await choose(`What is the capital of ${name}?`, land))?.isAnswer).toBe(false)
})

it('quotes a text that the metadata repeats, and takes names from metadata', async () => {
  const open = { ...passage('We open the slip at nine.'), attached: 'We open the slip at nine.\nSkerrow' }
  expect(await choose('When do we open the slip of Skerrow?', open)).toEqual({
    text: 'We open the slip at nine.',
    isAnswer: true,
  })
})

it('ends when it is aborted', async () => {
  const context = { language: 'en', embed, weigh: async () => ({ of: [], absent: 7 }), meaningOf: () => 1 } as const
  await expect(chooseQuote('What now?', [ferries], { ...context, signal: AbortSignal.abort('gone') })).rejects.toBe(
    'gone',
  )
})

it.each([
  ['11 July 2024', '2024-07-11'],
  ['July 11, 2024', '11.07.2024'],
  ['11 July 2024', 'le 11 juillet 2024'],
  ['6 p.m.', '18:00'],
  ['Wednesdays', 'Wed'],
  ['12 crates', 'twelve crates'],
])('takes %s for %s', async (asked, written) => {
  const log = passage(`The fridge of the clinic on the quay had 7.7 degrees: ${written}, read by Hobday.`)
  expect((await choose(`What did the fridge of the clinic on the quay have, ${asked}?`, log))?.isAnswer).toBe(true)
  const other = passage('The fridge of the clinic on the quay had 7.7 degrees: 1999-01-02 13:45, read by Hobday.')
  expect((await choose(`What did the fridge of the clinic on the quay have, ${asked}?`, other))?.isAnswer).toBe(false)
})

it('takes the number behind a word for another thing than the number alone', async () => {
  const classes = passage('The trip of Class 5 to the lodge costs 3 pounds for each child of the school.')
  expect((await choose('What does the trip of Class 5 to the lodge cost?', classes))?.isAnswer).toBe(true)
  expect((await choose('What does the trip of Class 3 to the lodge cost?', classes))?.isAnswer).toBe(false)
})

it('prefers a sentence to a title', async () => {
  const trip = passage('Trip to Skerrow in May 2025\n\nThe pupils stay at the Fulmar hostel in Skerrow in May 2025.')
  expect((await choose('Where do pupils stay in Skerrow in May 2025?', trip))?.text).toContain('Fulmar')
})

it('takes no capitals of German nouns for names', async () => {
  const rule = passage('Das Boot darf den Steg bis acht Uhr verlassen, danach gilt die Ordnung des Vereins.')
  expect((await choose('Bis wann darf das Boot am Abend den Steg verlassen?', rule))?.isAnswer).toBe(true)
})

it('demands less in few documents, where an absent word says little', async () => {
  const leave = passage('New parents get 16 weeks of paid leave.')
  const few = { language: 'en', signal, embed, meaningOf: () => 0.35 } as const
  const weighFew = async (lexemes: Uint32Array) => ({ of: Array.from(lexemes, () => 1.8), absent: 1.8 })
  const question = 'how much time off after a birth?'
  expect((await chooseQuote(question, [leave], { ...few, weigh: weighFew }))?.isAnswer).toBe(true)
  const weighMany = async (lexemes: Uint32Array) => ({ of: Array.from(lexemes, () => 1.8), absent: 7 })
  expect((await chooseQuote(question, [leave], { ...few, weigh: weighMany }))?.isAnswer).toBe(false)
})

it('is undefined if nothing can be quoted', async () => {
  expect(await choose('what?', passage('| |\n'))).toBeUndefined()
  expect(await choose('what?')).toBeUndefined()
})

import type { Passage } from '@cairn/domain/ports/answerer'
import { expect, it } from 'vitest'
import { lexicalEmbedder } from '../embedder/lexical.ts'
import { extractiveAnswerer } from './extractive.ts'

const answerer = extractiveAnswerer(lexicalEmbedder())
const ask = async (query: string, passages: readonly Passage[]) => {
  const request = {
    model: 'extractive',
    query,
    passages,
    history: [],
    headerPrompt: '',
    footerPrompt: '',
    temperature: 0,
  }
  let text = ''
  for await (const piece of answerer.write(request, { signal: new AbortController().signal })) text += piece
  return text
}

it('says the sentences that have most in common with the question, as they stand', async () => {
  const passages = [
    { id: 'a', text: 'The hut opens in June. The spring lies behind the old larch tree. Bread is sold on Sundays.' },
    { id: 'b', text: 'Larch wood does not rot. The spring behind the larch never runs dry in summer.' },
  ]
  const text = await ask('Where is the spring, is it behind the larch?', passages)
  expect(text).toContain('The spring lies behind the old larch tree.')
  expect(text).not.toContain('Bread')
})

it('falls back on the opening of the best passage when nothing matches', async () => {
  expect(await ask('zzzz qqqq', [{ id: 'a', text: 'Short  text\nwithout an end' }])).toBe('Short text without an end')
})

it('answers from lists and tables by their lines', async () => {
  expect(await ask('price of rope', [{ id: 'a', text: '| rope | 40 francs |\n| axe | 90 francs |' }])).toContain('rope')
})

it.each([
  ['list item', '- **On a ridge.** The spring lies behind the old larch tree.'],
  ['text in italics', '*On a ridge.* The spring lies behind the old larch tree.'],
  ['text with underscores', '__On a ridge.__ The spring lies behind the old larch tree.'],
])('quotes a sentence after emphasized words of a %s without the marks', async (_, text) => {
  expect(await ask('where is the spring behind the larch', [{ id: 'a', text }])).toBe(
    'The spring lies behind the old larch tree.',
  )
})

it.each(['__init__.py lies behind the old larch tree.', '**The spring** lies behind the old larch tree.'])(
  'keeps marks that belong to the sentence: %s',
  async (text) => {
    expect(await ask('what lies behind the larch', [{ id: 'a', text }])).toBe(text)
  },
)

it('says what is said twice once, and not too much', async () => {
  const text = Array.from(
    { length: 200 },
    (_, index) => `The spring number ${index} lies behind the larch tree there. The spring lies behind the larch.`,
  )
  const said = await ask('where is the spring behind the larch', [{ id: 'a', text: text.join(' ') }])
  expect(said.length).toBeLessThanOrEqual(800)
  expect(said.split('The spring lies behind the larch.').length).toBeLessThanOrEqual(2)
})

it.each([
  ['front matter', '---\ntitle: The spring behind the larch.\nauthor: Ann\n---\nIt lies there in summer.'],
  ['TOML front matter', '+++\r\ntitle = "The spring behind the larch."\r\n+++\r\nIt lies there in summer.'],
  ['header lines', 'Title: The spring behind the larch.\nDate: 2024-01-01\n\nIt lies there in summer.'],
])('quotes no %s', async (_, text) => {
  expect(await ask('where is the spring behind the larch', [{ id: 'a', text }])).toBe('It lies there in summer.')
})

it.each([
  ['one line with a colon', 'Note: the spring lies behind the larch.\n\nIt is cold.', 'Note: the spring'],
  [
    'lines in the text',
    'It is cold.\nSpring: behind the larch tree.\nHut: on the saddle.\n',
    'Spring: behind the larch',
  ],
  ['metadata without a text', 'Spring: behind the larch.\nHut: on the saddle.\n\n', 'Spring: behind the larch'],
])('quotes %s', async (_, text, quoted) => {
  expect(await ask('where is the spring behind the larch', [{ id: 'a', text }])).toContain(quoted)
})

it('says one sentence, and a second one only if it is nearly as close to the question', async () => {
  const text = 'The spring lies behind the old larch tree. The document about springs is at the end. Bread is sold.'
  expect(await ask('where is the spring behind the larch tree?', [{ id: 'a', text }])).toBe(
    'The spring lies behind the old larch tree.',
  )
  const both = 'The first spring lies behind the larch. Bread is sold. The second spring lies behind the larch.'
  expect(await ask('where is the spring behind the larch?', [{ id: 'a', text: both }])).toBe(
    'The first spring lies behind the larch. The second spring lies behind the larch.',
  )
})

it.each([
  'paths./springs/larch.summary: The spring behind the larch.',
  '## The spring behind the larch.',
  'title: The spring behind the larch.',
  'const spring = "behind the larch";',
  '/springs/behind/the/larch.',
  '{ "spring": "behind the larch." }',
])('quotes no heading, path, code or metadata beside a sentence: %s', async (line) => {
  const text = `${line}\n\nWater is found near an old tree on the ridge.`
  expect(await ask('where is the spring behind the larch?', [{ id: 'a', text }])).toBe(
    'Water is found near an old tree on the ridge.',
  )
})

it.each([
  [
    'The tallest mountain of the island\nis Mount Kestrel, which rises to two\nthousand metres above the sea.',
    'what is the tallest mountain',
  ],
  [
    'The ferry to Holm island departs from the old harbour on\nTuesdays and Fridays at eight, and from the new one on\nSundays.',
    'when does the ferry depart',
  ],
  [
    '- this upload; items and the free places of the store\n  are those after it.',
    'what are the free places of the store',
  ],
])('quotes a sentence whole that goes over several lines: %j', async (sentence, query) => {
  const text = `# The island\n\n${sentence}\n\nThe school bus leaves at seven.`
  expect(await ask(query, [{ id: 'a', text }])).toBe(sentence.replaceAll(/\n\s*/g, ' ').replace('- ', ''))
})

it('takes no headings, rows or list items for the beginning of a sentence', async () => {
  const text =
    'Opening hours of the large and the small hall\nRegion: North and the springs of it\n- The spring lies behind the larch.\n| a | b |\nThe end of it.'
  expect(await ask('where is the spring behind the larch', [{ id: 'a', text }])).toBe(
    'The spring lies behind the larch.',
  )
})

it('prefers a sentence of the passage that the search found first to one with more words of the question', async () => {
  const passages = [
    { id: 'park', text: 'Cars park on the upper deck. Bicycles go in the basement, as bikes do.', score: 0.44 },
    { id: 'ill', text: 'If you can not work, leave a message for your team lead.', score: 0.11 },
  ]
  expect(await ask('Where can I leave my bike?', passages)).toContain('Bicycles go in the basement')
})

it('is known as no model', () => {
  expect(answerer.modelFor('anthropic.claude-sonnet-4-6')).toEqual({ id: 'extractive', credits: 1, writes: false })
})

it('has nothing to say where there is no text', async () => {
  await expect(ask('what', [{ id: 'a', text: '---' }])).rejects.toMatchObject({ code: 'invalid' })
})

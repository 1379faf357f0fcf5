import { expect, it } from 'vitest'
import { lexicalEmbedder } from '../embedder/lexical.ts'
import { extractiveAnswerer } from './extractive.ts'
import type { Passage } from './port.ts'

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

it('says what is said twice once, and not too much', async () => {
  const text = Array.from(
    { length: 200 },
    (_, index) => `The spring number ${index} lies behind the larch tree there. The spring lies behind the larch.`,
  )
  const said = await ask('where is the spring behind the larch', [{ id: 'a', text: text.join(' ') }])
  expect(said.length).toBeLessThanOrEqual(800)
  expect(said.split('The spring lies behind the larch.').length).toBeLessThanOrEqual(2)
})

it('is known as no model', () => {
  expect(answerer.modelFor('anthropic.claude-sonnet-4-6')).toEqual({ id: 'extractive', credits: 1, writes: false })
})

it('has nothing to say where there is no text', async () => {
  await expect(ask('what', [{ id: 'a', text: '---' }])).rejects.toMatchObject({ code: 'invalid' })
})

import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { expect, it } from 'vitest'
import { isRelevant } from './relevance.ts'

const words = lexicalEmbedder()
const isFound = (
  explanation: { readonly semantic?: number; readonly readable?: number; readonly matched?: number },
  {
    text = 'Nothing of the kind.',
    query = 'how many vacation days do I get?',
    relevantFrom = 0.3 as number | null,
  } = {},
) =>
  isRelevant([{ text, explanation: { mode: 'hybrid', ...explanation } }], query, {
    relevantFrom,
    lexicalEmbedder: words,
  })

it.each([
  ['a cosine at the measured one', { semantic: 0.3, matched: 0 }, true],
  ['a cosine below it', { semantic: 0.29, matched: 0 }, false],
  ['a cosine nearly there, without a sentence', { semantic: 0.299, matched: 0.9 }, false],
  ['a high cosine of texts that the model reads in part', { semantic: 0.5, readable: 0.55, matched: 0 }, false],
  ['a high cosine of texts that it can not read', { semantic: 0.9, readable: 0.2, matched: 0.24 }, false],
  ['texts that it can not read, and many of the words', { semantic: 0.1, readable: 0, matched: 0.25 }, true],
] as const)('judges by %s', async (_, explanation, expected) => {
  expect(await isFound(explanation)).toBe(expected)
})

it('finds the words of the question in one sentence, whatever the cosine', async () => {
  expect(await isFound({ semantic: 0 }, { text: 'You get 25 vacation days. The office is in Oslo.' })).toBe(true)
})

it('takes a cosine and a sentence that are both nearly enough', async () => {
  const doctor = {
    text: "A doctor's certificate is needed from the third day on.",
    query: "do I need a doctor's note?",
  }
  expect(await isFound({ semantic: 0.25 }, doctor)).toBe(true)
  expect(await isFound({ semantic: 0.23 }, doctor)).toBe(false)
})

it.each(['## Vacation days', 'vacation.days: 25', 'const vacation = days(25);', '/vacation/days'])(
  'takes no heading, path or code for a sentence: %s',
  async (text) => {
    expect(await isFound({ semantic: 0 }, { text })).toBe(false)
  },
)

it('takes every hit of a model that was not measured', async () => {
  expect(await isFound({ semantic: 0 }, { relevantFrom: null })).toBe(true)
})

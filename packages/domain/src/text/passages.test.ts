import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { expect, it } from 'vitest'
import { directTextWorker } from './direct-text-worker.ts'
import { passagesOf } from './passages.ts'

const deps = { lexicalEmbedder: lexicalEmbedder(), textWorker: directTextWorker }
const hit = (id: string, text: string) => ({ id, text, score: 0.5 })
const filler = (sentences: number) =>
  Array.from({ length: sentences }, (_, index) => `Nothing of note happened on day ${index} of the voyage.`).join(' ')

it('gives short texts whole', async () => {
  const [a, b] = [hit('a', 'x'.repeat(2_000)), hit('b', 'Second 🏔.')]
  expect(await passagesOf([a, b], 'second', deps)).toEqual([
    { ...a, passages: [{ start: 0, end: 2_000 }] },
    { ...b, passages: [{ start: 0, end: 9 }] },
  ])
})

it('gives of long texts the stretches about the question', async () => {
  const text = `${filler(60)} The spring lies behind the larch. ${filler(60)}`
  const [passage] = await passagesOf([hit('a', text)], 'where is the spring behind the larch', deps)
  expect(passage?.text).toContain('The spring lies behind the larch.')
  expect(passage?.text.length).toBeLessThanOrEqual(3_100)
})

it('says where the stretches are, in code points', async () => {
  const text = `${'🏔 Mountains. '.repeat(200)}The spring lies behind the larch. ${filler(60)}`
  const [passage] = await passagesOf([hit('a', text)], 'where is the spring behind the larch', deps)
  const points = Array.from(text)
  expect(passage?.passages.map(({ start, end }) => points.slice(start, end).join('')).join('\n…\n')).toBe(passage?.text)
  expect(passage?.passages).toHaveLength(2)
})

it('cuts a text without sentences too', async () => {
  const [passage] = await passagesOf([hit('a', 'word'.repeat(10_000))], 'word', deps)
  expect(passage?.text.length).toBeLessThanOrEqual(3_100)
})

it('stops when a model has enough to read, the best first', async () => {
  const hits = Array.from({ length: 30 }, (_, index) => hit(String(index), 'y'.repeat(1_900)))
  const passages = await passagesOf(hits, 'y', deps)
  expect(passages.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => String(index)))
})

it('leaves out what says nothing', async () => {
  expect(
    (await passagesOf([hit('a', ''), hit('b', '---'), hit('c', 'Something.')], 'x', deps)).map(({ id }) => id),
  ).toEqual(['c'])
})

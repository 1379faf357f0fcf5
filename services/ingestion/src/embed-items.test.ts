import type { Item } from '@cairn/domain/items/record'
import { createScene, type Document } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { embedItems } from './embed-items.ts'

const sentence = (number: number) => `Sentence number ${number} has seven words here.`
/** Returns sentences of seven words each: two sentences fill a passage of 16 tokens. */
const sentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => sentence(from + index)).join(' ')

/** Creates the items and the run of an upload of these texts. */
const setUp = async (texts: readonly string[]) => {
  const scene = await createScene(stepwiseStore({ now: () => 0 }))
  const documents = texts.map((text, index): Document => ({ id: `d${index}`, body: { text, metadata: '{}' } }))
  const run = plainRun(await scene.accepted(documents))
  const items = await Promise.all(documents.map(async ({ id }) => (await scene.item(id)) as Item))
  return { run, items }
}

it('gives a short document one passage: all of it', async () => {
  const { run, items } = await setUp(['A short text.', 'Another one.'])
  const embedded = await embedItems(run, items, { embedder: stubEmbedder(), textWorker: directTextWorker })
  expect(embedded.map(({ item, passages }) => [item.id, passages.map(({ text }) => text)])).toEqual([
    ['d0', ['A short text.']],
    ['d1', ['Another one.']],
  ])
})

it('gives each passage of each document its own vector, in the order of the text', async () => {
  const { run, items } = await setUp([sentences(9), 'A short text.', sentences(5, 100)])
  const embedder = stubEmbedder()
  const embedded = await embedItems(run, items, { embedder, textWorker: directTextWorker })
  for (const { passages } of embedded) {
    const alone = await embedder.embed(
      passages.map(({ text }) => text),
      { kind: 'document' },
    )
    expect(passages.map(({ vector }) => vector)).toEqual(alone)
  }
  expect(embedded.map(({ passages }) => passages.length > 1)).toEqual([true, false, true])
  for (let number = 0; number < 9; number += 1)
    expect(embedded[0]?.passages.some(({ text }) => text.includes(sentence(number)))).toBe(true)
  expect(embedded[2]?.passages.every(({ text }) => /Sentence number 10\d/.test(text))).toBe(true)
})

it('keeps the passages of two versions of one chunk apart', async () => {
  const { run, items } = await setUp([sentences(4), sentences(5, 100)])
  const versions = items.map((item) => ({ ...item, id: 'a.txt_chunk_0' }))
  const apart = await embedItems(run, items, { embedder: stubEmbedder(), textWorker: directTextWorker })
  const embedded = await embedItems(run, versions, { embedder: stubEmbedder(), textWorker: directTextWorker })
  expect(embedded.map(({ passages }) => passages)).toEqual(apart.map(({ passages }) => passages))
})

it('hands passages over across documents, 64 at a time', async () => {
  const { run, items } = await setUp([
    sentences(150),
    ...Array.from({ length: 20 }, (_, index) => `Text number ${index}.`),
  ])
  const sizes: number[] = []
  const embedder = stubEmbedder({ onEmbed: (texts) => void sizes.push(texts.length) })
  const embedded = await embedItems(run, items, { embedder, textWorker: directTextWorker })
  expect(sizes.slice(0, -1).every((size) => size === 64)).toBe(true)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(
    embedded.reduce((sum, { passages }) => sum + passages.length, 0),
  )
  expect(sizes.length).toBeLessThan(4)
})

it('keeps no passage that says nothing', async () => {
  const { run, items } = await setUp([`${sentences(4)}${'\n'.repeat(500)}${sentences(4, 50)}`])
  const [embedded] = await embedItems(run, items, { embedder: stubEmbedder(), textWorker: directTextWorker })
  expect(embedded?.passages.every(({ text }) => text.trim() !== '')).toBe(true)
})

it('takes the vector of a vector item as it is', async () => {
  const scene = await createScene(stepwiseStore({ now: () => 0 }), 'vector')
  const vector = Float32Array.of(1, 2, 3, 4)
  const run = plainRun(await scene.accepted([{ id: 'v', body: { text: 'a label', metadata: '{}', vector } }]))
  const items = [(await scene.item('v')) as Item]
  expect(await embedItems(run, items, { embedder: undefined, textWorker: directTextWorker })).toEqual([
    { item: items[0], passages: [{ text: 'a label', vector }] },
  ])
})

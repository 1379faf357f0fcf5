import { embedders } from '@cairn/adapters/embedder/registry'
import { limits } from '@cairn/contracts/limits'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { highlightsOf } from './hit-details.ts'

const embedder = stubEmbedder()
const all = { embedders: embedders({ current: embedder }), textWorker: directTextWorker }
const sentence = 'A sentence of seven words stands here. '
const hit = (text: string, passage = 0) => ({
  text,
  point: { namespaceId: 'ns', itemId: 'a', version: 'v', passage },
  embedding: embedder.model,
  metadata: {},
  file: undefined,
})
const long = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length)

const { signal } = new AbortController()

it('finds passages of long texts up to the limit in all, and of every short one', async () => {
  const half = limits.highlightedLength / 2
  const texts = [long(half), 'Short.', long(half), long(1_000), 'Short.']
  const lengths = async (some: readonly string[]) =>
    (
      await highlightsOf(
        all,
        some.map((text) => hit(text)),
        signal,
      )
    ).map(({ highlights }) => highlights.length)
  expect(await lengths(texts)).toEqual([1, 1, 1, 0, 1])
  expect(await lengths([long(half), long(half - 1_000), long(1_000)])).toEqual([1, 1, 1])
})

it('has none without a text, a model, or the passage', async () => {
  const found = await highlightsOf(
    all,
    [
      hit(''),
      { ...hit('Short.'), embedding: { provider: 'openai', model: 'gone', dimension: 3 } },
      hit('Short.', 1),
      hit(long(1_000), 1),
    ],
    signal,
  )
  const [none, other, beyond, second] = found.map(({ highlights }) => highlights)
  expect([none, other, beyond]).toEqual([[], [], []])
  expect(second?.[0]?.start).toBeGreaterThan(0)
})

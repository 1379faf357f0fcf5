import { expect, it } from 'vitest'
import type { EmbeddingModel } from '../ports/embedder.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'
import { newReindex } from '../protocol/scene.fixture.ts'
import { allSpacesOf, embeddingSpaceOf, passagesIn, secondModelOf, spacesOf, withPassages } from './embedding-space.ts'

const text = (provider: 'local' | 'openai' | 'lexical', model: string, dimension: number) =>
  embeddingSpaceOf({ type: 'text', dimension: null, embedding: { provider, model, dimension } })

it('puts namespaces of one model in one space, named for it', () => {
  expect(text('local', 'all-MiniLM-L6-v2', 384)).toEqual({ key: 'local-all-minilm-l6-v2-384', dimension: 384 })
  expect(text('openai', 'Org/Some Model:v1.5', 768)).toEqual(text('openai', 'Org/Some Model:v1.5', 768))
})

it('gives every model a key that is safe in a file or collection name, and no two the same', () => {
  const models = [
    'nomic-embed-text-v1-5',
    'nomic-embed-text:v1.5',
    'nomic/embed-text v1.5',
    '模型',
    '型模',
    '',
    '../..',
  ]
  const keys = models.map((model) => text('openai', model, 768).key)
  for (const key of keys) expect(key).toMatch(/^openai-[a-z0-9-]*-768$/)
  expect(new Set(keys).size).toBe(models.length)
})

it('parts what must not be compared: other models, providers and dimensions', () => {
  const keys = [
    text('local', 'a', 384),
    text('openai', 'a', 384),
    text('local', 'b', 384),
    text('local', 'a', 768),
    embeddingSpaceOf({
      type: 'text',
      dimension: null,
      embedding: { provider: 'local', model: 'a', dimension: 384, weights: '0123456789ab' },
    }),
    embeddingSpaceOf({ type: 'vector', dimension: 384, embedding: null }),
    embeddingSpaceOf({ type: 'vector', dimension: 385, embedding: null }),
  ].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

it('puts vector namespaces of one dimension in one space', () => {
  expect(embeddingSpaceOf({ type: 'vector', dimension: 3, embedding: null })).toEqual({ key: 'vector-3', dimension: 3 })
})

it('refuses a text namespace without a model', () => {
  expect(() => embeddingSpaceOf({ type: 'text', dimension: null, embedding: null })).toThrow(
    expect.objectContaining({ code: 'internal' }),
  )
})

const model = (name: string, weights?: string): EmbeddingModel => ({
  provider: 'openai',
  model: name,
  dimension: 8,
  ...(weights !== undefined && { weights }),
})
const keys = (spaces: readonly { readonly key: string }[]) => spaces.map(({ key }) => key)

it('lists the spaces of a namespace: the one that is searched, the second, and former ones that are not in use', () => {
  const text = { type: 'text', dimension: null, embedding: model('a') } as const
  expect(keys(allSpacesOf(text))).toEqual(['openai-a-8'])
  const formerEmbeddings = [model('b'), model('c'), model('a'), model('b', '1')]
  const reindexed = { ...text, formerEmbeddings, reindex: newReindex({ embedding: model('b') }) }
  expect(keys(spacesOf(reindexed))).toEqual(['openai-a-8', 'openai-b-8'])
  expect(keys(allSpacesOf(reindexed))).toEqual(['openai-a-8', 'openai-b-8', 'openai-c-8', 'openai-b-8-1'])
  expect(keys(allSpacesOf({ ...reindexed, reindex: null }))).toEqual([
    'openai-a-8',
    'openai-b-8',
    'openai-c-8',
    'openai-b-8-1',
  ])
  expect(keys(allSpacesOf({ type: 'vector', dimension: 3, embedding: null }))).toEqual(['vector-3'])
})

it.each([
  ['filling', true],
  ['filled', true],
  ['closing', true],
  ['former', true],
  ['removing', false],
] as const)('has a second model that writers fill while it is %s: %s', (phase, isFilled) => {
  const reindex = newReindex({ phase })
  expect(secondModelOf({ reindex })).toEqual(isFilled ? reindex.embedding : undefined)
})

it('keeps the numbers of passages in two spaces through flips, rollbacks and further reindexes', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((key) => ({ key, dimension: 8 })) as [
    EmbeddingSpace,
    EmbeddingSpace,
    EmbeddingSpace,
  ]
  const inAAndB = withPassages({ passages: 3 }, a, b, 5)
  expect(inAAndB).toEqual({ passages: 3, second: { space: 'b', passages: 5 } })
  expect([passagesIn(inAAndB, a), passagesIn(inAAndB, b)]).toEqual([3, 5])
  expect(withPassages(inAAndB, a, a, 4)).toEqual({ passages: 4, second: { space: 'b', passages: 5 } })
  expect(withPassages(inAAndB, b, b, 6)).toEqual({ passages: 3, second: { space: 'b', passages: 6 } })
  // After the flip to b, an item is reindexed for c: the passage count of a is no longer needed.
  expect(withPassages(inAAndB, b, c, 7)).toEqual({ passages: 5, second: { space: 'c', passages: 7 } })
})

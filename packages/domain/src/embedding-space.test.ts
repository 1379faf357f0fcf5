import { expect, it } from 'vitest'
import { embeddingSpaceOf } from './embedding-space.ts'

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

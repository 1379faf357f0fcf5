import type { Embedder, EmbedderStatus, EmbeddingModel } from '@cairn/domain/ports/embedder'
import { describe, expect, it } from 'vitest'
import { lexicalEmbedder } from './lexical.ts'
import { embedders } from './registry.ts'

const named = (model: EmbeddingModel, status: EmbedderStatus = { state: 'ready' }): Embedder => ({
  ...lexicalEmbedder(),
  model,
  status: () => status,
})
const local: EmbeddingModel = { provider: 'local', model: 'all-MiniLM-L6-v2', dimension: 384 }

describe('embedders', () => {
  it('finds the embedder that filled a namespace by provider, model and dimension', () => {
    const current = named(local)
    const other = named({ provider: 'openai', model: 'all-MiniLM-L6-v2', dimension: 384 })
    const shorter = named({ provider: 'openai', model: 'all-MiniLM-L6-v2', dimension: 256 })
    const all = embedders({ current, choices: [other, shorter] })
    expect(all.current()).toBe(current)
    expect(all.of({ ...local })).toBe(current)
    expect(all.of({ ...other.model })).toBe(other)
    expect(all.of({ ...shorter.model })).toBe(shorter)
    expect(all.of({ ...local, dimension: 385 })).toBeUndefined()
    expect(all.of({ ...local, weights: 'other' })).toBeUndefined()
  })

  it('gives new namespaces the fallback only after the current embedder has failed', () => {
    let status: EmbedderStatus = { state: 'loading', detail: 'on its way' }
    const current: Embedder = { ...named(local), status: () => status }
    const fallback = lexicalEmbedder()
    const all = embedders({ current, fallback })
    expect(all.current()).toBe(current)
    status = { state: 'failed', detail: 'no model' }
    expect(all.current()).toBe(fallback)
    expect(all.of(local)).toBe(current)
  })

  it('offers new namespaces the current embedder, the fallback and the choices, by name', () => {
    const current = named(local)
    const fallback = lexicalEmbedder()
    const choice = named({ provider: 'openai', model: 'text-embedding', dimension: 256 })
    const all = embedders({ current, fallback, choices: [choice] })
    expect(all.names()).toEqual(['all-MiniLM-L6-v2', 'lexical', 'text-embedding'])
    expect(all.named('all-MiniLM-L6-v2')).toBe(current)
    expect(all.named('lexical')).toBe(fallback)
    expect(all.named('text-embedding')).toBe(choice)
    expect(all.named('hashed-words-1')).toBeUndefined()
    expect(all.of(choice.model)).toBe(choice)
  })

  it('rejects two embedders of one model', () => {
    expect(() => embedders({ current: named(local), choices: [named(local)] })).toThrow('two embedders')
  })

  it('closes each of them', async () => {
    const [current, other] = [lexicalEmbedder(), { ...named(local), ...lexicalEmbedder(), model: local }]
    await embedders({ current, fallback: current, choices: [other] }).close()
    for (const one of [current, other])
      await expect(one.embed(['x'], { kind: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

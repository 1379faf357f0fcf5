import { expect, it } from 'vitest'
import { keptVectors } from './kept-vectors.ts'

const model = { provider: 'openai', model: 'm', dimension: 100 } as const
const vector = () => new Float32Array(100)

it('holds no more bytes than it may, and drops the oldest', () => {
  const kept = keptVectors(2_000)
  for (const text of ['a', 'b', 'c', 'd']) kept.put(model, text, vector())
  expect(kept.bytes()).toBe(3 * 600)
  expect(['a', 'b', 'c', 'd'].map((text) => kept.get(model, text) !== undefined)).toEqual([false, true, true, true])
})

it('keeps models apart, and one vector of one text', () => {
  const kept = keptVectors(10_000)
  kept.put(model, 'a', vector())
  kept.put(model, 'a', vector())
  expect(kept.bytes()).toBe(600)
  expect(kept.get({ ...model, model: 'other' }, 'a')).toBeUndefined()
  expect(kept.get({ ...model, weights: '0123456789ab' }, 'a')).toBeUndefined()
})

it('holds nothing of what was forgotten', () => {
  const kept = keptVectors(10_000)
  kept.put(model, 'a', vector())
  kept.forget(model, ['a', 'never put'])
  expect(kept.get(model, 'a')).toBeUndefined()
  expect(kept.bytes()).toBe(0)
})

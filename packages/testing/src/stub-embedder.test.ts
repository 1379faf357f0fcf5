import { AppError } from '@cairn/contracts/errors'
import { expect, it } from 'vitest'
import { stubEmbedder } from './stub-embedder.ts'

const one = async (text: string, embedder = stubEmbedder()) =>
  (await embedder.embed([text], { kind: 'document' }))[0] as Float32Array

it('gives the same words the same unit vector, and others another', async () => {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  const [cats, again, dogs] = [await one('Cats sleep'), await one('sleep, CATS!'), await one('dogs bark loudly')]
  expect(dot(cats, again)).toBeCloseTo(1, 5)
  expect(dot(cats, dogs)).toBeLessThan(0.5)
  expect(Math.hypot(...(await one('')))).toBe(1)
})

it('says where words begin', async () => {
  expect(await stubEmbedder().tokens(['two  words', ''])).toEqual([Uint32Array.of(0, 5), Uint32Array.of()])
})

it('gives the configured answers and records the requests', async () => {
  const embedder = stubEmbedder({
    onEmbed: () => {
      throw new AppError('invalid', 'no')
    },
  })
  await expect(one('a text', embedder)).rejects.toMatchObject({ code: 'invalid' })
  expect(embedder.embedded).toEqual(['a text'])
  await expect(one('a text', stubEmbedder({ status: () => ({ state: 'loading', detail: '' }) }))).rejects.toMatchObject(
    {
      code: 'unavailable',
    },
  )
})

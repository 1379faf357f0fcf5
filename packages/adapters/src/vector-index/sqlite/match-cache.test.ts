import { expect, it } from 'vitest'
import { createMatchCache } from './match-cache.ts'

const setUp = (maxBytes = 10_000) => {
  let version = 1
  const cache = createMatchCache({ maxBytes, version: () => version })
  const keep = (key: string, bytes = 0) => cache.set(key, `of ${key}`, bytes, version)
  const write = () => {
    version += 1
  }
  return { cache, keep, write }
}

it('drops the oldest entries when keys and contents exceed the limit, empty ones too', () => {
  const { cache, keep } = setUp(10_000)
  for (let index = 0; index < 1_000; index++) keep(`filter ${index}`)
  expect(cache.bytes()).toBeLessThanOrEqual(10_000)
  expect(cache.get('filter 999')).toBe('of filter 999')
  expect(cache.get('filter 0')).toBeUndefined()
})

it.each([
  [4_798, true],
  [4_799, false],
])('keeps an entry of at most half of the limit (content of %i bytes: %s)', (bytes, isKept) => {
  const { cache, keep } = setUp(10_000)
  keep('a', bytes)
  expect(cache.get('a')).toBe(isKept ? 'of a' : undefined)
})

it('counts an entry that is replaced once', () => {
  const { cache, keep } = setUp()
  keep('a', 1_000)
  const bytes = cache.bytes()
  keep('a', 1_000)
  expect(cache.bytes()).toBe(bytes)
})

it('drops everything at a write, and values found before it', () => {
  const { cache, keep, write } = setUp()
  keep('a')
  const foundAt = cache.version()
  write()
  expect(cache.get('a')).toBeUndefined()
  cache.set('b', 'before the write', 0, foundAt)
  expect(cache.get('b')).toBeUndefined()
  expect(cache.bytes()).toBe(0)
})

import { expect, it } from 'vitest'
import { randomIds } from './ids.ts'

it('makes ids that are safe in a path, a header and a field name', () => {
  expect(randomIds(() => 1_700_000_000_000).next('upload')).toMatch(/^upload_[0-9a-z]{26}$/)
})

it('makes no id twice within one millisecond', () => {
  const ids = randomIds(() => 1_700_000_000_000)
  const made = Array.from({ length: 10_000 }, () => ids.next('ns'))
  expect(new Set(made).size).toBe(made.length)
})

it('makes ids that sort by the time they were made', () => {
  const times = [0, 1, 31, 32, 1_023, 1_024, 1_700_000_000_000, 1_700_000_000_001, 32 ** 10 - 1]
  const made = times.map((at) => randomIds(() => at).next('x'))
  expect([...made].sort()).toEqual(made)
})

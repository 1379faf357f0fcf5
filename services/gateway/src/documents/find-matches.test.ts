import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { findMatches } from './find-matches.ts'

const all = Array.from({ length: 1_000 }, (_, at) => ({
  id: String(at).padStart(4, '0'),
  body: { metadata: JSON.stringify({ number: at }) },
}))

const setUp = (msPerRead = 0) => {
  const { clock, pass } = createManualClock()
  const read = async ({ after, limit }: { readonly after: string; readonly limit: number }) => {
    pass(msPerRead)
    return all.filter(({ id }) => id > after).slice(0, limit)
  }
  return (filter: object, { after = '', count = 10 } = {}) =>
    findMatches(clock, read, {
      filter: { key: 'number', ...filter },
      after,
      count,
      withinMs: 100,
      keep: ({ id }) => id,
    })
}

it('finds the only match of many, and that there is none', async () => {
  const find = setUp()
  expect(await find({ eq: 999 })).toEqual({ found: ['0999'], next: undefined })
  expect(await find({ eq: 1_000 })).toEqual({ found: [], next: undefined })
})

it('stops at the count, and goes on after what it read last', async () => {
  const find = setUp()
  const first = await find({ gte: 500 }, { count: 2 })
  expect(first).toEqual({ found: ['0500', '0501'], next: '0501' })
  expect(await find({ gte: 500 }, { count: 2, after: '0501' })).toEqual({ found: ['0502', '0503'], next: '0503' })
  expect(await find({ gte: 998 }, { count: 2 })).toEqual({ found: ['0998', '0999'], next: '0999' })
  expect(await find({ gte: 998 }, { after: '0999' })).toEqual({ found: [], next: undefined })
})

it('stops when the time is over, and loses nothing', async () => {
  const find = setUp(60)
  const first = await find({ eq: 999 })
  expect(first).toEqual({ found: [], next: '0399' })
  const second = await find({ eq: 999 }, { after: first.next ?? '' })
  expect(second).toEqual({ found: [], next: '0799' })
  expect(await find({ eq: 999 }, { after: second.next ?? '' })).toEqual({ found: ['0999'], next: undefined })
})

import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { findMatches } from './find-matches.ts'

const all = Array.from({ length: 1_000 }, (_, index) => ({
  id: String(index).padStart(4, '0'),
  body: { metadata: JSON.stringify({ number: index }) },
}))

const account = { id: 'account' }

const setUp = (msPerRead = 0) => {
  const { clock, pass } = createManualClock()
  const read = async ({ after, limit }: { readonly after: string; readonly limit: number }) => {
    pass(msPerRead)
    return all.filter(({ id }) => id > after).slice(0, limit)
  }
  return async (filter: object, { after = '', count = 10, signal = new AbortController().signal } = {}) => {
    const found: string[] = []
    const visit = ({ id }: { readonly id: string }) => found.push(id) < count
    const wanted = { filter: { key: 'number', ...filter }, after, withinMs: 100, visit }
    return { next: await findMatches(clock, { account, signal }, read, wanted), found }
  }
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
  expect(await find({ eq: 999 })).toEqual({ found: [], next: '0050' })
  expect(await find({ eq: 51 })).toEqual({ found: [], next: '0050' })
  expect(await find({ eq: 51 }, { after: '0050', count: 1 })).toEqual({ found: ['0051'], next: '0051' })
})

it('takes a turn for every read, and another after 5 ms of comparing', async () => {
  const { clock } = createManualClock()
  let now = 0
  // Each read of the clock takes a millisecond, and the clock is read once per entry.
  const slow = { ...clock, monotonic: () => now++ }
  const read = async ({ after, limit }: { readonly after: string; readonly limit: number }) =>
    all.filter(({ id }) => id > after).slice(0, limit)
  const owners: string[] = []
  const turns = { take: async (owner: string) => void owners.push(owner) }
  const { signal } = new AbortController()
  const wanted = { filter: { key: 'number', gte: 0 }, after: '', withinMs: 60_000, visit: () => true }
  expect(await findMatches(slow, { account, signal }, read, wanted, turns)).toBeUndefined()
  expect(new Set(owners)).toEqual(new Set(['account']))
  expect(owners.length).toBeGreaterThan(1_000 / 6)
})

it('reads one page at a time for an account, and goes on with those of another', async () => {
  const { clock } = createManualClock()
  const { signal } = new AbortController()
  const reading: string[] = []
  const ends: (() => void)[] = []
  const find = (id: string) => {
    const read = async () => {
      reading.push(id)
      await new Promise<void>((resolve) => ends.push(resolve))
      return []
    }
    const wanted = { filter: { key: 'number', eq: 1 }, after: '', withinMs: 100, visit: () => true }
    return findMatches(clock, { account: { id }, signal }, read, wanted)
  }
  const found = [find('one'), find('one'), find('other')]
  await expect.poll(() => reading).toEqual(['one', 'other'])
  ends[0]?.()
  await expect.poll(() => reading).toEqual(['one', 'other', 'one'])
  for (const end of ends) end()
  await Promise.all(found)
})

it('holds one page of an account until it is compared', async () => {
  const { clock } = createManualClock()
  const { signal } = new AbortController()
  let reads = 0
  const turnsWaiting: (() => void)[] = []
  const turns = { take: () => new Promise<void>((resolve) => turnsWaiting.push(resolve)) }
  const read = async () => {
    reads += 1
    return all.slice(0, 1)
  }
  const wanted = { filter: { key: 'number', eq: -1 }, after: '', withinMs: 100, visit: () => true }
  const found = [1, 2, 3].map(() => findMatches(clock, { account, signal }, read, wanted, turns))
  for (let count = 1; count <= 3; count += 1) {
    await expect.poll(() => turnsWaiting.length).toBe(count)
    expect(reads).toBe(count)
    turnsWaiting[count - 1]?.()
  }
  await Promise.all(found)
})

it('ends with the error of the signal once its client has left, and reads nothing more', async () => {
  const left = new AbortController()
  let reads = 0
  const { clock } = createManualClock()
  const read = async ({ after, limit }: { readonly after: string; readonly limit: number }) => {
    reads += 1
    if (reads === 2) left.abort()
    return all.filter(({ id }) => id > after).slice(0, limit)
  }
  const wanted = { filter: { key: 'number', eq: -1 }, after: '', withinMs: 100, visit: () => true }
  await expect(findMatches(clock, { account, signal: left.signal }, read, wanted)).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(reads).toBe(2)
})

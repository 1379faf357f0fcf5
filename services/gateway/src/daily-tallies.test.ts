import { expect, it } from 'vitest'
import { createDailyTallies, maxNames, maxNamesInAll, otherName } from './daily-tallies.ts'

const one = { requests: 1, credits: 2 }
const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `ns-${from + index}`)

it('adds up by account, day, kind and name, and hands out each count once', () => {
  const tallies = createDailyTallies()
  tallies.add('acc', '2026-01-31', 'key', 'a', one)
  tallies.add('acc', '2026-01-31', 'key', 'a', { requests: 0, credits: 5 })
  tallies.add('acc', '2026-01-31', 'namespace', 'a', one)
  tallies.add('other', '2026-01-31', 'key', 'a', one)
  const day = { day: '2026-01-31', name: 'a' }
  expect(tallies.take()).toEqual([
    { accountId: 'acc', kind: 'key', ...day, requests: 1, credits: 7 },
    { accountId: 'acc', kind: 'namespace', ...day, ...one },
    { accountId: 'other', kind: 'key', ...day, ...one },
  ])
  expect(tallies.take()).toEqual([])
  tallies.add('acc', '2026-01-31', 'key', 'a', one)
  expect(tallies.take()).toEqual([{ accountId: 'acc', kind: 'key', ...day, ...one }])
})

it('gives up to 200 names of a day rows of their own, and counts all beyond in one, however often it is emptied', () => {
  const tallies = createDailyTallies()
  const add = (name: string, accountId = 'acc') => tallies.add(accountId, '2026-01-31', 'namespace', name, one)
  expect(maxNames).toBe(200)
  for (const name of names(maxNames - 1)) add(name)
  expect(tallies.take()).toHaveLength(maxNames - 1)
  add('the-last-one')
  expect(tallies.take()).toMatchObject([{ name: 'the-last-one' }])
  for (const name of names(1_000, maxNames)) add(name)
  add('ns-0')
  expect(tallies.take()).toMatchObject([
    { name: otherName, requests: 1_000, credits: 2_000 },
    { name: 'ns-0', requests: 1 },
  ])
  add('new', 'another-account')
  expect(tallies.take()).toMatchObject([{ accountId: 'another-account', name: 'new' }])
})

it('gives 100,000 names of all accounts rows of their own, and counts what is beyond in one row of each account', () => {
  const tallies = createDailyTallies()
  const add = (accountId: string, name: string) => tallies.add(accountId, '2026-01-31', 'namespace', name, one)
  expect(maxNamesInAll).toBe(100_000)
  for (let account = 0; account < maxNamesInAll / maxNames; account += 1)
    for (const name of names(maxNames - (account === 0 ? 1 : 0))) add(`acc-${account}`, name)
  expect(tallies.take()).toHaveLength(maxNamesInAll - 1)
  add('another', 'the-last-one')
  add('another', 'beyond')
  add('a-third', 'beyond')
  add('acc-1', 'ns-0')
  expect(tallies.take()).toMatchObject([
    { accountId: 'another', name: 'the-last-one' },
    { accountId: 'another', name: otherName },
    { accountId: 'a-third', name: otherName },
    { accountId: 'acc-1', name: 'ns-0' },
  ])
})

it('begins again with the next day, and keeps what was not taken yet of the former', () => {
  const tallies = createDailyTallies()
  for (const name of names(maxNames + 1)) tallies.add('acc', '2026-01-31', 'key', name, one)
  tallies.add('acc', '2026-02-01', 'key', 'new', one)
  const taken = tallies.take()
  expect(taken).toHaveLength(maxNames + 2)
  expect(taken.slice(-2)).toMatchObject([
    { day: '2026-01-31', name: otherName },
    { day: '2026-02-01', name: 'new' },
  ])
})

it('keeps the rows of a day when a request of the former day is counted late', () => {
  const tallies = createDailyTallies()
  tallies.add('acc', '2026-01-31', 'key', 'a', one)
  for (const [index, name] of names(2 * maxNames).entries()) {
    tallies.add('acc', '2026-02-01', 'key', name, one)
    if (index % 100 === 50) tallies.add('acc', '2026-01-31', 'key', 'a', one)
  }
  const taken = tallies.take()
  expect(taken.filter(({ day }) => day === '2026-02-01')).toHaveLength(maxNames + 1)
  expect(taken.at(-1)).toMatchObject({ day: '2026-02-01', name: otherName, requests: maxNames })
  expect(taken.filter(({ day }) => day === '2026-01-31').reduce((sum, { requests }) => sum + requests, 0)).toBe(5)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTurnOrder, type TurnOrder } from './turn-order.ts'

const turnBytes = 16_384

/**
 * Serves `times` jobs; the jobs of each account have the account's size. Returns the accounts in the order in which
 * they were served.
 */
const serve = (order: TurnOrder, sizes: Readonly<Record<string, number>>, times: number): string[] =>
  Array.from({ length: times }, () => {
    const account = order.next(() => true) ?? ''
    order.charge(account, sizes[account] ?? 0)
    return account
  })

const orderOf = (accounts: readonly string[]): TurnOrder => {
  const order = createTurnOrder()
  for (const account of accounts) order.add(account)
  return order
}

it('gives turns one after the other, in the order in which accounts came', () => {
  expect(serve(orderOf(['a', 'b', 'c']), {}, 7)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a'])
})

it('lets an account whose jobs are three times as large have a third of the turns', () => {
  const served = serve(orderOf(['large', 'small']), { large: 3 * turnBytes, small: turnBytes }, 40)
  expect(served.filter((account) => account === 'large')).toHaveLength(10)
})

it('goes on with an account that is alone, however large its jobs are', () => {
  expect(serve(orderOf(['alone']), { alone: 5e9 }, 3)).toEqual(['alone', 'alone', 'alone'])
})

it('gives an account that comes anew its turn before those that have just had theirs', () => {
  const order = orderOf(['alone'])
  serve(order, { alone: 1e9 }, 10)
  order.add('new')
  expect(serve(order, { alone: 1e9 }, 1)).toEqual(['new'])
})

it('keeps nobody from its turn for ever by accounts that come anew', () => {
  const order = orderOf(['large'])
  serve(order, { large: 10 * turnBytes }, 1)
  const served = Array.from({ length: 40 }, (_, index) => {
    order.add(`new ${index}`)
    const [account = ''] = serve(order, {}, 1)
    if (account !== 'large') order.remove(account)
    return account
  })
  expect(served.indexOf('large')).toBeGreaterThan(1)
  expect(served.indexOf('large')).toBeLessThanOrEqual(20)
})

it('passes over accounts that are not allowed, which keep their place in the order', () => {
  const order = orderOf(['full', 'a', 'b'])
  expect(order.next((account) => account !== 'full')).toBe('a')
  order.charge('a', 0)
  expect(order.next(() => true)).toBe('full')
  order.charge('full', 0)
  expect(order.next(() => true)).toBe('b')
  expect(order.next(() => false)).toBeUndefined()
})

it('knows nothing of an account that was removed', () => {
  const order = orderOf(['a', 'b'])
  order.remove('a')
  order.charge('a', 1e9)
  expect([order.has('a'), order.has('b')]).toEqual([false, true])
  expect(serve(order, {}, 2)).toEqual(['b', 'b'])
})

const jobSizes = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 8 })

it('gives every account with work the same number of bytes, but for one job of the largest', () => {
  fc.assert(
    fc.property(jobSizes, fc.integer({ min: 50, max: 500 }), (turns, times) => {
      const sizes = Object.fromEntries(turns.map((turn, index) => [`account ${index}`, turn * turnBytes]))
      const accounts = Object.keys(sizes)
      const served = serve(orderOf(accounts), sizes, times)
      const bytes = accounts.map((account) => served.filter((one) => one === account).length * (sizes[account] ?? 0))
      expect(Math.max(...bytes) - Math.min(...bytes)).toBeLessThanOrEqual(2 * Math.max(...Object.values(sizes)))
    }),
  )
})

it('starves no account, whatever the others ask for and whoever may not be served for a while', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.nat(5e6), blocked: fc.nat(4) }), { minLength: 1_500, maxLength: 1_500 }),
      (turns) => {
        const order = orderOf(['0', '1', '2', '3', '4'])
        const waits = new Map(['0', '1', '2', '3', '4'].map((account) => [account, 0]))
        let largest = 0
        for (const { bytes, blocked } of turns) {
          const account = order.next((one) => one !== String(blocked)) ?? ''
          order.charge(account, bytes)
          largest = Math.max(largest, bytes)
          for (const [one, waited] of waits) waits.set(one, one === account ? 0 : waited + 1)
          // The other accounts may catch up on the largest job with jobs of the smallest size.
          expect(Math.max(...waits.values())).toBeLessThanOrEqual(8 * (Math.ceil(largest / turnBytes) + 1))
        }
      },
    ),
    { numRuns: 20 },
  )
})

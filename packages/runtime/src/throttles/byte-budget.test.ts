import { expect, it } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

const open = () => createByteBudget({ totalBytes: 100, ownerBytes: 60 })

it('refuses an owner what is beyond its own bytes, and everybody what is beyond those of all', () => {
  const budget = open()
  budget.share('a').take(60)
  expect(() => budget.share('a').take(1)).toThrowError(
    expect.objectContaining({ code: 'limited', retryAfterSeconds: 1 }),
  )
  budget.share('b').take(40)
  expect(() => budget.share('c').take(1)).toThrowError(
    expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 }),
  )
  expect(budget.heldBytes()).toBe(100)
})

it('has everything back once all shares are released, however often', () => {
  const budget = open()
  const shares = ['a', 'a', 'b'].map((owner) => budget.share(owner))
  for (const share of shares) share.take(20)
  shares[0]?.take(10)
  expect(budget.heldBytes()).toBe(70)
  for (const share of [...shares, ...shares]) share.release()
  expect(budget.heldBytes()).toBe(0)
  budget.share('a').take(60)
})

it('counts nothing for a call that has ended', () => {
  const budget = open()
  const share = budget.share('a')
  share.release()
  share.take(50)
  expect(budget.heldBytes()).toBe(0)
})

import { expect, it } from 'vitest'
import { createHoldings } from './holdings.ts'

it('counts what each owner holds until it is given back, once', () => {
  const holdings = createHoldings()
  const giveBack = holdings.hold('a', 5)
  holdings.hold('a')
  holdings.hold('b', 2)
  expect([holdings.of('a'), holdings.of('b'), holdings.of('c'), holdings.total()]).toEqual([6, 2, 0, 8])
  giveBack()
  giveBack()
  expect([holdings.of('a'), holdings.total()]).toEqual([1, 3])
})

import { expect, it } from 'vitest'
import { mint, times } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const usageContract = (group: Group) =>
  behaviour('usage', group, (engine) => {
    it('adds up per account and period', async () => {
      const { usage } = engine.store
      const [mine, other] = [mint('acc'), mint('acc')]
      expect(await usage.get(mine, '2026-01')).toBeUndefined()
      expect(await usage.add([{ accountId: mine, period: '2026-01', requests: 3, credits: 5 }])).toEqual([
        { accountId: mine, period: '2026-01', requests: 3, credits: 5 },
      ])
      expect(await usage.add([{ accountId: mine, period: '2026-01', requests: 1, credits: 0 }])).toMatchObject([
        { requests: 4, credits: 5 },
      ])
      await usage.add([{ accountId: mine, period: '2026-02', requests: 7, credits: 7 }])
      await usage.add([{ accountId: other, period: '2026-01', requests: 9, credits: 9 }])
      expect(await usage.get(mine, '2026-01')).toEqual({ accountId: mine, period: '2026-01', requests: 4, credits: 5 })
      expect(await usage.get(mine, '2026-02')).toMatchObject({ requests: 7 })
    })

    it('adds what many accounts have tallied at once, those of a new period too', async () => {
      const { usage } = engine.store
      const tallies = times(500, (index) => ({
        accountId: mint('acc'),
        period: '2026-01',
        requests: 1 + index,
        credits: 2,
      }))
      const [first] = tallies
      if (first) await usage.add([first])
      const sums = tallies.map((tally, index) => (index === 0 ? { ...tally, requests: 2, credits: 4 } : tally))
      expect(await usage.add(tallies)).toEqual(sums)
      expect(await Promise.all(tallies.map(({ accountId }) => usage.get(accountId, '2026-01')))).toEqual(sums)
      expect(await usage.add([])).toEqual([])
    })

    it('counts one more only within the limit', async () => {
      const { usage } = engine.store
      const mine = mint('acc')
      expect(await usage.addWithin(mine, '2026-01', 2, 2)).toMatchObject({ requests: 1, credits: 2 })
      expect(await usage.addWithin(mine, '2026-01', 2, 2)).toMatchObject({ requests: 2, credits: 4 })
      expect(await usage.addWithin(mine, '2026-01', 2, 2)).toBeUndefined()
      expect(await usage.get(mine, '2026-01')).toMatchObject({ requests: 2, credits: 4 })
      expect(await usage.addWithin(mine, '2026-01', 2, 3)).toMatchObject({ requests: 3 })
      expect(await usage.addWithin(mint('acc'), '2026-01', 1, 0)).toBeUndefined()
    })

    it('adds without a condition also beyond the limit', async () => {
      const { usage } = engine.store
      const mine = mint('acc')
      await usage.addWithin(mine, '2026-01', 1, 1)
      expect(await usage.add([{ accountId: mine, period: '2026-01', requests: 10, credits: 10 }])).toMatchObject([
        { requests: 11 },
      ])
      expect(await usage.addWithin(mine, '2026-01', 1, 11)).toBeUndefined()
    })

    it('never goes over the limit under 64 parallel callers, and reaches it', async () => {
      const { usage } = engine.store
      const mine = mint('acc')
      const answers = await Promise.all(times(64, () => usage.addWithin(mine, '2026-01', 1, 20)))
      const counted = answers.flatMap((answer) => (answer ? [answer.requests] : []))
      expect(counted.toSorted((a, b) => a - b)).toEqual(times(20, (index) => index + 1))
      expect(await usage.get(mine, '2026-01')).toMatchObject({ requests: 20, credits: 20 })
    })

    it('loses no addition of many at once', async () => {
      const { usage } = engine.store
      const mine = mint('acc')
      await Promise.all(times(64, () => usage.add([{ accountId: mine, period: '2026-01', requests: 2, credits: 3 }])))
      expect(await usage.get(mine, '2026-01')).toMatchObject({ requests: 128, credits: 192 })
    })
  })

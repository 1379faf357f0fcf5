import { expect, it } from 'vitest'
import { mint, times } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { DailyTally, DailyUsageKind } from './daily-usage.ts'

export const dailyUsageContract = (group: Group) =>
  behaviour('daily usage', group, (engine) => {
    const tally = (accountId: string, more: Partial<DailyTally> = {}): DailyTally => ({
      accountId,
      kind: 'key',
      day: '2026-01-31',
      name: 'one',
      requests: 1,
      credits: 2,
      ...more,
    })
    const january = { from: '2026-01-01', to: '2026-01-31', limit: 100 }
    const read = async (accountId: string, kind: DailyUsageKind = 'key', range = january) =>
      (await engine.store.dailyUsage.page(accountId, kind, range)).map(
        ({ day, name, requests, credits }) => `${day} ${name} ${requests} ${credits}`,
      )

    it('adds up by account, day, kind and name', async () => {
      const { dailyUsage } = engine.store
      const [mine, other] = [mint('acc'), mint('acc')]
      await dailyUsage.add([
        tally(mine),
        tally(mine, { name: 'two', requests: 5 }),
        tally(mine, { kind: 'namespace' }),
        tally(mine, { day: '2026-01-30' }),
        tally(other, { requests: 9 }),
      ])
      await dailyUsage.add([tally(mine, { requests: 3, credits: 0 })])
      await dailyUsage.add([])
      expect(await read(mine)).toEqual(['2026-01-30 one 1 2', '2026-01-31 one 4 2', '2026-01-31 two 5 2'])
      expect(await read(mine, 'namespace')).toEqual(['2026-01-31 one 1 2'])
      expect(await read(other)).toEqual(['2026-01-31 one 9 2'])
      expect(await read(mint('acc'))).toEqual([])
    })

    it('loses no addition of many at once, also to rows that none of them found', async () => {
      const { dailyUsage } = engine.store
      const mine = mint('acc')
      await Promise.all(times(32, () => dailyUsage.add([tally(mine), tally(mine, { kind: 'namespace' })])))
      expect(await read(mine)).toEqual(['2026-01-31 one 32 64'])
      expect(await read(mine, 'namespace')).toEqual(['2026-01-31 one 32 64'])
    })

    it('adds to a thousand rows at once, and returns them by pages', async () => {
      const { dailyUsage } = engine.store
      const mine = mint('acc')
      const names = times(1_000, (index) => `ns-${String(index).padStart(4, '0')}`)
      const tallies = names.map((name) => tally(mine, { kind: 'namespace', name }))
      await dailyUsage.add(tallies)
      await dailyUsage.add(tallies)
      const found: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await dailyUsage.page(mine, 'namespace', { ...january, after, limit: 300 })
        found.push(...page.map(({ name, requests }) => `${name} ${requests}`))
        after = page.at(-1)?.entry
        if (page.length < 300) break
      }
      expect(found).toEqual(names.map((name) => `${name} 2`))
    })

    it('reads from the first day to the last, both included, and none beside them', async () => {
      const { dailyUsage } = engine.store
      const mine = mint('acc')
      const days = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']
      await dailyUsage.add(days.map((day) => tally(mine, { day, name: '*' })))
      await dailyUsage.add(days.map((day) => tally(mine, { day, name: 'z_-9' })))
      const range = (from: string, to: string) => read(mine, 'key', { from, to, limit: 100 })
      expect(await range('2026-01-01', '2026-01-03')).toEqual(
        ['2026-01-01', '2026-01-02', '2026-01-03'].flatMap((day) => [`${day} * 1 2`, `${day} z_-9 1 2`]),
      )
      expect(await range('2026-01-02', '2026-01-02')).toHaveLength(2)
      expect(await range('2026-01-05', '2026-01-09')).toEqual([])
    })

    it('removes rows of days before one, a limited number at a time', async () => {
      const { dailyUsage } = (await engine.fresh()).store
      const [mine, other] = [mint('acc'), mint('acc')]
      await dailyUsage.add([
        ...times(5, (index) => tally(mine, { day: '2025-01-01', name: `k${index}` })),
        tally(other, { day: '2025-01-02', kind: 'namespace' }),
        tally(mine, { day: '2025-01-03' }),
      ])
      const removed = [
        await dailyUsage.prune('2025-01-03', 4),
        await dailyUsage.prune('2025-01-03', 4),
        await dailyUsage.prune('2025-01-03', 4),
      ]
      expect(removed).toEqual([4, 2, 0])
      const left = { from: '2025-01-01', to: '2025-12-31', limit: 10 }
      expect(await dailyUsage.page(mine, 'key', left)).toMatchObject([{ day: '2025-01-03' }])
      expect(await dailyUsage.page(other, 'namespace', left)).toEqual([])
    })
  })

import { expect, it } from 'vitest'
import { mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { ApiKey } from './record.ts'

const key = (accountId: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: mint('key'),
  accountId,
  name: 'first',
  hmac: 'ab'.repeat(32),
  scopes: ['read', 'write'],
  state: 'active',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: wallAt,
  ...more,
})

export const keysContract = (group: Group) =>
  behaviour('keys', group, (engine) => {
    it('keeps a key as given', async () => {
      const { keys } = engine.store
      const given = key(mint('acc'), { scopes: ['admin'], expiresAt: wallAt + 5, state: 'inactive' })
      await keys.insert(given)
      expect(await keys.get(given.id)).toEqual(given)
      expect(await keys.get('nobody')).toBeUndefined()
    })

    it('refuses an id that is taken; of many at once one wins', async () => {
      const { keys } = engine.store
      const given = key(mint('acc'))
      const outcomes = await Promise.allSettled(times(8, (index) => keys.insert({ ...given, name: `number ${index}` })))
      const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []))
      expect(winners).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
      expect(await keys.get(given.id)).toMatchObject({ name: `number ${winners[0]}` })
    })

    it('lists the keys of one account by id', async () => {
      const { keys } = engine.store
      const mine = mint('acc')
      const given = ['b', 'a', 'c'].map((id) => key(mine, { id: `${mine}-${id}` }))
      for (const one of [...given, key(mint('acc'))]) await keys.insert(one)
      expect((await keys.ofAccount(mine)).map(({ id }) => id)).toEqual([`${mine}-a`, `${mine}-b`, `${mine}-c`])
      expect(await keys.ofAccount('nobody')).toEqual([])
    })

    it('changes the state and nothing else', async () => {
      const { keys } = engine.store
      const given = key(mint('acc'))
      await keys.insert(given)
      for (const state of ['inactive', 'disabled', 'active', 'revoked'] as const) {
        expect(await keys.setState(given.id, state)).toEqual({ ...given, state })
        expect(await keys.get(given.id)).toEqual({ ...given, state })
      }
      expect(await keys.setState('nobody', 'active')).toBeUndefined()
    })

    it('never brings a revoked key back', async () => {
      const { keys } = engine.store
      const given = key(mint('acc'))
      await keys.insert(given)
      await keys.setState(given.id, 'revoked')
      await expect(keys.setState(given.id, 'active')).rejects.toMatchObject({ code: 'conflict' })
      expect(await keys.setState(given.id, 'revoked')).toMatchObject({ state: 'revoked' })
      expect(await keys.get(given.id)).toMatchObject({ state: 'revoked' })
    })

    it('remembers when a key was used', async () => {
      const { keys } = engine.store
      const given = key(mint('acc'))
      await keys.insert(given)
      await keys.used(given.id, wallAt + 9)
      await keys.used('nobody', wallAt)
      expect(await keys.get(given.id)).toEqual({ ...given, lastUsedAt: wallAt + 9 })
      expect(await keys.get('nobody')).toBeUndefined()
    })
  })

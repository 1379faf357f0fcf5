import { expect, it } from 'vitest'
import { account, createScene, mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const accountsContract = (group: Group) =>
  behaviour('accounts', group, (engine) => {
    const nothing = { documents: 0, vectors: 0, namespaces: 0 }

    it('keeps an account as given, with nothing counted', async () => {
      const { accounts } = engine.store
      const id = mint('acc')
      const inserted = await accounts.insert({ ...account(id), name: 'Ünïcode 🦊', subscriptionEndsAt: wallAt + 1 })
      expect(inserted).toMatchObject({
        id,
        name: 'Ünïcode 🦊',
        tier: 'community',
        subscriptionEndsAt: wallAt + 1,
        createdAt: wallAt,
        counts: nothing,
        held: nothing,
      })
      expect(inserted).toMatchObject({ reservations: {}, reservationCount: 0, noted: {} })
      expect(await accounts.get(id)).toEqual(inserted)
    })

    it('gives undefined for an account that is not there', async () => {
      const { accounts } = engine.store
      expect(await accounts.get('nobody')).toBeUndefined()
      expect(await accounts.update('nobody', { tier: 'enterprise' })).toBeUndefined()
      expect(await accounts.get('nobody')).toBeUndefined()
    })

    it('refuses an id that is taken and keeps what was there', async () => {
      const { accounts } = engine.store
      const id = mint('acc')
      await accounts.insert(account(id))
      await expect(accounts.insert({ ...account(id), tier: 'enterprise' })).rejects.toMatchObject({ code: 'conflict' })
      expect(await accounts.get(id)).toMatchObject({ tier: 'community' })
    })

    it('lets one of many inserts of one id win', async () => {
      const { accounts } = engine.store
      const id = mint('acc')
      const outcomes = await Promise.allSettled(
        times(16, (index) => accounts.insert({ ...account(id), name: `number ${index}` })),
      )
      const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []))
      expect(winners).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
      expect(await accounts.get(id)).toMatchObject({ name: `number ${winners[0]}` })
    })

    it('changes only what an update names', async () => {
      const { accounts } = engine.store
      const id = mint('acc')
      const before = await accounts.insert(account(id))
      expect(await accounts.update(id, { tier: 'professional' })).toEqual({ ...before, tier: 'professional' })
      expect(await accounts.update(id, { subscriptionEndsAt: 5, name: 'Renamed' })).toEqual({
        ...before,
        tier: 'professional',
        subscriptionEndsAt: 5,
        name: 'Renamed',
      })
      expect(await accounts.get(id)).toMatchObject({ tier: 'professional', subscriptionEndsAt: 5, name: 'Renamed' })
    })

    it('pages by id in code point order, from after the one named', async () => {
      const { accounts } = engine.store
      // In UTF-16 units the astral character would sort before the private-use one. The blank sorts before all other ids
      // of the store.
      const tails = ['', 'Z', 'a', 'a.b', 'aa', 'é', '\u{e000}', '\u{1f98a}']
      const ids = tails.map((tail) => `\u{10ffff}${tail}`)
      for (const id of [' ', ...ids.toReversed()]) await accounts.insert(account(id))
      const tailsOf = async (after: string, limit: number) =>
        (await accounts.page({ after: `\u{10ffff}${after}`, limit })).map(({ id }) => id.slice(2))
      expect(await tailsOf('', 100)).toEqual(tails.slice(1))
      expect(await tailsOf('', 3)).toEqual(tails.slice(1, 4))
      expect(await tailsOf('a.b', 3)).toEqual(tails.slice(4, 7))
      expect(await tailsOf('a.c', 1)).toEqual(['aa'])
      expect(await tailsOf('\u{1f98a}', 3)).toEqual([])
      expect((await accounts.page({ limit: 1 })).map(({ id }) => id)).toEqual([' '])
    })

    it('names the accounts with operations under way', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const quiet = await createScene(store)
      await engine.stall('accept: enter namespace', (other) => other.accept(scene.acceptInput(['a', 'b'])))
      const reserving = (await store.accounts.reserving({ limit: 10_000 })).map(({ id }) => id)
      expect(reserving).toContain(scene.accountId)
      expect(reserving).not.toContain(quiet.accountId)
      const paged: string[] = []
      for (let after: { readonly reservationCount: number; readonly id: string } | undefined; ; ) {
        const [next] = await store.accounts.reserving({ limit: 1, after })
        if (!next) break
        paged.push(next.id)
        after = next
      }
      expect(paged).toEqual(reserving)
      expect(await scene.account()).toMatchObject({
        counts: { documents: 0 },
        held: { documents: 2 },
        reservationCount: 1,
      })
    })

    it('gives objects that are the caller’s own', async () => {
      const { accounts } = engine.store
      const inserted = await accounts.insert(account(mint('acc')))
      const ruined = inserted as { counts: { documents: number }; reservations: Record<string, unknown> }
      ruined.counts.documents = 99
      ruined.reservations.mine = {}
      expect(await accounts.get(inserted.id)).toMatchObject({ counts: nothing, held: nothing, reservations: {} })
      const read = (await accounts.get(inserted.id)) as unknown as typeof ruined
      read.counts.documents = 98
      expect(await accounts.get(inserted.id)).toMatchObject({ counts: nothing })
      expect(await accounts.insert(account(mint('acc')))).toMatchObject({ counts: nothing, held: nothing })
    })

    it('has a time that only goes forward, and moves it on', async () => {
      const { store } = engine
      const read = [await store.now(), await store.now()]
      await store.accounts.insert(account(mint('acc')))
      read.push(await store.now())
      await engine.advance(60_000)
      read.push(await store.now())
      expect(read).toEqual(read.toSorted((a, b) => a - b))
      expect((read.at(-1) as number) - (read[0] as number)).toBeGreaterThanOrEqual(60_000)
    })
  })

import { expect, it } from 'vitest'
import { mint, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { DeadLetter } from './record.ts'

const letter = (more: Partial<DeadLetter> = {}): DeadLetter => ({
  id: mint('dead'),
  topic: 'cairn.uploads',
  group: 'ingestion',
  reason: 'not JSON',
  raw: '{',
  at: wallAt,
  replayedAt: null,
  ...more,
})

export const deadLettersContract = (group: Group) =>
  behaviour('dead letters', group, (engine) => {
    it('keeps a letter as given, whatever its bytes decode to', async () => {
      const { deadLetters } = engine.store
      const given = letter({ raw: '\u0000\u0001"\\\n\u{fffd} 🦊 {"__proto__": {"$set": 1}}' })
      await deadLetters.insert(given)
      expect(await deadLetters.get(given.id)).toEqual(given)
      expect(await deadLetters.get('nobody')).toBeUndefined()
    })

    it('refuses an id that is taken', async () => {
      const { deadLetters } = engine.store
      const given = letter()
      await deadLetters.insert(given)
      await expect(deadLetters.insert({ ...given, raw: 'other' })).rejects.toMatchObject({ code: 'conflict' })
      expect(await deadLetters.get(given.id)).toEqual(given)
    })

    it('pages by id', async () => {
      const { deadLetters } = engine.store
      for (const id of ['zc', 'za', 'zd', 'zb', ' ']) await deadLetters.insert(letter({ id }))
      const idsOf = async (page: { after?: string; limit: number }) =>
        (await deadLetters.page(page)).map(({ id }) => id)
      expect(await idsOf({ limit: 1 })).toEqual([' '])
      expect(await idsOf({ after: 'z', limit: 2 })).toEqual(['za', 'zb'])
      expect(await idsOf({ after: 'zb', limit: 9 })).toEqual(['zc', 'zd'])
      expect(await idsOf({ after: 'zd', limit: 9 })).toEqual([])
    })

    it('removes letters of before a time, so many at once, and no others', async () => {
      const { deadLetters } = engine.store
      const old = ['\u0001a', '\u0001b', '\u0001c'].map((id) => letter({ id, at: wallAt - 1 }))
      const young = letter({ id: '\u0001d' })
      for (const one of [...old, young]) await deadLetters.insert(one)
      expect(await deadLetters.prune(wallAt - 1, 10)).toBe(0)
      expect(await deadLetters.prune(wallAt, 2)).toBe(2)
      expect(await deadLetters.prune(wallAt, 2)).toBe(1)
      expect(await deadLetters.prune(wallAt, 2)).toBe(0)
      const left = await Promise.all([...old, young].map(({ id }) => deadLetters.get(id)))
      expect(left).toEqual([undefined, undefined, undefined, young])
    })

    it('remembers when a letter was replayed', async () => {
      const { deadLetters } = engine.store
      const given = letter()
      await deadLetters.insert(given)
      await deadLetters.replayed(given.id, wallAt + 1)
      expect(await deadLetters.get(given.id)).toEqual({ ...given, replayedAt: wallAt + 1 })
    })
  })

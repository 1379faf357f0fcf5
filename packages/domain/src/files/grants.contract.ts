import { expect, it } from 'vitest'
import { createScene, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { object } from './file-scene.fixture.ts'

export const grantsContract = (group: Group) =>
  behaviour('grants', group, (engine) => {
    const newScene = async () => {
      const scene = await createScene(engine.store)
      const { accountId, namespaceId } = scene
      const draft = (name: string, more: object = {}) => ({
        namespaceId,
        accountId,
        name,
        key: `${accountId}/name/${name}`,
        contentType: 'text/plain',
        expiresAt: wallAt + 900_000,
        uploadId: null,
        correlationId: 'request-4',
        traceparent: null,
        createdAt: wallAt,
        ...more,
      })
      const due = async () =>
        (await engine.store.grants.due(10_000)).filter((grant) => grant.namespaceId === namespaceId)
      return { ...scene, draft, due }
    }

    it('is one for a name, and renewed by whoever asks again', async () => {
      const { grants } = engine.store
      const { draft, namespaceId } = await newScene()
      await Promise.all(times(8, (n) => grants.open(draft('a.txt', { expiresAt: wallAt + n }))))
      expect(await grants.get(namespaceId, 'a.txt')).toMatchObject({
        state: 'open',
        expiresAt: wallAt + 7,
        seen: null,
        uploadId: null,
      })
      // An earlier upload URL stays valid until its own expiry.
      expect(await grants.open(draft('a.txt', { expiresAt: wallAt + 1 }))).toMatchObject({ expiresAt: wallAt + 7 })
      expect(await grants.countOfNamespace(namespaceId)).toBe(1)
      expect(await grants.get(namespaceId, 'b.txt')).toBeUndefined()
    })

    it('pages by name, within a namespace', async () => {
      const { grants } = engine.store
      const { draft, namespaceId } = await newScene()
      const other = await newScene()
      for (const name of ['c', 'a', 'ü', 'b']) await grants.open(draft(name, { uploadId: `upload of ${name}` }))
      await grants.open(other.draft('a'))
      const page = async (of: { after?: string; limit: number }) =>
        (await grants.page(namespaceId, of)).map(({ name }) => name)
      expect(await page({ limit: 10 })).toEqual(['a', 'b', 'c', 'ü'])
      expect(await page({ after: 'a', limit: 2 })).toEqual(['b', 'c'])
      expect(await grants.page(namespaceId, { after: 'c', limit: 2 })).toMatchObject([
        { name: 'ü', uploadId: 'upload of ü' },
      ])
    })

    it('is due some seconds after it was opened, and as long after each look as is said', async () => {
      const { grants } = engine.store
      const { draft, due } = await newScene()
      await grants.open(draft('a.txt'))
      expect(await due()).toEqual([])
      await engine.advance(5_100)
      const [grant] = await due()
      if (!grant) throw new Error('not due')
      await grants.recordCheck(grant, { afterMs: 30_000, registered: object('content') })
      expect(await due()).toEqual([])
      await engine.advance(30_100)
      expect(await due()).toMatchObject([{ seen: object('content'), looks: 1 }])
      // Writes of a process that read an older version of the grant have no effect.
      await grants.recordCheck(grant, { afterMs: 600_000 })
      await grants.remove(grant)
      expect(await due()).toHaveLength(1)
      for (const now of await due()) await grants.remove(now)
      expect(await due()).toEqual([])
    })

    it('is good for longer while it is open, and never for less', async () => {
      const { grants } = engine.store
      const { draft, namespaceId } = await newScene()
      expect(await grants.extend(namespaceId, 'a.txt', wallAt)).toBeUndefined()
      await grants.open(draft('a.txt', { expiresAt: wallAt + 5 }))
      expect(await grants.extend(namespaceId, 'a.txt', wallAt + 1)).toMatchObject({ expiresAt: wallAt + 5 })
      await Promise.all(times(8, (n) => grants.extend(namespaceId, 'a.txt', wallAt + 10 + n)))
      expect(await grants.get(namespaceId, 'a.txt')).toMatchObject({ state: 'open', expiresAt: wallAt + 17 })
      await grants.revoke(namespaceId, 'a.txt')
      expect(await grants.extend(namespaceId, 'a.txt', wallAt + 100)).toBeUndefined()
      expect(await grants.get(namespaceId, 'a.txt')).toMatchObject({ state: 'revoked', expiresAt: wallAt + 17 })
    })

    it('can be revoked, and opened again', async () => {
      const { grants } = engine.store
      const { draft, namespaceId } = await newScene()
      expect(await grants.revoke(namespaceId, 'a.txt')).toBeUndefined()
      await grants.open(draft('a.txt'))
      expect(await grants.revoke(namespaceId, 'a.txt')).toMatchObject({ state: 'revoked', seen: null })
      expect(await grants.open(draft('a.txt'))).toMatchObject({ state: 'open' })
    })

    it('goes with its namespace', async () => {
      const { grants } = engine.store
      const { draft, namespaceId } = await newScene()
      for (const name of times(5, (n) => `${n}.txt`)) await grants.open(draft(name))
      expect(await grants.removeOfNamespace(namespaceId, 3)).toBe(3)
      expect(await grants.removeOfNamespace(namespaceId, 3)).toBe(2)
      expect(await grants.countOfNamespace(namespaceId)).toBe(0)
    })
  })

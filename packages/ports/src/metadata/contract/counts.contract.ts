import { expect, it } from 'vitest'
import { behaviour, type Group } from './fixture.ts'
import { allOverdueMs, createScene, mint, sweep, times, wallAt } from './scene.ts'

export const countsContract = (group: Group) =>
  behaviour('counts', group, (store) => {
    it('finds nothing to put right where nothing is under way', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const before = [await scene.namespace(), await scene.account()]
      expect(await metadata.recountNamespace(scene.namespaceId)).toBe('recounted')
      expect(await metadata.recountAccount(scene.accountId)).toBe('recounted')
      expect([await scene.namespace(), await scene.account()]).toEqual(before)
    })

    it('says so when what is to be counted is gone or going', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      expect(await metadata.recountNamespace('nowhere', { force: true })).toBe('gone')
      expect(await metadata.recountAccount('nobody', { force: true })).toBe('gone')
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await metadata.recountNamespace(scene.namespaceId, { force: true })).toBe('gone')
    })

    it('counts again without a mark when forced', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const [namespace, account] = [await scene.namespace(), await scene.account()]
      expect(await metadata.recountNamespace(scene.namespaceId, { force: true })).toBe('recounted')
      expect(await metadata.recountAccount(scene.accountId, { force: true })).toBe('recounted')
      expect((await scene.namespace()).countSeq).toBeGreaterThan(namespace.countSeq)
      expect((await scene.account()).seq).toBeGreaterThan(account.seq)
      await scene.expectExact()
    })

    it('is busy while an operation may still be alive, and counts without those that died', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      await store.stall('accept: queue', (other) => other.accept(scene.acceptInput(['b', 'c'])))
      for (const options of [{}, { force: true }]) {
        expect(await metadata.recountNamespace(scene.namespaceId, options)).toBe('busy')
        expect(await metadata.recountAccount(scene.accountId, options)).toBe('busy')
      }
      await store.advance(59_000)
      expect(await metadata.recountNamespace(scene.namespaceId)).toBe('busy')
      await store.advance(1_100)
      expect(await metadata.recountNamespace(scene.namespaceId)).toBe('recounted')
      expect(await scene.namespace()).toMatchObject({ itemCount: 3, open: {}, openCount: 0 })
      expect(await metadata.recountAccount(scene.accountId)).toBe('recounted')
      await scene.expectExact()
    })

    it('is busy while one of several operations is not overdue', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await store.stall('accept: queue', (other) => other.accept(scene.acceptInput(['a'])))
      await store.advance(40_000)
      await store.stall('accept: queue', (other) => other.accept(scene.acceptInput(['b'])))
      await store.advance(30_000)
      expect(await metadata.recountNamespace(scene.namespaceId)).toBe('busy')
      expect(await metadata.recountAccount(scene.accountId)).toBe('busy')
      await store.advance(31_000)
      await sweep(scene)
      expect(await scene.namespace()).toMatchObject({ itemCount: 2 })
      await scene.expectExact()
    })

    it('counts no account while a namespace of it is open or going', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await store.stall('accept: leave namespace', (other) => other.accept(scene.acceptInput(['a'])))
      await store.advance(allOverdueMs)
      expect(await metadata.recountAccount(scene.accountId)).toBe('busy')
      expect(await metadata.recountNamespace(scene.namespaceId)).toBe('recounted')
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await metadata.recountAccount(scene.accountId)).toBe('busy')
      expect(await scene.account()).toMatchObject({ held: { documents: 1 }, reservationCount: 1 })
    })

    it.each([
      ['enters', 'accept: queue'],
      ['has come and gone', undefined],
    ] as const)('assigns no count of a namespace when an operation %s meanwhile', async (_, step) => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const goOn = await store.stall('recount namespace: assign', (other) => other.recountNamespace(scene.namespaceId, { force: true }))
      const input = scene.acceptInput(['b'])
      const accept = step && (await store.stall(step, (other) => other.accept(input)))
      if (!accept) await metadata.accept(input)
      expect(await goOn()).toBe('busy')
      await accept?.()
      expect(await scene.namespace()).toMatchObject({ itemCount: 2 })
      await scene.expectExact()
    })

    it('assigns no sums of an account when an operation enters it meanwhile', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const goOn = await store.stall('recount account: assign', (other) => other.recountAccount(scene.accountId, { force: true }))
      const accept = await store.stall('accept: enter namespace', (other) => other.accept(scene.acceptInput(['b'])))
      expect(await goOn()).toBe('busy')
      expect(await scene.account()).toMatchObject({ held: { documents: 2 }, reservationCount: 1 })
      await accept()
      await scene.expectExact()
    })

    it('loses nothing when recounts and operations meet', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const recounts = times(8, () => metadata.recountNamespace(scene.namespaceId, { force: true }))
      const accepts = times(16, (index) => metadata.accept(scene.acceptInput([`i${index}`])))
      const sums = times(8, () => metadata.recountAccount(scene.accountId, { force: true }))
      for (const outcome of await Promise.all([...recounts, ...sums])) expect(['recounted', 'busy']).toContain(outcome)
      await Promise.all(accepts)
      expect(await scene.namespace()).toMatchObject({ itemCount: 16 })
      await scene.expectExact()
    })

    it('closes entry for 10 s and no longer', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await metadata.closeEntry({ accountId: scene.accountId })
      await metadata.closeEntry({ namespaceId: scene.namespaceId })
      await expect(metadata.accept(scene.acceptInput(['a']))).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
      expect(await metadata.recountNamespace(scene.namespaceId, { force: true })).toBe('recounted')
      expect(await metadata.recountAccount(scene.accountId, { force: true })).toBe('recounted')
      await store.advance(10_100)
      await scene.accepted(['a'])
      await scene.expectExact()
    })

    it('closes entry of what is not there without a word', async () => {
      const { metadata } = store
      await metadata.closeEntry({ accountId: 'nobody' })
      await metadata.closeEntry({ namespaceId: 'nowhere' })
      expect(await metadata.accounts.get('nobody')).toBeUndefined()
      expect(await metadata.namespaces.get('nowhere')).toBeUndefined()
    })

    it('lets operations that are inside leave while entry is closed', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const goOn = await store.stall('accept: insert items', (other) => other.accept(scene.acceptInput(['a'])))
      await metadata.closeEntry({ accountId: scene.accountId })
      await metadata.closeEntry({ namespaceId: scene.namespaceId })
      expect(await goOn()).toMatchObject({ outcome: 'accepted' })
      await scene.expectExact()
    })

    it('assigns no count of a namespace whose deletion began meanwhile', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const goOn = await store.stall('recount namespace: assign', (other) => other.recountNamespace(scene.namespaceId, { force: true }))
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      const before = await scene.namespace()
      expect(await goOn()).toBe('busy')
      expect(await scene.namespace()).toEqual(before)
    })
  })

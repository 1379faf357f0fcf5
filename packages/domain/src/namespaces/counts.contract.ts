import { expect, it } from 'vitest'
import { allOverdueMs, countAll, createScene, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const countsContract = (group: Group) =>
  behaviour('counts', group, (engine) => {
    it('changes nothing where nothing is overdue', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      await engine.stall('accept: queue', (other) => other.accept(scene.acceptInput(['b'])))
      const before = [await scene.namespace(), await scene.account()]
      await engine.advance(59_000)
      await store.recoverNamespace(scene.namespaceId, wallAt)
      await store.recoverAccount(scene.accountId)
      expect([await scene.namespace(), await scene.account()]).toEqual(before)
    })

    it('recovers what is gone without a word', async () => {
      const { store } = engine
      await store.recoverNamespace('nowhere', wallAt)
      await store.recoverAccount('nobody')
      expect(await store.countSlice('nowhere')).toEqual({ outcome: 'gone' })
      expect(await store.sumAccount('nobody')).toEqual({ outcome: 'gone' })
    })

    it('recovers an upload that died, while others are under way in its namespace and its account', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const dead = scene.acceptInput(['a', 'b'])
      await engine.stall('accept: queue', (other) => other.accept(dead))
      await engine.advance(allOverdueMs)
      const live = await engine.stall('accept: queue', (other) => other.accept(scene.acceptInput(['c'])))
      await store.recoverNamespace(scene.namespaceId, wallAt)
      expect(await store.uploads.get(dead.uploadId)).toMatchObject({ state: 'queued', ids: ['a', 'b'], changed: 2 })
      expect(await scene.namespace()).toMatchObject({ itemCount: 2, openCount: 1, entryClosedUntil: 0 })
      expect(await scene.account()).toMatchObject({
        counts: { documents: 2 },
        held: { documents: 3 },
        reservationCount: 1,
      })
      await live()
      await scene.expectExact()
    })

    it('decides for a deletion that died, and gives its job to whoever removes points', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b', 'c'])
      const dead = scene.deleteInput(['a', 'b'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(dead), { element: 1 })
      await engine.advance(allOverdueMs)
      await store.recoverNamespace(scene.namespaceId, wallAt)
      expect(await scene.namespace()).toMatchObject({ itemCount: 1, open: {} })
      await scene.expectExact()
      expect(await store.deletions.lease(dead.deletionId, 'next')).toMatchObject({
        state: 'running',
        itemsDone: true,
        changed: -2,
      })
    })

    it('counts what a dead upload inserted although it has been deleted since', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const dead = scene.acceptInput(['a', 'b', 'c'])
      await engine.stall('accept: queue', (other) => other.accept(dead))
      const deletion = scene.deleteInput(['a', 'b'])
      expect(await store.deleteItems(deletion)).toMatchObject({ deleted: ['a', 'b'] })
      // The marks on items must stay until the upload that inserted them is counted.
      expect(await store.deletions.removeMarked(deletion.deletionId)).toBe(2)
      expect(await store.items.latestStates(scene.namespaceId, ['a', 'b', 'c'])).toMatchObject([{ id: 'c' }])
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      await scene.expectExact()
      expect(await store.deletions.removeMarked(deletion.deletionId)).toBe(0)
      expect(await store.items.removeOfNamespace(scene.namespaceId, 9)).toBe(1)
    })

    it('counts a removal once of two deletions that died over it', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      for (const ids of [['a'], ['a', 'b']])
        await engine.stall('delete: queue', (other) => other.deleteItems(scene.deleteInput(ids)))
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await scene.namespace()).toMatchObject({ itemCount: 0 })
      await scene.expectExact()
    })

    it.each([
      ['is live', 'delete: queue'],
      ['has decided', 'delete: leave account'],
    ] as const)(
      'keeps an id for who deletes it until that is counted (it %s), and then lets it be inserted',
      async (_, step) => {
        const { store } = engine
        const scene = await createScene(store)
        await scene.accepted(['a'])
        await engine.stall(step, (other) => other.deleteItems(scene.deleteInput(['a'])))
        const again = scene.acceptInput(['a'])
        await expect(store.accept(again)).rejects.toMatchObject({ code: 'unavailable' })
        await engine.advance(allOverdueMs)
        await sweep(scene)
        await scene.accepted(['a'], { at: wallAt + 9 })
        expect(await scene.item('a')).toMatchObject({ status: 'processing', createdAt: wallAt + 9 })
        expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
        await engine.advance(allOverdueMs)
        await sweep(scene)
        await scene.expectExact()
      },
    )

    it('inserts an id again at once whose record is still to be removed', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.indexed(['a'])
      const deletion = scene.deleteInput(['a'])
      await store.deleteItems(deletion)
      const { id: version } = await scene.accepted(['a'], { limit: 1 })
      expect(await store.deletions.removeMarked(deletion.deletionId)).toBe(0)
      expect(await scene.item('a')).toMatchObject({ version, status: 'processing', indexed: null, stale: [] })
      await scene.expectExact()
    })

    it('keeps an overdue entry of the account while its namespace has it, too', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await engine.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['a'])))
      await engine.advance(allOverdueMs)
      await store.recoverAccount(scene.accountId)
      expect(await scene.account()).toMatchObject({
        counts: { documents: 0 },
        held: { documents: 1 },
        reservationCount: 1,
      })
      await store.recoverNamespace(scene.namespaceId, wallAt)
      await scene.expectExact()
    })

    it('gives the slot of a namespace back that was deleted before its creation was counted', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = {
        id: mint('ns'),
        accountId: scene.accountId,
        name: mint('name'),
        type: 'text' as const,
        dimension: null,
      }
      const create = { ...input, embedding: (await scene.namespace()).embedding, createdAt: wallAt, limit: null }
      const goOn = await engine.stall('create namespace: leave account', (other) => other.createNamespace(create))
      const deletionId = mint('del')
      const going = await store.beginNamespaceDeletion(input.id, deletionId, wallAt)
      if (!going) throw new Error('not there')
      const context = { space: scene.deleteInput([]).space, correlationId: 'request', traceparent: null, at: wallAt }
      await store.deletions.insertOfNamespace(going, context)
      expect(await store.deletions.lease(deletionId, 'mine')).toBeDefined()
      await store.deletions.releaseNamespace({ jobId: deletionId, token: 'mine' }, { removed: {}, at: wallAt })
      expect(await scene.account()).toMatchObject({
        counts: { namespaces: 1 },
        held: { namespaces: 1 },
        reservationCount: 0,
      })
      await goOn()
      await scene.expectExact()
    })

    it('counts a namespace slice by slice, and is put off by whoever is inside', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const ids = times(5_000, (index) => `i${String(index).padStart(5, '0')}`)
      for (let from = 0; from < ids.length; from += 1_000) await scene.accepted(ids.slice(from, from + 1_000))
      expect(await store.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      // Uploads one item and deletes one item on each side of the position that the count has reached.
      await scene.accepted(['a', 'z'])
      await store.deleteItems(scene.deleteInput(['i00007', 'i04999']))
      expect(await store.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      const goOn = await engine.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['b', 'y'])))
      expect(await store.countSlice(scene.namespaceId)).toEqual({ outcome: 'busy' })
      await goOn()
      expect(await countAll(scene)).toBe(0)
      expect(await scene.namespace()).toMatchObject({ itemCount: 5_002, countPass: null })
      await scene.expectExact()
    })

    it('begins anew when somebody left without telling the pass', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['b'])
      expect(await store.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      await engine.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['a'])))
      await engine.advance(allOverdueMs)
      await store.recoverNamespace(scene.namespaceId, wallAt)
      expect(await countAll(scene)).toBe(0)
      expect(await scene.namespace()).toMatchObject({ itemCount: 2 })
      await scene.expectExact()
    })

    it('finds what a request wrote that was thought dead', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const zombie = scene.acceptInput(['b'])
      const goOn = await engine.stall('accept: insert items', (other) => other.accept(zombie))
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      expect(await countAll(scene)).toBe(1)
      expect(await store.sumAccount(scene.accountId)).toMatchObject({ outcome: 'counted', off: 1 })
      await scene.expectExact()
    })

    it('removes what a deletion marked that was thought dead', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const zombie = scene.deleteInput(['a', 'b'])
      const goOn = await engine.stall('delete: remove items', (other) => other.deleteItems(zombie), { element: 1 })
      await engine.advance(allOverdueMs)
      const takenOver = await store.deletions.takeOver(zombie.deletionId, 'mine')
      expect(takenOver).toMatchObject({ changed: -2 })
      await scene.accepted(['b'])
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      await store.deletions.complete({ jobId: zombie.deletionId, token: 'mine' }, { removed: {}, at: wallAt })
      await store.deletions.removeForgotten(10_000)
      // Only the item that was uploaded after the deletion is left.
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      expect(await store.items.removeOfNamespace(scene.namespaceId, 9)).toBe(1)
    })

    it('assigns no sums of an account when an operation has come and gone meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const zombie = scene.acceptInput(['zombie'])
      const late = await engine.stall('accept: insert items', (other) => other.accept(zombie))
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await expect(late()).rejects.toMatchObject({ code: 'unavailable' })
      await countAll(scene)
      const goOn = await engine.stall('sum account: assign', (other) => other.sumAccount(scene.accountId))
      await scene.accepted(['a'])
      expect(await goOn()).toEqual({ outcome: 'busy' })
      expect(await scene.account()).toMatchObject({ counts: { documents: 1 } })
      expect(await store.sumAccount(scene.accountId)).toEqual({ outcome: 'counted', off: 1 })
      await scene.expectExact()
    })

    it('loses nothing when counts and operations meet', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const slices = times(8, () => store.countSlice(scene.namespaceId))
      const accepts = times(16, (index) => store.accept(scene.acceptInput([`i${index}`])))
      const sums = times(8, () => store.sumAccount(scene.accountId))
      for (const { outcome } of await Promise.all([...slices, ...sums]))
        expect(['more', 'counted', 'busy']).toContain(outcome)
      await Promise.all(accepts)
      expect(await scene.namespace()).toMatchObject({ itemCount: 16 })
      expect(await countAll(scene)).toBe(0)
      await scene.expectExact()
    })

    it('closes entry for 1 s and no longer, and lets those inside leave', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const goOn = await engine.stall('accept: insert items', (other) => other.accept(scene.acceptInput(['a'])))
      await store.closeEntry(scene.namespaceId)
      await store.closeEntry('nowhere')
      await expect(store.accept(scene.acceptInput(['b']))).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 1,
      })
      expect(await goOn()).toMatchObject({ outcome: 'accepted' })
      await engine.advance(1_100)
      await scene.accepted(['c'])
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('assigns no count of a namespace whose deletion began meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const goOn = await engine.stall('count: advance', (other) => other.countSlice(scene.namespaceId))
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      const before = await scene.namespace()
      expect(await goOn()).toEqual({ outcome: 'busy' })
      expect(await scene.namespace()).toEqual(before)
    })
  })

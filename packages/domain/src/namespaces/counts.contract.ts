import { expect, it } from 'vitest'
import { allOverdueMs, countAll, createScene, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const countsContract = (group: Group) =>
  behaviour('counts', group, (store) => {
    it('changes nothing where nothing is overdue', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      await store.stall('accept: queue', (other) => other.accept(scene.acceptInput(['b'])))
      const before = [await scene.namespace(), await scene.account()]
      await store.advance(59_000)
      await metadata.recoverNamespace(scene.namespaceId, wallAt)
      await metadata.recoverAccount(scene.accountId)
      expect([await scene.namespace(), await scene.account()]).toEqual(before)
    })

    it('recovers what is gone without a word', async () => {
      const { metadata } = store
      await metadata.recoverNamespace('nowhere', wallAt)
      await metadata.recoverAccount('nobody')
      expect(await metadata.countSlice('nowhere')).toEqual({ outcome: 'gone' })
      expect(await metadata.sumAccount('nobody')).toEqual({ outcome: 'gone' })
    })

    it('recovers an upload that died, while others are under way in its namespace and its account', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const dead = scene.acceptInput(['a', 'b'])
      await store.stall('accept: queue', (other) => other.accept(dead))
      await store.advance(allOverdueMs)
      const live = await store.stall('accept: queue', (other) => other.accept(scene.acceptInput(['c'])))
      await metadata.recoverNamespace(scene.namespaceId, wallAt)
      expect(await metadata.uploads.get(dead.uploadId)).toMatchObject({ state: 'queued', ids: ['a', 'b'], changed: 2 })
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
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b', 'c'])
      const dead = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(dead), { element: 1 })
      await store.advance(allOverdueMs)
      await metadata.recoverNamespace(scene.namespaceId, wallAt)
      expect(await scene.namespace()).toMatchObject({ itemCount: 1, open: {} })
      await scene.expectExact()
      expect(await metadata.deletions.lease(dead.deletionId, 'next')).toMatchObject({
        state: 'running',
        itemsDone: true,
        changed: -2,
      })
    })

    it('counts what a dead upload inserted although it has been deleted since', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const dead = scene.acceptInput(['a', 'b', 'c'])
      await store.stall('accept: queue', (other) => other.accept(dead))
      const deletion = scene.deleteInput(['a', 'b'])
      expect(await metadata.deleteItems(deletion)).toMatchObject({ deleted: ['a', 'b'] })
      // The marks on items must stay until the upload that inserted them is counted.
      expect(await metadata.deletions.removeMarked(deletion.deletionId)).toBe(2)
      expect(await metadata.items.latestStates(scene.namespaceId, ['a', 'b', 'c'])).toMatchObject([{ id: 'c' }])
      await store.advance(allOverdueMs)
      await sweep(scene)
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      await scene.expectExact()
      expect(await metadata.deletions.removeMarked(deletion.deletionId)).toBe(0)
      expect(await metadata.items.removeOfNamespace(scene.namespaceId, 9)).toBe(1)
    })

    it('counts a removal once of two deletions that died over it', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      for (const ids of [['a'], ['a', 'b']])
        await store.stall('delete: queue', (other) => other.deleteItems(scene.deleteInput(ids)))
      await store.advance(allOverdueMs)
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
        const { metadata } = store
        const scene = await createScene(metadata)
        await scene.accepted(['a'])
        await store.stall(step, (other) => other.deleteItems(scene.deleteInput(['a'])))
        const again = scene.acceptInput(['a'])
        await expect(metadata.accept(again)).rejects.toMatchObject({ code: 'unavailable' })
        await store.advance(allOverdueMs)
        await sweep(scene)
        await scene.accepted(['a'], { at: wallAt + 9 })
        expect(await scene.item('a')).toMatchObject({ status: 'processing', createdAt: wallAt + 9 })
        expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
        await store.advance(allOverdueMs)
        await sweep(scene)
        await scene.expectExact()
      },
    )

    it('inserts an id again at once whose record is still to be removed', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.indexed(['a'])
      const deletion = scene.deleteInput(['a'])
      await metadata.deleteItems(deletion)
      const { id: version } = await scene.accepted(['a'], { limit: 1 })
      expect(await metadata.deletions.removeMarked(deletion.deletionId)).toBe(0)
      expect(await scene.item('a')).toMatchObject({ version, status: 'processing', indexed: null, stale: [] })
      await scene.expectExact()
    })

    it('keeps an overdue entry of the account while its namespace has it, too', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await store.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['a'])))
      await store.advance(allOverdueMs)
      await metadata.recoverAccount(scene.accountId)
      expect(await scene.account()).toMatchObject({
        counts: { documents: 0 },
        held: { documents: 1 },
        reservationCount: 1,
      })
      await metadata.recoverNamespace(scene.namespaceId, wallAt)
      await scene.expectExact()
    })

    it('gives the slot of a namespace back that was deleted before its creation was counted', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const input = {
        id: mint('ns'),
        accountId: scene.accountId,
        name: mint('name'),
        type: 'text' as const,
        dimension: null,
      }
      const create = { ...input, embedding: (await scene.namespace()).embedding, createdAt: wallAt, limit: null }
      const goOn = await store.stall('create namespace: leave account', (other) => other.createNamespace(create))
      const deletionId = mint('del')
      const going = await metadata.beginNamespaceDeletion(input.id, deletionId, wallAt)
      if (!going) throw new Error('not there')
      const context = { space: scene.deleteInput([]).space, correlationId: 'request', traceparent: null, at: wallAt }
      await metadata.deletions.insertOfNamespace(going, context)
      expect(await metadata.deletions.lease(deletionId, 'mine')).toBeDefined()
      await metadata.deletions.releaseNamespace({ jobId: deletionId, token: 'mine' }, { removed: {}, at: wallAt })
      expect(await scene.account()).toMatchObject({
        counts: { namespaces: 1 },
        held: { namespaces: 1 },
        reservationCount: 0,
      })
      await goOn()
      await scene.expectExact()
    })

    it('counts a namespace slice by slice, and is put off by whoever is inside', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const ids = times(5_000, (index) => `i${String(index).padStart(5, '0')}`)
      for (let from = 0; from < ids.length; from += 1_000) await scene.accepted(ids.slice(from, from + 1_000))
      expect(await metadata.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      // Uploads one item and deletes one item on each side of the position that the count has reached.
      await scene.accepted(['a', 'z'])
      await metadata.deleteItems(scene.deleteInput(['i00007', 'i04999']))
      expect(await metadata.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      const goOn = await store.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['b', 'y'])))
      expect(await metadata.countSlice(scene.namespaceId)).toEqual({ outcome: 'busy' })
      await goOn()
      expect(await countAll(scene)).toBe(0)
      expect(await scene.namespace()).toMatchObject({ itemCount: 5_002, countPass: null })
      await scene.expectExact()
    })

    it('begins anew when somebody left without telling the pass', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['b'])
      expect(await metadata.countSlice(scene.namespaceId)).toEqual({ outcome: 'more' })
      await store.stall('accept: leave account', (other) => other.accept(scene.acceptInput(['a'])))
      await store.advance(allOverdueMs)
      await metadata.recoverNamespace(scene.namespaceId, wallAt)
      expect(await countAll(scene)).toBe(0)
      expect(await scene.namespace()).toMatchObject({ itemCount: 2 })
      await scene.expectExact()
    })

    it('finds what a request wrote that was thought dead', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const zombie = scene.acceptInput(['b'])
      const goOn = await store.stall('accept: insert items', (other) => other.accept(zombie))
      await store.advance(allOverdueMs)
      await sweep(scene)
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      expect(await countAll(scene)).toBe(1)
      expect(await metadata.sumAccount(scene.accountId)).toMatchObject({ outcome: 'counted', off: 1 })
      await scene.expectExact()
    })

    it('removes what a deletion marked that was thought dead', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const zombie = scene.deleteInput(['a', 'b'])
      const goOn = await store.stall('delete: remove items', (other) => other.deleteItems(zombie), { element: 1 })
      await store.advance(allOverdueMs)
      const adopted = await metadata.deletions.adopt(zombie.deletionId, 'mine')
      expect(adopted).toMatchObject({ changed: -2 })
      await scene.accepted(['b'])
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      await metadata.deletions.complete({ jobId: zombie.deletionId, token: 'mine' }, { removed: {}, at: wallAt })
      await metadata.deletions.removeForgotten(10_000)
      // Only the item that was uploaded after the deletion is left.
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      expect(await metadata.items.removeOfNamespace(scene.namespaceId, 9)).toBe(1)
    })

    it('assigns no sums of an account when an operation has come and gone meanwhile', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const zombie = scene.acceptInput(['zombie'])
      const late = await store.stall('accept: insert items', (other) => other.accept(zombie))
      await store.advance(allOverdueMs)
      await sweep(scene)
      await expect(late()).rejects.toMatchObject({ code: 'unavailable' })
      await countAll(scene)
      const goOn = await store.stall('sum account: assign', (other) => other.sumAccount(scene.accountId))
      await scene.accepted(['a'])
      expect(await goOn()).toEqual({ outcome: 'busy' })
      expect(await scene.account()).toMatchObject({ counts: { documents: 1 } })
      expect(await metadata.sumAccount(scene.accountId)).toEqual({ outcome: 'counted', off: 1 })
      await scene.expectExact()
    })

    it('loses nothing when counts and operations meet', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const slices = times(8, () => metadata.countSlice(scene.namespaceId))
      const accepts = times(16, (index) => metadata.accept(scene.acceptInput([`i${index}`])))
      const sums = times(8, () => metadata.sumAccount(scene.accountId))
      for (const { outcome } of await Promise.all([...slices, ...sums]))
        expect(['more', 'counted', 'busy']).toContain(outcome)
      await Promise.all(accepts)
      expect(await scene.namespace()).toMatchObject({ itemCount: 16 })
      expect(await countAll(scene)).toBe(0)
      await scene.expectExact()
    })

    it('closes entry for 1 s and no longer, and lets those inside leave', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const goOn = await store.stall('accept: insert items', (other) => other.accept(scene.acceptInput(['a'])))
      await metadata.closeEntry(scene.namespaceId)
      await metadata.closeEntry('nowhere')
      await expect(metadata.accept(scene.acceptInput(['b']))).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 1,
      })
      expect(await goOn()).toMatchObject({ outcome: 'accepted' })
      await store.advance(1_100)
      await scene.accepted(['c'])
      await store.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('assigns no count of a namespace whose deletion began meanwhile', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const goOn = await store.stall('count: advance', (other) => other.countSlice(scene.namespaceId))
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      const before = await scene.namespace()
      expect(await goOn()).toEqual({ outcome: 'busy' })
      expect(await scene.namespace()).toEqual(before)
    })
  })

import { expect, it } from 'vitest'
import { createFileScene, object } from '../files/file-scene.fixture.ts'
import { createScene, mint, namespaceInput, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { Store } from '../store.ts'

const longText = 'x'.repeat(40_000)

/**
 * Creates an account of its own, since other tests have jobs in the shared store. `due` lists only the account's jobs.
 */
const accountWith = async (store: Store) => {
  const scene = await createScene(store)
  const { accountId } = scene
  const upload = async (text = 'short', namespaceId = scene.namespaceId) =>
    scene.accepted([{ id: mint('doc'), body: { text, metadata: '{}' } }], { namespaceId })
  const namespace = async () => {
    const input = namespaceInput(accountId)
    await store.createNamespace(input)
    return input.id
  }
  const due = async (lane: 'short' | 'long', after = '', limit = 10) =>
    (await store.uploads.dueOf(accountId, lane, after, limit)).map(({ id }) => id)
  return { ...scene, upload, namespace, due }
}

export const dueJobsContract = (group: Group) =>
  behaviour('due jobs', group, (engine) => {
    it('has a queued job due at once, in the lane of its size', async () => {
      const { store } = engine
      const { upload, due, accountId, namespaceId } = await accountWith(store)
      const short = await upload('in short')
      const long = await upload(longText)
      expect([await due('short'), await due('long')]).toEqual([[short.id], [long.id]])
      const [chosen] = await store.uploads.dueOf(accountId, 'short', '', 1)
      expect(chosen).toEqual({ id: short.id, namespaceId, nextAttemptAt: expect.any(Number), bytes: 10 })
    })

    it('says nothing of jobs that are leased, final, or wait for their next attempt', async () => {
      const { store, advance } = engine
      const { upload, due } = await accountWith(store)
      const [leased, waiting, done] = [await upload(), await upload(), await upload()]
      for (const { id } of [leased, waiting, done]) await store.uploads.lease(id, `lease of ${id}`)
      const leaseOf = ({ id }: { readonly id: string }) => ({ jobId: id, token: `lease of ${id}` })
      await store.uploads.requeue(leaseOf(waiting), { delayMs: 5_000, error: 'away', counted: false })
      await store.uploads.complete(leaseOf(done), { state: 'completed', outcomes: [], times: {}, at: wallAt })
      expect(await due('short')).toEqual([])
      await advance(5_100)
      expect(await due('short')).toEqual([waiting.id])
      expect((await store.uploads.abandoned(10_000)).map(({ id }) => id)).not.toContain(leased.id)
      await advance(25_000)
      const abandoned = (await store.uploads.abandoned(10_000)).map(({ id }) => id)
      expect(abandoned).toContain(leased.id)
      expect(abandoned).not.toContain(waiting.id)
    })

    it('counts the jobs that are due, and says how long the oldest has been', async () => {
      const { store, advance } = engine
      const { upload } = await accountWith(store)
      // Jobs of other tests are in the shared store.
      const before = await store.uploads.dueCount()
      await upload()
      await advance(1_000)
      const { jobs, oldestMs } = await store.uploads.dueCount()
      expect(jobs).toBe(before.jobs + 1)
      expect(oldestMs).toBeGreaterThanOrEqual(1_000)
    })

    it('reads what was completed last, with the times of its work', async () => {
      const { store, advance } = await engine.fresh()
      const { upload, accountId } = await accountWith(store)
      const jobs = [await upload(), await upload(), await upload(longText), await upload()]
      const [failed, ...completed] = jobs
      for (const { id } of jobs) await store.uploads.lease(id, id)
      await advance(2_000)
      const end = (state: 'completed' | 'failed', { id }: { readonly id: string }, at: number) =>
        store.uploads.complete({ jobId: id, token: id }, { state, outcomes: [], times: {}, at })
      for (const [index, one] of completed.entries()) await end('completed', one, wallAt + index)
      if (failed) await end('failed', failed, wallAt + 10)
      const ended = await store.uploads.lastEnded(2)
      expect(ended).toMatchObject([{ accountId, bytes: 7 }, { bytes: 40_002 }])
      for (const { startedAt, endedAt } of ended)
        expect((endedAt ?? 0) - (startedAt ?? 0)).toBeGreaterThanOrEqual(2_000)
    })

    it('begins the work of an upload again with each lease', async () => {
      const { store, advance } = engine
      const { upload } = await accountWith(store)
      const { id } = await upload()
      const first = await store.uploads.lease(id, 'first')
      await store.uploads.requeue({ jobId: id, token: 'first' }, { delayMs: 0, error: null, counted: false })
      await advance(1_000)
      const second = await store.uploads.lease(id, 'second')
      expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(1_000)
    })

    it('reads many by their ids, without those that are absent', async () => {
      const { store } = engine
      const { upload } = await accountWith(store)
      const [one, two] = [await upload(), await upload()]
      const found = await store.uploads.many([two.id, 'nobody', one.id])
      expect(found.map(({ id }) => id)).toEqual([two.id, one.id])
    })

    it('goes from namespace to namespace of an account, and from the last to the first', async () => {
      const { upload, namespace, due, namespaceId, advance } = {
        ...(await accountWith(engine.store)),
        advance: engine.advance,
      }
      const [first = '', second = '', third = ''] = [namespaceId, await namespace(), await namespace()].toSorted()
      const inSecond = await upload('a', second)
      await advance(10)
      const inFirst = await upload('b', first)
      await advance(10)
      const later = await upload('c', first)
      expect(await due('short')).toEqual([inFirst.id, later.id, inSecond.id])
      expect(await due('short', first)).toEqual([inSecond.id])
      expect(await due('short', second, 2)).toEqual([inFirst.id, later.id])
      expect(await due('short', third, 1)).toEqual([inFirst.id])
    })

    it('goes from account to account that has due jobs', async () => {
      const { store, advance } = await engine.fresh()
      const accounts = [
        await accountWith(store),
        await accountWith(store),
        await accountWith(store),
        await accountWith(store),
      ]
      const [busy, long, waiting] = accounts
      await busy?.upload()
      await busy?.upload()
      await long?.upload(longText)
      const late = await waiting?.upload()
      const lease = { jobId: late?.id ?? '', token: 'lease' }
      await store.uploads.lease(lease.jobId, lease.token)
      await store.uploads.requeue(lease, { delayMs: 5_000, error: 'away', counted: false })
      const found = async (lane: 'short' | 'long') => {
        const ids: string[] = []
        for (let after: string | undefined = ''; after !== undefined; ) {
          after = await store.uploads.dueAccount(lane, after)
          if (after !== undefined) ids.push(after)
        }
        return ids
      }
      expect([await found('short'), await found('long')]).toEqual([[busy?.accountId], [long?.accountId]])
      await advance(5_100)
      expect(await found('short')).toEqual([busy?.accountId, waiting?.accountId].toSorted())
    })

    it('knows the sizes of files and of batches of their chunks', async () => {
      const { store } = engine
      const { arrived, registerInput, leased, accountId } = await createFileScene(store)
      const small = await arrived('small.txt')
      const large = await arrived('large.csv', 'rows', { object: object('rows', { sizeBytes: 700_000 }) })
      expect(await store.files.dueOf(accountId, 'short', '', 9)).toMatchObject([{ id: small.id, bytes: 7 }])
      expect(await store.files.dueOf(accountId, 'long', '', 9)).toMatchObject([{ id: large.id, bytes: 700_000 }])
      const grown = registerInput('small.txt', 'more', {
        object: object('more', { sizeBytes: 800_000, modifiedAt: wallAt + 1 }),
      })
      await store.files.register(grown)
      expect(await store.files.dueOf(accountId, 'short', '', 9)).toEqual([])
      const { file, lease } = await leased(large)
      const text = 'of forty bytes, and then some more again'
      const drafts = [{ itemId: 'large_chunk_0', kind: 'chunk', body: { text, metadata: '{}' } }] as const
      const version = { id: file.id, version: file.version }
      const what = { lease, uploadId: mint('up'), file: version, drafts, checkpoint: {}, progress: {}, at: wallAt }
      expect(await store.chunks.submit(what)).toBe(true)
      expect(await store.uploads.dueOf(accountId, 'short', '', 9)).toMatchObject([{ id: what.uploadId, bytes: 42 }])
    })

    it('takes deletions by id for short and those of namespaces for long', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { accountId, namespaceId, deleteInput, indexed } = scene
      await indexed(['a'])
      const { deletionId } = deleteInput(['a'])
      await store.deleteItems(deleteInput(['a'], { deletionId }))
      expect(await store.deletions.dueOf(accountId, 'short', '', 9)).toMatchObject([{ id: deletionId, bytes: 100 }])
      const whole = await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
      const space = { key: 'lexical-words-256', dimension: 256 }
      if (whole)
        await store.deletions.insertOfNamespace(whole, { space, correlationId: 'r', traceparent: null, at: wallAt })
      expect(await store.deletions.dueOf(accountId, 'long', '', 9)).toMatchObject([
        { id: whole?.deletionId, bytes: 65_536 },
      ])
    })
  })

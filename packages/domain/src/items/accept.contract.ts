import { expect, it } from 'vitest'
import {
  allOverdueMs,
  createScene,
  documents,
  mint,
  settledAs,
  sweep,
  times,
  wallAt,
} from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { AcceptResult } from './accept.ts'
import type { DeleteItemsResult } from './delete-items.ts'

const wasAccepted = (result: AcceptResult) => result.outcome === 'accepted'
/** The read and all writes of an upload that inserts and overwrites items; steps for rarer cases are left out. */
const steps = [
  'accept: read items',
  'accept: enter account',
  'accept: enter namespace',
  'accept: record',
  'accept: insert items',
  'accept: overwrite items',
  'accept: queue',
  'accept: leave account',
  'accept: leave namespace',
] as const

export const acceptContract = (group: Group) =>
  behaviour('accept', group, (engine) => {
    it('writes items, counts them and queues the job', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const before = await store.now()
      const rejected = [{ id: 'bad', error: 'Text missing', message: 'A document needs a text.' }]
      const input = scene.acceptInput(['b', 'a'], { rejected, traceparent: '00-1-2-01', correlationId: 'request-9' })
      const result = await store.accept(input)
      if (!('job' in result)) throw new Error(result.outcome)
      expect(result).toMatchObject({ outcome: 'accepted', overQuota: [], inserted: 2 })
      expect(result.accepted.toSorted()).toEqual(['a', 'b'])
      expect(result.job).toMatchObject({
        id: input.uploadId,
        kind: 'text',
        accountId: scene.accountId,
        namespaceId: scene.namespaceId,
        state: 'queued',
        waiting: 'fresh',
        lease: null,
        leaseSeq: 0,
        starts: 0,
        attempts: 0,
        lastError: null,
        correlationId: 'request-9',
        traceparent: '00-1-2-01',
        createdAt: wallAt,
        finishedAt: null,
        ids: ['b', 'a'],
        rejected,
        outcomes: [],
        times: {},
      })
      // The job is due at once; its record may be taken over after 30 s.
      expect(result.job.nextAttemptAt - before).toBeGreaterThanOrEqual(0)
      expect(result.job.nextAttemptAt - before).toBeLessThan(5_000)
      expect(result.job.overdueAt - result.job.nextAttemptAt).toBe(30_000)
      expect(await store.uploads.get(input.uploadId)).toEqual(result.job)
      expect(await scene.item('a')).toMatchObject({
        kind: 'document',
        version: input.uploadId,
        status: 'processing',
        body: { text: 'text of a' },
      })
      expect(await scene.namespace()).toMatchObject({ itemCount: 2 })
      await scene.expectExact()
    })

    it('overwrites what is there: created then, updated now, counted once', async () => {
      const scene = await createScene(engine.store)
      await scene.accepted(['a'])
      const input = scene.acceptInput(documents(['a', 'b'], 'new'), { at: wallAt + 500 })
      expect(await engine.store.accept(input)).toMatchObject({ outcome: 'accepted', inserted: 1 })
      expect(await scene.item('a')).toMatchObject({
        version: input.uploadId,
        createdAt: wallAt,
        updatedAt: wallAt + 500,
        body: { text: 'new of a' },
      })
      expect(await scene.item('b')).toMatchObject({ createdAt: wallAt + 500, updatedAt: wallAt + 500 })
      await scene.expectExact()
    })

    it('counts the items of a vector namespace as vectors', async () => {
      const scene = await createScene(engine.store, 'vector')
      await scene.accepted([{ id: 'v', body: { text: '', metadata: '{}', vector: Float32Array.of(1, 2, 3, 4) } }])
      expect(await scene.item('v')).toMatchObject({ kind: 'vector' })
      expect(await scene.account()).toMatchObject({ counts: { documents: 0, vectors: 1 }, held: { vectors: 1 } })
      await scene.expectExact()
    })

    it('takes no more than the limit, whole or not at all', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'], { limit: 2 })
      const [account, namespace] = [await scene.account(), await scene.namespace()]
      const refused = scene.acceptInput(['c', 'd'], { limit: 3 })
      expect(await store.accept(refused)).toEqual({ outcome: 'overLimit', current: 2 })
      expect(await store.uploads.get(refused.uploadId)).toBeUndefined()
      expect(await store.items.count(scene.namespaceId)).toBe(2)
      expect(await scene.account()).toEqual(account)
      expect(await scene.namespace()).toEqual({ ...namespace, countSeq: expect.any(Number) })
      expect(await store.accept(scene.acceptInput(['c'], { limit: 3 }))).toMatchObject({ outcome: 'accepted' })
      await scene.expectExact()
    })

    it('lets an account at or over its limit overwrite, and nothing else', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      expect(await store.accept(scene.acceptInput(['a', 'b'], { limit: 1 }))).toMatchObject({
        outcome: 'accepted',
        inserted: 0,
        overQuota: [],
      })
      expect(await store.accept(scene.acceptInput(['a', 'c'], { limit: 1 }))).toEqual({
        outcome: 'overLimit',
        current: 2,
      })
      await scene.expectExact()
    })

    it('gives room back when items are deleted', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'], { limit: 1 })
      await store.deleteItems(scene.deleteInput(['a']))
      expect(await store.accept(scene.acceptInput(['b'], { limit: 1 }))).toMatchObject({ outcome: 'accepted' })
      expect(await store.accept(scene.acceptInput(['c'], { limit: 1 }))).toEqual({
        outcome: 'overLimit',
        current: 1,
      })
    })

    it('counts documents and vectors of an account apart, over its namespaces together', async () => {
      const { store } = engine
      const [scene, other] = [await createScene(store), await createScene(store)]
      const second = {
        ...(await other.namespace()),
        id: mint('ns'),
        name: mint('name'),
        accountId: scene.accountId,
        limit: null,
      }
      await store.createNamespace(second)
      await scene.accepted(['a'], { limit: 2 })
      await scene.accepted(['a'], { limit: 2, namespaceId: second.id })
      expect(await store.accept(scene.acceptInput(['b'], { limit: 2 }))).toEqual({
        outcome: 'overLimit',
        current: 2,
      })
      await scene.expectExact()
    })

    it('refuses a namespace that is not there or being deleted, and holds nothing for it', async () => {
      const { store } = engine
      const scene = await createScene(store)
      expect(await store.accept(scene.acceptInput(['a'], { namespaceId: 'nowhere' }))).toEqual({
        outcome: 'namespaceGone',
      })
      await scene.expectExact()
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      const input = scene.acceptInput(['a'])
      expect(await store.accept(input)).toEqual({ outcome: 'namespaceGone' })
      expect(await store.uploads.get(input.uploadId)).toBeUndefined()
      expect(await store.items.count(scene.namespaceId)).toBe(0)
      expect(await scene.account()).toMatchObject({ held: { documents: 0 }, reservations: {}, reservationCount: 0 })
      expect(await scene.namespace()).toMatchObject({ open: {}, itemCount: 0 })
    })

    it('needs an account', async () => {
      const scene = await createScene(engine.store)
      await expect(engine.store.accept(scene.acceptInput(['a'], { accountId: 'nobody' }))).rejects.toMatchObject({
        code: 'notFound',
      })
      expect(await engine.store.items.count(scene.namespaceId)).toBe(0)
    })

    it('refuses an upload id that was used, and leaves the items alone', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { id: uploadId } = await scene.accepted(['a'])
      await expect(store.accept(scene.acceptInput(documents(['a', 'b'], 'again'), { uploadId }))).rejects.toMatchObject(
        {
          code: 'conflict',
        },
      )
      expect(await scene.item('a')).toMatchObject({ body: { text: 'text of a' } })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      expect(await store.uploads.get(uploadId)).toMatchObject({ ids: ['a'], state: 'queued' })
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('hands the job to the request that does the work itself', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a'], { leaseToken: 'mine' })
      expect(job).toMatchObject({ state: 'running', lease: { token: 'mine' }, leaseSeq: 1, starts: 1 })
      expect(await store.uploads.lease(job.id, 'other')).toBeUndefined()
      expect(await store.uploads.renew({ jobId: job.id, token: 'mine' })).toBe(true)
      await engine.advance(31_000)
      expect(await store.uploads.lease(job.id, 'other')).toMatchObject({
        leaseSeq: 2,
        starts: 2,
        lease: { token: 'other' },
      })
    })

    it('refuses while entry to the namespace is closed, for 1 s', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      await store.closeEntry(scene.namespaceId)
      const input = scene.acceptInput(['b'])
      await expect(store.accept(input)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      await expect(store.deleteItems(scene.deleteInput(['a']))).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 1,
      })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      expect(await store.uploads.get(input.uploadId)).toBeUndefined()
      await engine.advance(1_100)
      await scene.accepted(['b'])
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('reaches the limit and never passes it under 64 parallel callers', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const calls = times(64, (index) => store.accept(scene.acceptInput([`i${index}`], { limit: 10 })))
      const outcomes = await Promise.all(calls)
      expect(outcomes.filter(wasAccepted)).toHaveLength(10)
      for (const outcome of outcomes)
        if (!wasAccepted(outcome)) expect(outcome).toEqual({ outcome: 'overLimit', current: 10 })
      expect(await store.items.count(scene.namespaceId)).toBe(10)
      await scene.expectExact()
    })

    it('inserts an id once however many send it at once, and the last writer’s version stays', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const inputs = times(16, () => scene.acceptInput(['a'], { limit: 16 }))
      expect(await settledAs(inputs.map(store.accept), wasAccepted)).toBeGreaterThan(0)
      expect(inputs.map(({ uploadId }) => uploadId)).toContain((await scene.item('a'))?.version)
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      await scene.expectExact()
    })

    it('counts exactly after a mix of uploads, overwrites and deletes at once', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const ids = times(12, (index) => `i${index}`)
      const some = (index: number, length: number) =>
        times(length, (offset) => ids[(index * 5 + offset * 7) % ids.length] as string)
      const calls = times<Promise<AcceptResult | DeleteItemsResult>>(40, (index) =>
        index % 3 === 2
          ? store.deleteItems(scene.deleteInput(some(index, 4)))
          : store.accept(scene.acceptInput(some(index, 5), { limit: 12 })),
      )
      const done = await settledAs(calls, ({ outcome }) => outcome !== 'namespaceGone')
      expect(done).toBeGreaterThan(0)
      if (done < calls.length) {
        await engine.advance(allOverdueMs)
        await sweep(scene)
      }
      await scene.expectExact()
    })

    it.each(steps)('holds its places while it is cut off before “%s”, and is put right afterwards', async (step) => {
      const { store } = engine
      const scene = await createScene(store)
      const old = await scene.indexed(['old'])
      const input = scene.acceptInput(documents(['old', 'new', 'newer'], 'cut'))
      await engine.stall(step, (other) => other.accept(input))
      const entered = step !== 'accept: read items' && step !== 'accept: enter account'
      const inNamespace = step !== 'accept: read items' && step !== 'accept: enter namespace'
      const left = step === 'accept: leave namespace'
      // Until the operation is overdue, recovery keeps its entries and no process takes its record over.
      await store.recoverAccount(scene.accountId)
      await store.recoverNamespace(scene.namespaceId, wallAt)
      expect((await scene.account()).reservationCount).toBe(entered && !left ? 1 : 0)
      expect((await scene.namespace()).openCount).toBe(inNamespace ? 1 : 0)
      expect(await store.uploads.takeOver(input.uploadId, wallAt)).toBeUndefined()
      if (entered) expect((await scene.account()).held.documents).toBe(3)
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
      const written = await store.items.get(scene.namespaceId, ['old', 'new', 'newer'])
      const mine = written.filter(({ version }) => version === input.uploadId).map(({ id }) => id)
      const job = await store.uploads.get(input.uploadId)
      if (step !== 'accept: read items' && step !== 'accept: record') {
        expect(job).toMatchObject({ state: mine.length > 0 ? 'queued' : 'failed' })
        expect(job?.ids.toSorted()).toEqual(mine.toSorted())
      } else expect(job).toBeUndefined()
      // Whatever the outcome, the body that was searchable before is still searchable.
      expect((await scene.item('old'))?.indexed?.version).toBe(old)
    })

    it.each([
      ['accept: insert items', 2],
      ['accept: overwrite items', 1],
    ] as const)('keeps what was written when it is cut off in the middle of “%s”', async (step, element) => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['o1', 'o2'])
      const input = scene.acceptInput(documents(['o1', 'n1', 'o2', 'n2', 'n3'], 'cut'))
      await engine.stall(step, (other) => other.accept(input), { element })
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
      expect((await store.uploads.get(input.uploadId))?.ids).toEqual(
        step === 'accept: insert items' ? ['n1', 'n2'] : ['o1', 'n1', 'n2', 'n3'],
      )
    })
  })

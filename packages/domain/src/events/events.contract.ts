import { limits } from '@cairn/contracts/limits'
import { expect, it } from 'vitest'
import { createFileScene } from '../files/file-scene.fixture.ts'
import type { DocumentOutcome, Outcome, Upload } from '../items/record.ts'
import { createScene, documents, mint, type Scene, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { Store } from '../store.ts'
import { readEvents } from './read-events.fixture.ts'

const maxRecords = 10_000

/** Returns every event of the account as `<type> <id> (<reason>)`. */
const eventsOf = async ({ store, accountId }: Pick<Scene, 'store' | 'accountId'>): Promise<string[]> => {
  const records = await readEvents(store, accountId)
  expect(records.map(({ seq }) => seq)).toEqual(times(records.length, (index) => index + 1))
  return records.flatMap(({ groups }) =>
    groups.flatMap(({ type, ids, reason }) => ids.map((id) => `${type} ${id}${reason ? ` (${reason})` : ''}`)),
  )
}

const ended = async (
  store: Store,
  { id: jobId, ids }: Upload,
  outcomes: { readonly [id: string]: Outcome } = {},
  token = mint('lease'),
  at = wallAt + 1,
): Promise<boolean> => {
  await store.uploads.lease(jobId, token)
  const outcomeOf = (id: string): DocumentOutcome => ({ id, outcome: outcomes[id] ?? 'completed' })
  const result = { state: 'completed', outcomes: ids.map(outcomeOf), times: {}, at } as const
  return store.uploads.complete({ jobId, token }, result)
}

const marked = async ({ store, namespaceId }: Scene, { id, ids }: Upload) =>
  store.items.markIndexed(
    namespaceId,
    id,
    ids.map((item) => ({ id: item, passages: 1 })),
  )

export const eventsContract = (group: Group) =>
  behaviour('events', group, (engine) => {
    it('records for each document of an upload that it was accepted and how it ended', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a', 'b', 'c', 'd'])
      await marked(scene, job)
      await store.items.markFailed(scene.namespaceId, job.id, [{ id: 'b', reason: 'embedding_refused' }])
      expect(await eventsOf(scene)).toEqual(['a', 'b', 'c', 'd'].map((id) => `document.accepted ${id}`))
      expect(await ended(store, job, { b: 'failed', c: 'superseded', d: 'deleted' })).toBe(true)
      expect((await eventsOf(scene)).slice(4)).toEqual([
        'document.searchable a',
        'document.failed b',
        'document.superseded c (overwritten)',
        'document.superseded d (deleted)',
      ])
      const [first, last] = await readEvents(store, scene.accountId)
      const { accountId, namespaceId } = scene
      expect(first).toMatchObject({ accountId, namespaceId, jobId: job.id, at: wallAt, seq: 1 })
      expect(last).toMatchObject({ accountId, namespaceId, jobId: job.id, at: wallAt + 1, seq: 2 })
    })

    it('records that documents over the quota failed', async () => {
      const scene = await createScene(engine.store)
      await scene.accepted(['a', 'b'], { limit: 2 })
      const replaced = await engine.store.deleteItems(scene.deleteInput(['a']))
      expect(replaced.outcome).toBe('deleted')
      const goOn = await engine.stall('accept: enter account', (other) =>
        other.accept(scene.acceptInput(['b', 'c'], { limit: 2 })),
      )
      await engine.store.deleteItems(scene.deleteInput(['b']))
      await scene.accepted(['d'], { limit: 2 })
      expect(await goOn()).toMatchObject({ outcome: 'accepted', accepted: ['c'], overQuota: ['b'] })
      expect((await eventsOf(scene)).slice(-2)).toEqual(['document.accepted c', 'document.failed b (quota_exceeded)'])
    })

    it('numbers the events of many requests at once without a gap', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const jobs = await Promise.all(times(16, (index) => scene.accepted([`d${index}`])))
      await Promise.all(
        jobs.map(async (job) => {
          await marked(scene, job)
          expect(await ended(store, job)).toBe(true)
        }),
      )
      const all = await eventsOf(scene)
      expect(all).toHaveLength(32)
      for (const [index] of jobs.entries())
        expect(all.filter((one) => one.endsWith(` d${index}`))).toEqual([
          `document.accepted d${index}`,
          `document.searchable d${index}`,
        ])
      expect(await store.events.bounds(scene.accountId)).toEqual({ first: 1, last: 32 })
    })

    it('records one event when two workers end a job', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a'])
      await marked(scene, job)
      await engine.stall('uploads: finish', (other) => ended(other, job))
      await engine.advance(31_000)
      expect(await ended(store, job)).toBe(true)
      expect(await eventsOf(scene)).toEqual(['document.accepted a', 'document.searchable a'])
    })

    it('records the event of a request that died before it did', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = scene.acceptInput(['a'])
      await engine.stall('record event', (other) => other.accept(input))
      expect(await eventsOf(scene)).toEqual([])
      const job = (await store.uploads.get(input.uploadId)) as Upload
      await marked(scene, job)
      expect(await ended(store, job)).toBe(true)
      expect(await eventsOf(scene)).toEqual(['document.accepted a', 'document.searchable a'])
    })

    it('does not record that a document is searchable after its deletion', async () => {
      const { store } = engine
      const ends = ['document.searchable b', 'document.superseded a (deleted)']
      for (const [step, expected] of [
        ['events: draw', ['document.deleted a', ...ends]],
        ['record event: read items', [...ends, 'document.deleted a']],
        ['record event', ['document.searchable a', 'document.searchable b', 'document.deleted a']],
      ] as const) {
        const scene = await createScene(store)
        const job = await scene.accepted(['a', 'b'])
        await marked(scene, job)
        const goOn = await engine.stall(step, (other) => ended(other, job))
        await store.deleteItems(scene.deleteInput(['a']))
        expect(await goOn()).toBe(true)
        expect({ step, events: (await eventsOf(scene)).slice(2) }).toEqual({ step, events: expected })
      }
    })

    it('stops readers before a number whose record may still come, and lets others record meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { accountId, namespaceId } = scene
      await scene.accepted(['a'])
      const goOn = await engine.stall('record event', (other) => other.accept(scene.acceptInput(['b'])))
      for (const page of [{ limit: maxRecords }, { limit: maxRecords, namespaceId }])
        expect(await store.events.after(accountId, 1, page)).toEqual({ records: [], last: 1, next: 'nothing' })
      await scene.accepted(['c'])
      for (const page of [{ limit: maxRecords }, { limit: maxRecords, namespaceId }]) {
        expect(await store.events.after(accountId, 0, page)).toMatchObject({
          records: [{ seq: 1 }],
          last: 1,
          next: 'missing',
        })
        expect(await store.events.after(accountId, 1, page)).toEqual({ records: [], last: 1, next: 'missing' })
      }
      await goOn()
      for (const page of [{ limit: maxRecords }, { limit: maxRecords, namespaceId }])
        expect(await store.events.after(accountId, 1, page)).toMatchObject({
          records: [{ seq: 2, groups: [{ ids: ['b'] }] }, { seq: 3 }],
          last: 3,
          next: 'nothing',
        })
    })

    it('reads page by page, of a namespace past the events of others', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { accountId, namespaceId } = scene
      for (const id of ['a', 'b', 'c']) await scene.accepted([id])
      expect(await store.events.after(accountId, 0, { limit: 2 })).toMatchObject({ last: 2, next: 'more' })
      expect(await store.events.after(accountId, 0, { limit: 3 })).toMatchObject({ last: 3, next: 'more' })
      expect(await store.events.after(accountId, 0, { limit: 4 })).toMatchObject({ last: 3, next: 'nothing' })
      expect(await store.events.after(accountId, 0, { limit: 2, namespaceId })).toMatchObject({
        last: 2,
        next: 'more',
      })
      expect(await store.events.after(accountId, 0, { limit: 2, namespaceId: 'ns_other' })).toEqual({
        records: [],
        last: 3,
        next: 'nothing',
      })
    })

    it('records again, by the state at that time, when a reader has closed the number', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a', 'b'])
      await marked(scene, job)
      const goOn = await engine.stall('record event', (other) => ended(other, job))
      await store.deleteItems(scene.deleteInput(['a']))
      const all = ['document.accepted a', 'document.accepted b', 'document.deleted a']
      expect(await eventsOf(scene)).toEqual(all)
      expect(await goOn()).toBe(true)
      expect(await eventsOf(scene)).toEqual([...all, 'document.searchable b', 'document.superseded a (deleted)'])
    })

    it('closes only what is missing below a record', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { accountId } = scene
      const first = await engine.stall('record event', (other) => other.accept(scene.acceptInput(['a'])))
      await scene.accepted(['b'])
      await store.events.close(accountId, 2, 9)
      const third = await engine.stall('record event', (other) => other.accept(scene.acceptInput(['c'])))
      await store.events.close(accountId, 2, 9)
      await first()
      await third()
      const records = await readEvents(store, accountId)
      expect(records.map(({ groups }) => groups[0]?.ids)).toEqual([['a'], ['b'], ['c']])
    })

    it('leaves no number missing that was drawn for an event another process recorded', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a'])
      await marked(scene, job)
      const goOn = await engine.stall('record event', (other) => ended(other, job))
      await engine.advance(31_000)
      expect(await ended(store, job)).toBe(true)
      expect(await goOn()).toBe(false)
      expect(await store.events.after(scene.accountId, 0, { limit: maxRecords })).toMatchObject({
        records: [{ seq: 1 }, { seq: 2, groups: [] }, { seq: 3, groups: [{ type: 'document.searchable' }] }],
        next: 'nothing',
      })
    })

    it('records documents that an upload completed as searchable, although they were overwritten since', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a'])
      await marked(scene, job)
      const newer = await scene.accepted(documents(['a'], 'newer'))
      expect(await ended(store, job)).toBe(true)
      await marked(scene, newer)
      expect(await ended(store, newer)).toBe(true)
      const records = await readEvents(store, scene.accountId)
      expect(records.map(({ jobId, groups }) => [jobId, groups[0]?.type])).toEqual([
        [job.id, 'document.accepted'],
        [newer.id, 'document.accepted'],
        [job.id, 'document.searchable'],
        [newer.id, 'document.searchable'],
      ])
    })

    it('records only what a reopened upload ends beyond the events it has', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a', 'b'])
      await store.items.markIndexed(scene.namespaceId, job.id, [{ id: 'a', passages: 1 }])
      const lease = { jobId: job.id, token: mint('lease') }
      await store.uploads.lease(job.id, lease.token)
      const outcomes = [{ id: 'a', outcome: 'completed' } as const]
      await store.uploads.complete(lease, { state: 'completed', outcomes, times: {}, at: wallAt })
      await store.uploads.reopen({ after: wallAt - 1, before: wallAt + 1, limit: maxRecords })
      await marked(scene, job)
      expect(await ended(store, job)).toBe(true)
      expect((await eventsOf(scene)).slice(2)).toEqual(['document.searchable a', 'document.searchable b'])
    })

    it('records as accepted a document that was written after its upload was taken over and ended', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.indexed(['b'])
      const before = (await eventsOf(scene)).length
      const input = scene.acceptInput(documents(['a', 'b'], 'again'))
      const goOn = await engine.stall('accept: overwrite items', (other) => other.accept(input))
      await engine.advance(31_000)
      const takenOver = (await store.uploads.takeOver(input.uploadId, wallAt)) as Upload
      expect(takenOver.ids).toEqual(['a'])
      await marked(scene, takenOver)
      expect(await ended(store, takenOver)).toBe(true)
      await goOn().catch(() => undefined)
      await store.uploads.reopen({ after: wallAt - 1, before: wallAt + 1, limit: maxRecords })
      const reopened = { ...takenOver, ids: ['a', 'b'] }
      await marked(scene, reopened)
      expect(await ended(store, reopened)).toBe(true)
      expect((await eventsOf(scene)).slice(before)).toEqual([
        'document.accepted a',
        'document.searchable a',
        'document.accepted b',
        'document.searchable b',
      ])
    })

    it('records events of vectors, and of their deletion', async () => {
      const { store } = engine
      const scene = await createScene(store, 'vector')
      const job = await scene.accepted(
        ['v'].map((id) => ({ id, body: { text: '', metadata: '{}', vector: new Float32Array(4) } })),
      )
      await marked(scene, job)
      await ended(store, job)
      await store.deleteItems(scene.deleteInput(['v', 'absent']))
      expect(await eventsOf(scene)).toEqual(['vector.accepted v', 'vector.searchable v', 'vector.deleted v'])
    })

    it('records the deletion of documents once, also for a request that died before it did', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.indexed(['a', 'b'])
      const [one, other] = [scene.deleteInput(['a']), scene.deleteInput(['b'])]
      await store.deleteItems(one)
      await engine.stall('record event', (dying) => dying.deleteItems(other))
      for (const { deletionId } of [one, other]) await store.deletions.removeMarked(deletionId)
      expect((await eventsOf(scene)).slice(2)).toEqual(['document.deleted a', 'document.deleted b'])
    })

    it('does not record the deletion of a document after the event that it was uploaded again', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.indexed(['a', 'b'])
      const goOn = await engine.stall('events: draw', (other) => other.deleteItems(scene.deleteInput(['a', 'b'])))
      await scene.accepted(['a'])
      expect(await goOn()).toMatchObject({ outcome: 'deleted', deleted: ['a', 'b'] })
      expect((await eventsOf(scene)).slice(2)).toEqual(['document.accepted a', 'document.deleted b'])
    })

    it('does not record the deletion of a file after the event that it was uploaded again', async () => {
      const { store } = engine
      const scene = await createFileScene(store)
      await scene.published('a.txt', 1)
      const goOn = await engine.stall('events: draw', (other) => other.deleteFile(scene.deleteFileInput('a.txt')))
      await scene.arrived('a.txt', 'other content')
      await goOn()
      expect((await eventsOf(scene)).slice(-2)).toEqual(['file.searchable a.txt', 'file.accepted a.txt'])
    })

    it('records how many notes a searchable file has, and their codes', async () => {
      const { store } = engine
      const scene = await createFileScene(store)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      const notes = ['value_cut', 'truncated', 'value_cut'].map((code, row) => ({
        code,
        message: `Row ${row}.`,
        at: { rows: { from: row, to: row } },
      }))
      const set = { notes }
      expect(await store.files.recordProgress(lease, { version: file.version, set, at: wallAt })).toBe(true)
      expect((await scene.read('a.txt')).notes).toEqual(notes)
      await scene.publish(file, lease, 1)
      await store.files.complete(lease, { times: {}, at: wallAt })
      expect((await readEvents(store, scene.accountId)).at(-1)?.groups).toEqual([
        { type: 'file.searchable', ids: ['a.txt'], notes: { count: 3, codes: ['value_cut', 'truncated'] } },
      ])
    })

    it('records the events of a file once, however often it is processed', async () => {
      const { store } = engine
      const scene = await createFileScene(store)
      await scene.published('a.txt', 2)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other content'))
      const note = {
        version: file.version,
        set: { stage: 'reading', progress: { page: 1, pages: 2 } },
        at: wallAt,
      } as const
      for (let time = 0; time < 2; time += 1) expect(await store.files.recordProgress(lease, note)).toBe(true)
      const why = { version: file.version, reason: 'no_text', message: 'No text.', at: wallAt }
      expect(await store.files.fail(lease, why)).toBe(true)
      expect(await store.files.complete(lease, { times: {}, at: wallAt })).toBe(true)
      expect(await eventsOf(scene)).toEqual([
        'file.accepted a.txt',
        'file.progress a.txt',
        'file.searchable a.txt',
        'file.accepted a.txt',
        'file.progress a.txt',
        'file.failed a.txt (no_text)',
      ])
      const [progress] = (await readEvents(store, scene.accountId))[4]?.groups ?? []
      expect(progress).toEqual({
        type: 'file.progress',
        ids: ['a.txt'],
        stage: 'reading',
        progress: { page: 1, pages: 2 },
      })
    })

    it('removes the content of the events of a namespace, and numbers on', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const job = await scene.accepted(['a'])
      await marked(scene, job)
      await ended(store, job)
      const { accountId, namespaceId } = scene
      expect((await store.events.after(accountId, 0, { namespaceId, limit: maxRecords })).records).toHaveLength(2)
      expect(await store.events.countOfNamespace(namespaceId)).toBe(2)
      expect(await store.events.removeOfNamespace(namespaceId, 1)).toBe(1)
      expect(await store.events.removeOfNamespace(namespaceId, maxRecords)).toBe(1)
      expect(await store.events.removeOfNamespace(namespaceId, maxRecords)).toBe(0)
      expect(await store.events.countOfNamespace(namespaceId)).toBe(0)
      expect(await eventsOf(scene)).toEqual([])
      await scene.accepted(['b'])
      expect(await store.events.bounds(accountId)).toEqual({ first: 1, last: 3 })
      expect(await store.events.after(accountId, 2, { limit: maxRecords })).toMatchObject({
        records: [{ seq: 3, groups: [{ type: 'document.accepted', ids: ['b'] }] }],
        last: 3,
        next: 'nothing',
      })
    })

    it('removes no event before one that is recorded earlier, whatever the clocks of processes are', async () => {
      const { store } = await engine.fresh()
      const scene = await createScene(store)
      for (const [id, at] of [
        ['a', 1_000],
        ['b', 0],
        ['c', 1_000],
      ] as const)
        await scene.accepted([id], { at: wallAt + at })
      expect(await store.events.prune(wallAt + 1, maxRecords)).toBe(0)
      expect((await eventsOf(scene)).map((one) => one.at(-1))).toEqual(['a', 'b', 'c'])
      const records = await readEvents(store, scene.accountId)
      expect(records.map(({ at }) => at - wallAt)).toEqual([1_000, 1_000, 1_000])
    })

    it('does not record again that an upload was accepted when that event has expired', async () => {
      const { store } = await engine.fresh()
      const scene = await createScene(store)
      const [job, late] = [await scene.accepted(['a']), await scene.accepted(['b'])]
      for (const one of [job, late]) await marked(scene, one)
      const end = wallAt + limits.eventRetentionMs
      expect(await ended(store, job, {}, mint('lease'), end - 1)).toBe(true)
      expect(await store.events.prune(wallAt + 1, maxRecords)).toBe(2)
      expect(await ended(store, late, {}, mint('lease'), end)).toBe(true)
      const { records } = await store.events.after(scene.accountId, 2, { limit: maxRecords })
      expect(records.map(({ seq, groups }) => [seq, groups[0]?.type, groups[0]?.ids])).toEqual([
        [3, 'document.searchable', ['a']],
        [4, 'document.searchable', ['b']],
      ])
    })

    it('records that a file was accepted before the progress of reading it', async () => {
      const { store } = engine
      const scene = await createFileScene(store)
      await engine.stall('record event', (other) => other.files.register(scene.registerInput('a.txt', 'content')))
      expect(await eventsOf(scene)).toEqual([])
      const { file, lease } = await scene.leased(await scene.read('a.txt'))
      const note = { version: file.version, set: { stage: 'reading' }, at: wallAt } as const
      expect(await store.files.recordProgress(lease, note)).toBe(true)
      expect(await eventsOf(scene)).toEqual(['file.accepted a.txt', 'file.progress a.txt'])
    })

    it('removes old events, and numbers on after all of an account are old', async () => {
      const { store } = await engine.fresh()
      const [one, other] = [await createScene(store), await createScene(store)]
      await one.accepted(['a'])
      await one.accepted(['b'])
      await one.accepted(['c'], { at: wallAt + 1_000 })
      await other.accepted(['d'])
      const prune = async (before: number) => {
        let pruned = 0
        for (let some = -1; some !== 0; pruned += some) some = await store.events.prune(before, 2)
        return pruned
      }
      expect(await prune(wallAt)).toBe(0)
      expect(await prune(wallAt + 1)).toBe(3)
      expect(await store.events.bounds(one.accountId)).toEqual({ first: 3, last: 3 })
      expect(await store.events.bounds(other.accountId)).toEqual({ first: 2, last: 1 })
      expect(await prune(wallAt + 1_001)).toBe(1)
      await one.accepted(['e'])
      expect(await store.events.bounds(one.accountId)).toEqual({ first: 4, last: 4 })
      expect(await store.events.bounds(mint('acc'))).toBeUndefined()
    })
  })

import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Deletion } from '@cairn/domain/items/record'
import { allSpacesOf } from '@cairn/domain/namespaces/embedding-space'
import {
  createScene,
  mint,
  namespaceInput,
  newEvaluation,
  newReindex,
  times,
  wallAt,
} from '@cairn/domain/protocol/scene.fixture'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { plainRun, type StepVerdict } from '@cairn/testing/plain-run'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { recheckNamespace, removeNamespace } from './remove-namespace.ts'

const space = { key: 'lexical-words-256', dimension: 2 }
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const setUp = async () => {
  const vectors = vectorsOfFile()
  const { clock, pass } = createManualClock(wallAt)
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: clock.monotonic })
  const scene = await createScene(store)
  const { namespaceId } = scene
  const deps = { store, vectors, files: memoryFiles(), clock }
  const write = (version: string, ids: readonly string[], into = namespaceId) =>
    vectors.upsert(
      space,
      ids.map((itemId) => ({
        namespaceId: into,
        itemId,
        version,
        passage: 0,
        vector: Float32Array.of(1, 1),
        terms: [],
        words: [],
      })),
    )
  const index = async (ids: readonly string[]) => write(await scene.indexed(ids), ids)
  /**
   * Begins the deletion of the namespace as the delete request does: marks the namespace and records the deletion. Then
   * takes the lease.
   */
  const begun = async (): Promise<Deletion> => {
    const id = mint('del')
    const namespace = await store.beginNamespaceDeletion(namespaceId, id, wallAt)
    if (!namespace) throw new Error('it was not active')
    await store.deletions.insertOfNamespace(namespace, { space, correlationId: 'c', traceparent: null, at: wallAt })
    return leased(id)
  }
  const leased = async (id: string) => {
    const job = await store.deletions.lease(id, mint('lease'))
    if (!job) throw new Error(`no lease on ${id}`)
    return job
  }
  const left = async (of = namespaceId) => ({
    points: await vectors.count(space, of),
    items: await store.items.count(of),
    uploads: await store.uploads.countOfNamespace(of),
    deletions: await store.deletions.countOfNamespace(of),
    evaluations: await store.evaluations.countOfNamespace(of),
  })
  const job = async (id: string) => (await store.deletions.get(id)) as Deletion
  return { ...scene, deps, data, clock, pass, write, index, begun, leased, left, job }
}

const nothing = { points: 0, items: 0, uploads: 0, deletions: 0, evaluations: 0 }

it('removes what belongs to the namespace from every store, then frees its name', async () => {
  const { deps, store, accountId, namespaceId, name, index, begun, left, job, account, ...scene } = await setUp()
  const { deleteInput, write, expectExact } = scene
  const neighbour = namespaceInput(accountId)
  await store.createNamespace(neighbour)
  await write('theirs', ['x'], neighbour.id)
  await index(times(100, (number) => `d${number}`))
  await index(['a', 'b'])
  await store.deleteItems(deleteInput(['a']))
  for (const id of [namespaceId, neighbour.id]) await store.evaluations.insert(newEvaluation(id))
  const run = plainRun(await begun())
  expect(await removeNamespace(deps)(run)).toBeUndefined()
  expect(await left()).toEqual(nothing)
  expect(await left(neighbour.id)).toEqual({ ...nothing, points: 1, evaluations: 1 })
  expect(await store.namespaces.byName(accountId, name)).toBeUndefined()
  expect((await account()).counts).toEqual({ documents: 0, vectors: 0, namespaces: 1 })
  expect(await job(run.job.id)).toMatchObject({
    state: 'rechecking',
    removed: { points: 102, items: 102, uploads: 2, deletions: 1, evaluations: 1 },
  })
  await expectExact()
  expect(await store.createNamespace(namespaceInput(accountId, 'text', name))).toBe('created')
})

it('removes points from all spaces that the namespace has had, also when they come after its record is gone', async () => {
  const { deps, pass, store, namespaceId, namespace, index, leased, left } = await setUp()
  await index(['a'])
  const second = { key: 'openai-other-64', dimension: 64 }
  const former = { key: 'openai-former-64', dimension: 64 }
  const fill = async () => {
    for (const one of [second, former])
      await deps.vectors.upsert(one, [
        {
          namespaceId,
          itemId: 'a',
          version: 'v',
          passage: 0,
          vector: new Float32Array(64).fill(1),
          terms: [],
          words: [],
        },
      ])
  }
  const counts = () => Promise.all([second, former].map((one) => deps.vectors.count(one, namespaceId)))
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  const ended = newReindex({ phase: 'removing', embedding: { provider: 'openai', model: 'former', dimension: 64 } })
  await store.namespaces.beginReindex(namespaceId, embedding, ended)
  await store.namespaces.endReindex(namespaceId, ended.id)
  await store.namespaces.beginReindex(namespaceId, embedding, newReindex())
  await fill()
  const id = mint('del')
  const begun = await store.beginNamespaceDeletion(namespaceId, id, wallAt)
  if (!begun) throw new Error('it was not active')
  const otherSpaces = allSpacesOf(begun).slice(1)
  expect(otherSpaces).toEqual([second, former])
  await store.deletions.insertOfNamespace(begun, {
    space,
    otherSpaces,
    correlationId: 'c',
    traceparent: null,
    at: wallAt,
  })
  expect(await removeNamespace(deps)(plainRun(await leased(id)))).toBeUndefined()
  expect([await left(), await counts()]).toEqual([nothing, [0, 0]])
  expect(await store.namespaces.get(namespaceId)).toBeUndefined()
  await fill()
  pass(60_000)
  expect(await recheckNamespace(deps)(plainRun(await leased(id)))).toBeUndefined()
  expect(await counts()).toEqual([0, 0])
})

it('frees the name at once although an address is still good, and removes what comes late without touching the heir of the name', async () => {
  const { deps, pass, store, accountId, namespaceId, name, index, begun, leased, job, expectExact } = await setUp()
  await index(['a', 'b'])
  const put = (key: string) => deps.files.put(key, Buffer.from('late'), { contentType: 'text/plain' })
  const grant = { contentType: 'text/plain', uploadId: null, correlationId: 'c', traceparent: null, createdAt: wallAt }
  const expiresAt = wallAt + 900_000
  const keyOf = (id: string, file: string) => objectKey(deps.files, { id, accountId, name }, file)
  const late = keyOf(namespaceId, 'late.txt')
  await store.grants.open({ ...grant, namespaceId, accountId, name: 'late.txt', key: late, expiresAt })
  const run = plainRun(await begun())
  expect(await removeNamespace(deps)(run)).toBeUndefined()
  expect(await job(run.job.id)).toMatchObject({
    state: 'rechecking',
    removed: { points: 2, items: 2, grants: 1, uploads: 1 },
  })
  const heir = namespaceInput(accountId, 'text', name)
  expect(await store.createNamespace(heir)).toBe('created')
  await store.grants.open({
    ...grant,
    namespaceId: heir.id,
    accountId,
    name: 'late.txt',
    key: keyOf(heir.id, 'late.txt'),
    expiresAt,
  })
  await put(late)
  await put(keyOf(heir.id, 'late.txt'))
  pass(60_000)
  expect(await recheckNamespace(deps)(plainRun(await leased(run.job.id)))).toBeUndefined()
  expect(await deps.files.head(late)).toBeUndefined()
  expect(await deps.files.head(keyOf(heir.id, 'late.txt'))).toBeDefined()
  await expectExact()
})

it('waits for requests that had entered before, and not for dead ones', async () => {
  const { deps, data, clock, pass, store, namespaceId, acceptInput, begun, leased, job, left } = await setUp()
  const dying = stepwiseStore({
    data,
    now: clock.monotonic,
    turn: (step) => {
      if (step === 'accept: insert items') throw new AppError('unavailable', 'died')
    },
  })
  const dead = acceptInput(['a'])
  await expect(dying.accept(dead)).rejects.toThrow('died')
  const run = plainRun(await begun())
  expect(await removeNamespace(deps)(run)).toEqual({ againMs: 500, because: 'requests in flight' })
  await store.deletions.requeue(run.lease, { delayMs: 500, error: null, counted: false })
  pass(60_000)
  await store.uploads.takeOver(dead.uploadId, wallAt)
  await store.recoverNamespace(namespaceId, wallAt)
  const again = plainRun(await leased(run.job.id))
  expect(await removeNamespace(deps)(again)).toBeUndefined()
  expect((await job(run.job.id)).state).toBe('rechecking')
  expect(await left()).toEqual(nothing)
})

it('waits for what a dead request has changed to be counted, and gives all of it back', async () => {
  const { deps, data, clock, pass, store, namespaceId, acceptInput, begun, leased, expectExact } = await setUp()
  const dying = stepwiseStore({
    data,
    now: clock.monotonic,
    turn: (step) => {
      if (step === 'accept: leave account') throw new AppError('unavailable', 'died')
    },
  })
  await expect(dying.accept(acceptInput(['a', 'b']))).rejects.toThrow('died')
  const run = plainRun(await begun())
  expect(await removeNamespace(deps)(run)).toEqual({ againMs: 500, because: 'requests in flight' })
  pass(60_000)
  await store.recoverNamespace(namespaceId, wallAt)
  expect(await removeNamespace(deps)(plainRun(await leased(run.job.id)))).toBeUndefined()
  await expectExact()
})

it('looks four times for what a late writer has left, then forgets', async () => {
  const { deps, pass, store, index, begun, leased, left, job, write, namespaceId, account } = await setUp()
  await index(['a'])
  const { id } = await begun()
  await removeNamespace(deps)(plainRun(await job(id)))
  expect(await store.deletions.lease(id, 'too early')).toBeUndefined()
  for (const [number, afterMs] of [60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000].entries()) {
    expect(Object.keys((await account()).noted)).toEqual([id])
    await write('of a zombie', [`z${number}`])
    pass(afterMs - 1)
    expect(await store.deletions.lease(id, 'too early')).toBeUndefined()
    pass(1)
    expect(await recheckNamespace(deps)(plainRun(await leased(id)))).toBeUndefined()
    expect(await left()).toEqual(nothing)
  }
  expect(await job(id)).toMatchObject({ state: 'completed', rechecks: 4, removed: { points: 5 } })
  expect((await account()).noted).toEqual({})
  expect(await store.items.count(namespaceId)).toBe(0)
})

it('releases its slot when records are added during the removal', async () => {
  const { deps, begun, write } = await setUp()
  let late = 0
  const vectors = {
    ...deps.vectors,
    removeNamespace: async (...of: Parameters<typeof deps.vectors.removeNamespace>) => {
      const removed = await deps.vectors.removeNamespace(...of)
      if (removed === 0) await write('of a zombie', [`z${late++}`])
      return removed
    },
  }
  expect(await removeNamespace({ ...deps, vectors })(plainRun(await begun()))).toEqual({
    againMs: 1_000,
    because: 'records were added during the removal',
  })
  expect(late).toBe(20)
})

it.each<[StepVerdict]>([['die before'], ['die after']])(
  'gives back what the account held exactly once, whatever step a worker died at (%s)',
  async (verdict) => {
    for (let step = 1, over = false; !over; step += 1) {
      const { deps, pass, store, accountId, name, index, begun, leased, left, job, account } = await setUp()
      await index(['a', 'b', 'c'])
      const { id } = await begun()
      over = await removeNamespace(deps)(
        plainRun(await job(id), (number) => (number === step ? verdict : 'go on')),
      ).then(
        () => true,
        () => false,
      )
      if ((await job(id)).state !== 'rechecking') {
        pass(30_000)
        expect(await removeNamespace(deps)(plainRun(await leased(id)))).toBeUndefined()
      }
      expect(await left(), `step ${step}`).toEqual(nothing)
      expect(await store.namespaces.byName(accountId, name)).toBeUndefined()
      expect(await account(), `step ${step}`).toMatchObject({
        counts: { documents: 0, vectors: 0, namespaces: 0 },
        held: { documents: 0, vectors: 0, namespaces: 0 },
      })
      if (over) expect(step).toBeGreaterThan(12)
      expect(step).toBeLessThan(30)
    }
  },
)

it('aborts the uploads in parts that grants of the namespace name, and looks for no others', async () => {
  const { deps, begun, store, namespaceId, accountId } = await setUp()
  const other = await createScene(store)
  const grant = (name: string, uploadId: string | null, of = namespaceId) => ({
    namespaceId: of,
    accountId,
    name,
    key: `key of ${name}`,
    contentType: 'text/plain',
    expiresAt: wallAt - 3_600_000,
    uploadId,
    correlationId: 'c',
    traceparent: null,
    createdAt: wallAt,
  })
  for (const number of times(600, (n) => n)) await store.grants.open(grant(`part-${number}`, `upload-${number}`))
  await store.grants.open(grant('whole', null))
  await store.grants.open(grant('theirs', 'upload of theirs', other.namespaceId))
  const aborted: string[] = []
  const files = {
    ...memoryFiles(),
    abortMultipart: async (key: string, uploadId: string) => void aborted.push(`${key} ${uploadId}`),
    openMultiparts: () => expect.unreachable('the whole bucket is not listed'),
  }
  expect(await removeNamespace({ ...deps, files })(plainRun(await begun()))).toBeUndefined()
  expect(aborted.toSorted()).toEqual(times(600, (number) => `key of part-${number} upload-${number}`).toSorted())
  expect(await store.grants.countOfNamespace(other.namespaceId)).toBe(1)
})

import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { localFileStore } from '@cairn/adapters/file-store/local'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { FileStore } from '@cairn/domain/ports/file-store'
import { mint, namespaceInput, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it, onTestFinished } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.fixture.ts'
import { sweepOrphans } from './sweep-orphans.ts'

const base = forFile((directory) => ({ directory, close: async () => {} }))
const hour = 3_600_000
const day = 24 * hour
const never = new AbortController().signal

/** Creates an installation with its own database, on an object store that other installations may share. */
const installation = async (files: FileStore, clock: ReturnType<typeof createManualClock>['clock']) => {
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: clock.monotonic })
  const scene = await createFileScene(store)
  const observed: unknown[] = []
  const log = createLogger({ level: 'silent', name: 'test' })
  const observe = (found: unknown) => void observed.push(found)
  const deps = { store, files, clock, log, ids: { next: mint }, orphanMs: 7 * day, observe }
  const namespace = { id: scene.namespaceId, accountId: scene.accountId, name: scene.name }
  const keyOf = (name: string, of = namespace) => objectKey(files, of, name)
  const put = (key: string) => files.put(key, Buffer.from('text'), { contentType: 'text/plain' })
  /** Creates a file with its record and its object. */
  const bring = async (name: string) => {
    await put(keyOf(name))
    await store.files.register({ ...scene.registerInput(name, 'content'), key: keyOf(name) })
  }
  const orphans = async () => (await store.orphans.page({ limit: 100 })).map(({ key }) => key)
  return {
    ...scene,
    data,
    store,
    deps,
    namespace,
    keyOf,
    put,
    bring,
    orphans,
    observed,
    sweep: () => sweepOrphans(deps)(never),
  }
}

const setUp = async () => {
  const { clock, pass } = createManualClock(wallAt)
  const files = memoryFiles(clock.now)
  const isThere = async (key: string) => (await files.head(key)) !== undefined
  return { clock, pass, files, isThere, ...(await installation(files, clock)) }
}

it('records orphans, and removes those found again a week later', async () => {
  const { bring, put, keyOf, pass, sweep, isThere, orphans, observed, namespace } = await setUp()
  await bring('known.txt')
  await put(keyOf('unknown.txt'))
  await put(keyOf('a.txt', { ...namespace, id: 'ns_nobody' }))
  expect(await sweep()).toEqual({ objects: 3, removed: 0, orphans: 0 })
  pass(hour)
  expect(await sweep()).toEqual({ objects: 3, removed: 0, orphans: 2 })
  expect(await orphans()).toEqual([keyOf('unknown.txt'), keyOf('a.txt', { ...namespace, id: 'ns_nobody' })].toSorted())
  expect(observed.at(-1)).toEqual({ objects: 2, bytes: 8 })
  pass(7 * day - 1)
  expect(await sweep()).toMatchObject({ removed: 0, orphans: 2 })
  pass(1)
  // At most one object in a hundred is removed, but at least one.
  expect(await sweep()).toMatchObject({ removed: 1, orphans: 2 })
  expect(await sweep()).toMatchObject({ removed: 1, orphans: 1 })
  pass(hour)
  expect(await sweep()).toEqual({ objects: 1, removed: 0, orphans: 0 })
  expect(await orphans()).toEqual([])
  expect(await isThere(keyOf('known.txt'))).toBe(true)
})

it('removes at once approved orphans, and those of a deleted namespace', async () => {
  const { put, keyOf, pass, sweep, store, isThere, accountId, deleteInput } = await setUp()
  const keys = times(20, (index) => keyOf(`${index}.txt`))
  for (const key of keys) await put(key)
  const gone = namespaceInput(accountId)
  await store.createNamespace(gone)
  const late = keyOf('late.txt', gone)
  await put(late)
  const deletionId = mint('del')
  const going = await store.beginNamespaceDeletion(gone.id, deletionId, wallAt)
  if (!going) throw new Error('not there')
  pass(hour)
  expect(await sweep()).toMatchObject({ removed: 0, orphans: 20 })
  await store.deletions.insertOfNamespace(going, {
    space: deleteInput([]).space,
    correlationId: '',
    traceparent: null,
    at: wallAt,
  })
  await store.deletions.lease(deletionId, 'mine')
  await store.deletions.releaseNamespace({ jobId: deletionId, token: 'mine' }, { removed: {}, at: wallAt })
  expect(await sweep()).toMatchObject({ removed: 1, orphans: 20 })
  expect(await isThere(late)).toBe(false)
  for (const key of keys.slice(0, 15)) await store.orphans.approve(key)
  expect(await sweep()).toMatchObject({ removed: 15, orphans: 20 })
  expect(await sweep()).toMatchObject({ objects: 5, removed: 0, orphans: 5 })
})

it('does not change objects of another installation under the same prefix', async () => {
  const { clock, pass, files, bring, sweep, isThere, keyOf } = await setUp()
  await bring('a.txt')
  await sweep()
  const second = await installation(files, clock)
  pass(30 * day)
  await expect(second.sweep()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('CAIRN_S3_PREFIX'),
  })
  const apart = await installation({ ...files, prefix: 'other' }, clock)
  await apart.bring('b.txt')
  pass(hour)
  expect(await apart.sweep()).toEqual({ objects: 1, removed: 0, orphans: 0 })
  expect(await sweep()).toEqual({ objects: 1, removed: 0, orphans: 0 })
  expect(await isThere(keyOf('a.txt'))).toBe(true)
})

it('removes nothing after an older database was restored, and reports exactly the objects it lacks', async () => {
  const { data, pass, bring, sweep, keyOf, orphans, store, accountId, put, isThere } = await setUp()
  await bring('before.txt')
  await sweep()
  const dump = new Map([...data].map(([name, documents]) => [name, structuredClone([...documents])] as const))
  await bring('after.txt')
  const later = namespaceInput(accountId)
  await store.createNamespace(later)
  await put(keyOf('b.txt', later))
  for (const [name, documents] of data) {
    documents.clear()
    for (const [key, document] of dump.get(name) ?? []) documents.set(key, document)
  }
  pass(hour)
  expect(await sweep()).toEqual({ objects: 3, removed: 0, orphans: 2 })
  expect(await orphans()).toEqual([keyOf('after.txt'), keyOf('b.txt', later)].toSorted())
  expect(await isThere(keyOf('before.txt'))).toBe(true)
})

it('aborts uploads in parts without a permission after an hour, and orphaned ones after a week', async () => {
  const signing = { publicUrl: () => '', signingKey: randomBytes(32) }
  const { service, manual, store, namespaceId, files, keyOf, permit } = await createPipelineScene({
    objectEventsEnabled: false,
    bus: createBus().bus,
    files: (clock) => localFileStore({ directory: mkdtempSync(join(base().directory, 'files-')), clock, ...signing }),
  })
  onTestFinished(() => files.close())
  const start = (key: string) => files.startMultipart(key, { contentType: 'text/plain' })
  const open = async () => (await allMultiparts(files, '')).map(({ uploadId }) => uploadId).toSorted()

  const granted = await start(keyOf('a.txt'))
  await permit('a.txt', granted)
  // Uploads without a grant: a second one for a granted file, as if its starter had died; one for a file granted as a
  // single PUT; one of an unknown namespace; one outside of the prefix.
  await start(keyOf('a.txt'))
  await permit('b.txt')
  await start(keyOf('b.txt'))
  const unknown = await start('cairn/ns_gone/acc_1/gone/a.txt')
  const foreign = await start('nobody')
  manual.pass(hour - 1)
  expect(await service.sweep()).toMatchObject({ removed: 0 })
  const young = await start(keyOf('c.txt'))
  manual.pass(1)
  expect(await service.sweep()).toMatchObject({ removed: 2 })
  expect(await open()).toEqual([granted, young, unknown, foreign].toSorted())

  await store.grants.revoke(namespaceId, 'a.txt')
  manual.pass(hour)
  expect(await service.sweep()).toMatchObject({ removed: 2 })
  manual.pass(7 * day)
  expect(await service.sweep()).toMatchObject({ removed: 1 })
  expect(await open()).toEqual([foreign])
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Step } from '@cairn/domain/ports/store'
import { account, createScene, namespaceInput, settledAs, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { StepName } from '@cairn/domain/protocol/step-names'
import type { Store } from '@cairn/domain/store'
import { storeContract } from '@cairn/domain/store.contract'
import { stalled } from '@cairn/testing/stalled'
import { storeByStep } from '@cairn/testing/store-by-step'
import { temporaryDirectory, temporaryFile } from '@cairn/testing/temporary'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { engineContract } from './engine.contract.ts'
import { type SqliteStoreOptions, sqliteStore } from './sqlite.ts'
import { openForWriting, SqliteSteps } from './sqlite-store.ts'

// Uses memory if possible, so that thousands of small commits do not wait for a shared disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cairn-metadata-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
let opened = 0

const stepsOn = (database: DatabaseSync, now: () => number = Date.now) => {
  const steps = new SqliteSteps(database, now)
  return (step: Step) => steps.execute(step)
}

engineContract(async () => {
  const database = openForWriting(temporaryFile('metadata.db'))
  onTestFinished(() => database.close())
  return stepsOn(database)
})

storeContract({
  open: async () => {
    opened += 1
    const file = join(directory, `${opened}.db`)
    const timeShift = new SharedArrayBuffer(8)
    const shift = new Float64Array(timeShift)
    const store = sqliteStore({ file, timeShift })
    // Each method of the store is one transaction, so its calls can't stall in the middle of a method. The second
    // connection runs each step as a transaction, so its calls can.
    const begun = (await store.now()) - performance.now()
    const database = openForWriting(file)
    const apply = stepsOn(database, () => begun + performance.now() + (shift[0] ?? 0))
    return {
      store: {
        ...store,
        close: async () => {
          database.close()
          await store.close()
        },
      },
      advance: (ms) => {
        shift[0] = (shift[0] ?? 0) + ms
      },
      stall: (step, call, { element, aheadMs } = {}) =>
        stalled((hooks) => storeByStep({ apply, ...hooks, elementTurns: true, aheadMs }), {
          step,
          element,
          call,
        }),
    }
  },
  lacks: {},
})

/** Opens the store in this file, and closes it when the running test ends. */
const openFile = (file: string, more: Partial<SqliteStoreOptions> = {}): Store => {
  const store = sqliteStore({ file, ...more })
  onTestFinished(() => store.close())
  return store
}
const inFile = <T>(file: string, use: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}
const byStep = async (file: string, step: StepName, call: (store: Store) => Promise<unknown>): Promise<void> => {
  const database = openForWriting(file)
  await stalled((hooks) => storeByStep({ apply: stepsOn(database), ...hooks }), { step, call })
  database.close()
}
/** Creates an empty store. */
const make = (file: string) => openForWriting(file).close()

describe('the file of the SQLite metadata', () => {
  it('keeps everything through a restart', async () => {
    const file = join(temporaryDirectory(), 'deep', 'er', 'metadata.db')
    const before = openFile(file)
    const scene = await createScene(before, 'vector')
    await scene.indexed([
      { id: 'v', body: { text: 'first', metadata: '{"a":"\\u0000"}', vector: Float32Array.of(0.1, -0) } },
    ])
    const upload = await scene.accepted([
      { id: 'v', body: { text: 'second', metadata: '{}', vector: Float32Array.of(2) } },
    ])
    await scene.accepted(['w'])
    const { deletionId } = scene.deleteInput(['w'])
    await before.deleteItems(scene.deleteInput(['w'], { deletionId }))
    await before.keys.insert({
      id: 'k',
      accountId: scene.accountId,
      name: '\u0000',
      hmac: '',
      scopes: [],
      state: 'active',
      expiresAt: null,
      lastUsedAt: null,
      createdAt: 1,
    })
    await before.usage.add([{ accountId: scene.accountId, period: '2026-01', requests: 3, credits: 4 }])
    const everything = async (store: Store) => [
      await store.accounts.get(scene.accountId),
      await store.namespaces.get(scene.namespaceId),
      await store.items.page(scene.namespaceId, { limit: 10 }),
      await store.uploads.get(upload.id),
      await store.deletions.get(deletionId),
      await store.keys.get('k'),
      await store.usage.get(scene.accountId, '2026-01'),
    ]
    const kept = await everything(before)
    expect(kept).not.toContain(undefined)
    await before.close()
    const after = openFile(file)
    expect(await everything(after)).toEqual(kept)
    expect(await after.createNamespace(namespaceInput(scene.accountId, 'text', scene.name))).toBe('exists')
  })

  it('voids leases, records being accepted and open requests of a former process', async () => {
    const file = temporaryFile('metadata.db')
    const before = openFile(file)
    const scene = await createScene(before)
    const job = await scene.accepted(['a'])
    await before.uploads.lease(job.id, 'former')
    const other = await createScene(before)
    const deletion = await before.beginNamespaceDeletion(other.namespaceId, 'gone', wallAt)
    await before.deletions.insertOfNamespace(deletion as Namespace, {
      space: { key: 's', dimension: 1 },
      correlationId: '',
      traceparent: null,
      at: wallAt,
    })
    await before.deletions.lease('gone', 'former')
    const pipeline = await createFileScene(before)
    const { file: read } = await pipeline.leased(await pipeline.arrived('a.txt'))
    expect(await before.files.due(10)).toEqual([])
    const accepting = scene.acceptInput(['b'])
    await byStep(file, 'accept: queue', (dying) => dying.accept(accepting))
    const deleting = scene.deleteInput(['a'])
    await byStep(file, 'delete: remove items', (dying) => dying.deleteItems(deleting))
    expect(await before.uploads.due(10)).toEqual([])
    await before.recoverNamespace(scene.namespaceId, wallAt)
    expect((await before.namespaces.get(scene.namespaceId))?.openCount).toBe(2)
    await before.close()

    const after = openFile(file)
    expect((await after.uploads.due(10)).map(({ id }) => id).toSorted()).toEqual(
      [job.id, accepting.uploadId].toSorted(),
    )
    expect((await after.deletions.due(10)).map(({ id }) => id).toSorted()).toEqual(
      [deleting.deletionId, 'gone'].toSorted(),
    )
    expect(await after.uploads.lease(job.id, 'next')).toMatchObject({ starts: 2 })
    expect(await after.deletions.lease('gone', 'next')).toMatchObject({ starts: 2 })
    expect((await after.files.due(10)).map(({ id }) => id)).toEqual([read.id])
    expect(await after.files.lease(read.id, 'next')).toMatchObject({ starts: 2 })
    expect(await after.uploads.takeOver(accepting.uploadId, wallAt)).toMatchObject({ state: 'queued', ids: ['b'] })
    expect(await after.deletions.takeOver(deleting.deletionId, 'next')).toMatchObject({ itemsDone: true })
    await after.recoverNamespace(scene.namespaceId, wallAt)
    await after.recoverAccount(scene.accountId)
    expect(await after.namespaces.get(scene.namespaceId)).toMatchObject({ itemCount: 1, open: {} })
    expect(await after.accounts.get(scene.accountId)).toMatchObject({
      counts: { documents: 1 },
      held: { documents: 1 },
      reservations: {},
    })
  })

  it('continues store time when the machine’s clock went back', async () => {
    const file = temporaryFile('metadata.db')
    const timeShift = new SharedArrayBuffer(8)
    new Float64Array(timeShift)[0] = 3_600_000
    const before = openFile(file, { timeShift })
    const scene = await createScene(before)
    const job = await scene.accepted(['a'])
    const last = await before.now()
    await before.close()
    // For the next process, the clock has been set back by an hour.
    const after = openFile(file)
    const first = await after.now()
    expect(first).toBeGreaterThanOrEqual(job.nextAttemptAt - 5_000)
    expect(first - last).toBeGreaterThan(-1_000)
    expect(await after.now()).toBeGreaterThanOrEqual(first)
    await after.close()
    inFile(file, (database) => database.exec(`UPDATE store_time SET at = ${Date.now() + 7_200_000}`))
    expect(await openFile(file).now()).toBeGreaterThan(Date.now() + 7_190_000)
  })

  it('rejects a file of another schema number, and leaves it unchanged', async () => {
    const file = temporaryFile('metadata.db')
    make(file)
    inFile(file, (database) => database.exec('PRAGMA user_version = 1000'))
    const refused = openFile(file)
    await expect(refused.now()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /metadata\.db was written by another version of Cairn \(schema 1000; this one reads \d+\)/,
      ),
    })
    await expect(refused.accounts.insert(account('a'))).rejects.toMatchObject({ code: 'conflict' })
    expect(inFile(file, (database) => database.prepare('PRAGMA user_version').get()?.user_version)).toBe(1000)
  })

  it.each([
    [
      'text',
      (file: string) =>
        writeFileSync(file, 'not a database, but longer than a header of one hundred bytes '.repeat(20)),
    ],
    [
      'another program’s tables',
      (file: string) => inFile(file, (database) => database.exec('CREATE TABLE notes (text)')),
    ],
  ])('refuses a file of %s, and leaves it as it is', async (_, write) => {
    const file = temporaryFile('metadata.db')
    write(file)
    const before = readFileSync(file)
    await expect(openFile(file).now()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining("metadata.db is not a file of Cairn's record store"),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('tries again to open a file that could not be opened', async () => {
    const file = temporaryFile('metadata.db')
    mkdirSync(file)
    const store = openFile(file)
    await expect(store.now()).rejects.toMatchObject({ code: 'unavailable' })
    rmdirSync(file)
    expect(await store.accounts.insert(account('a'))).toMatchObject({ id: 'a' })
  })
})

describe('the writer of the SQLite metadata', () => {
  it('commits concurrent calls together: 64 uploads in at most 16 commits', async () => {
    let commits = 0
    const store = openFile(temporaryFile('metadata.db'), { onCommit: (count) => (commits = count) })
    const scene = await createScene(store)
    const before = commits
    await Promise.all(times(64, (index) => store.accept(scene.acceptInput([`i${index}`]))))
    expect(commits - before).toBeGreaterThan(0)
    expect(commits - before).toBeLessThanOrEqual(16)
    await scene.expectExact()
  })

  it('undoes a failed call, and no other call of the commit', async () => {
    const store = openFile(temporaryFile('metadata.db'))
    const scene = await createScene(store)
    const used = await scene.accepted(['a'])
    const calls = times(9, (index) =>
      store.accept(scene.acceptInput([`i${index}`], index === 4 ? { uploadId: used.id } : {})),
    )
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(times(9, (index) => (index === 4 ? 'rejected' : 'fulfilled')))
    await scene.expectExact()
  })

  it('fails every call of a failed commit, and recovers', async () => {
    const file = temporaryFile('metadata.db')
    const store = openFile(file)
    const scene = await createScene(store)
    // SQLite checks this broken reference only at COMMIT.
    inFile(file, (database) =>
      database.exec(`CREATE TABLE parents (id PRIMARY KEY);
        CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER orphan AFTER INSERT ON accounts WHEN NEW.id = 'poison' BEGIN INSERT INTO children VALUES ('nobody'); END`),
    )
    // Large texts keep the writer busy, so that the calls below queue up and share a commit.
    const documents = times(60, (index) => ({ id: `i${index}`, body: { text: 'x'.repeat(50_000), metadata: '{}' } }))
    // This call may be in the commit that fails.
    const long = store.accept(scene.acceptInput(documents)).catch(() => undefined)
    const ids = times(21, (index) => (index === 10 ? 'poison' : `n${index}`))
    const outcomes = await Promise.allSettled(ids.map((id) => store.accounts.insert(account(id))))
    await long
    const failed = ids.filter((_, index) => outcomes[index]?.status === 'rejected')
    expect(failed).toContain('poison')
    expect(failed.length).toBeGreaterThan(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unavailable' })
    for (const id of ids) expect((await store.accounts.get(id)) === undefined).toBe(failed.includes(id))
    await scene.expectExact()
    for (const id of failed) if (id !== 'poison') expect(await store.accounts.insert(account(id))).toMatchObject({ id })
  })

  it('answers calls made before it closes, and none after', async () => {
    const file = temporaryFile('metadata.db')
    const store = openFile(file)
    const scene = await createScene(store)
    const accepts = times(20, (index) => store.accept(scene.acceptInput([`i${index}`])))
    const closing = [store.close(), store.close()]
    expect(await settledAs(accepts, ({ outcome }) => outcome === 'accepted')).toBe(20)
    await Promise.all(closing)
    await store.close()
    await expect(store.now()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.accounts.insert(account('late'))).rejects.toMatchObject({ code: 'unavailable' })
    // Nothing remains beside the file: its log was merged into it.
    expect(readdirSync(dirname(file))).toEqual(['metadata.db'])
    expect(await openFile(file).items.count(scene.namespaceId)).toBe(20)
  })

  it('is unavailable when its thread has ended, and leaves no call unanswered', async () => {
    const threads: Worker[] = []
    const note = (message: unknown) => threads.push((message as { worker: Worker }).worker)
    subscribe('worker_threads', note)
    onTestFinished(() => void unsubscribe('worker_threads', note))
    const store = openFile(temporaryFile('metadata.db'))
    await store.accounts.insert(account('a'))
    const under = store.accounts.insert(account('b')).catch((error: unknown) => error)
    await Promise.all(threads.map((thread) => thread.terminate()))
    const outcome = await under
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'unavailable' })
    await expect(store.accounts.insert(account('c'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(await store.accounts.get('a')).toMatchObject({ id: 'a' })
  })
})

describe('reads of the SQLite metadata', () => {
  const longItems = (count: number) =>
    times(count, (index) => ({ id: `i${100 + index}`, body: { text: 'x'.repeat(50_000), metadata: '{}' } }))

  it('see the latest commit also while long pages are being read', async () => {
    const store = openFile(temporaryFile('metadata.db'))
    const scene = await createScene(store)
    await scene.accepted(longItems(100))
    let reading = true
    const ids = longItems(100).map(({ id }) => id)
    const pages = Promise.all([
      ...times(4, () => store.items.page(scene.namespaceId, { limit: 100 })),
      ...times(4, () => store.items.get(scene.namespaceId, ids)),
    ]).finally(() => {
      reading = false
    })
    let writes = 0
    while (reading) {
      writes += 1
      expect(
        await store.usage.add([{ accountId: scene.accountId, period: '2026-01', requests: 1, credits: 1 }]),
      ).toMatchObject([{ requests: writes }])
      expect(await store.usage.get(scene.accountId, '2026-01')).toMatchObject({ requests: writes })
    }
    for (const page of await pages) expect(page.map(({ id }) => id)).toEqual(ids)
    // Other work ran during the read.
    expect(writes).toBeGreaterThan(0)
  })

  it('end as unavailable when the store closes under them', async () => {
    const store = openFile(temporaryFile('metadata.db'))
    const scene = await createScene(store)
    await scene.accepted(longItems(100))
    const pages = Promise.allSettled(times(4, () => store.items.page(scene.namespaceId, { limit: 100 })))
    await nextTurn()
    await store.close()
    for (const page of await pages) expect(page).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  })
})

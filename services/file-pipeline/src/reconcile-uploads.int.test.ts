import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { type LocalFileStore, localFileStore } from '@cairn/adapters/file-store/local'
import { AppError } from '@cairn/contracts/errors'
import { fileVersionPrefix } from '@cairn/domain/files/record'
import type { FileStore } from '@cairn/domain/ports/file-store'
import { mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { forFile } from '@cairn/testing/for-file'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.fixture.ts'

const base = forFile((directory) => ({ directory, close: async () => {} }))
const hour = 3_600_000
/** Lifetime of an upload URL, in milliseconds. */
const good = 900_000

const setUp = async (limit?: number) => {
  /** Hooks that run before requests to the store, so that tests can observe or block requests. */
  const ask: { head: () => Promise<void>; abort: () => Promise<void> } = { head: async () => {}, abort: async () => {} }
  const between = (store: FileStore): FileStore => ({
    ...store,
    head: (key) => ask.head().then(() => store.head(key)),
    abortMultipart: (...upload) => ask.abort().then(() => store.abortMultipart(...upload)),
  })
  const signing = { publicUrl: () => '', signingKey: randomBytes(32) }
  const scene = await createPipelineScene({
    objectEventsEnabled: false,
    ...(limit === undefined ? {} : { limit }),
    bus: createBus().bus,
    files: (clock) =>
      between(localFileStore({ directory: mkdtempSync(join(base().directory, 'files-')), clock, ...signing })),
  })
  const { manual, service, files, store, namespaceId } = scene
  onTestFinished(() => files.close())
  const pass = async (ms: number) => {
    manual.pass(ms)
    await service.reconcile()
  }
  const grant = (name: string) => store.grants.get(namespaceId, name)
  const open = async () => (await allMultiparts(files, '')).map(({ uploadId }) => uploadId)
  return { ...scene, ask, pass, grant, open }
}

describe('an object above the bytes that its account may store', () => {
  it('fails and is removed, while objects that fit are registered', async () => {
    const { pass, permit, files, store, namespaceId, accountId, manual } = await setUp(100)
    const put = async (name: string, sizeBytes: number) =>
      files.put(await permit(name), Buffer.alloc(sizeBytes, 'x'), { contentType: 'text/plain' })
    for (const [name, sizeBytes] of [
      ['a.txt', 60],
      ['b.txt', 41],
      ['c.txt', 40],
    ] as const) {
      await put(name, sizeBytes)
      await pass(6_000)
    }
    const record = (name: string) => store.files.byName(namespaceId, name)
    for (const name of ['a.txt', 'c.txt']) expect(await record(name)).toMatchObject({ state: 'queued', outcome: null })
    expect(await record('b.txt')).toMatchObject({
      bytes: 0,
      outcome: { state: 'failed', reason: 'quota_exceeded', message: expect.stringMatching(/limit of 100 bytes/) },
    })
    expect((await files.list({ prefix: '', limit: 9 })).map(({ key }) => key.split('/').at(-1))).toEqual([
      'a.txt',
      'c.txt',
    ])
    expect(await store.storedBytes(accountId, manual.clock.now())).toBe(100)
  })

  it('is counted in parts as well, and an upload above the limit is aborted', async () => {
    const { pass, permit, files, keyOf, store, accountId, manual, open } = await setUp(100)
    const key = keyOf('a.txt')
    const uploadId = await files.startMultipart(key, { contentType: 'text/plain' })
    await permit('a.txt', uploadId)
    const local = files as LocalFileStore
    const stored = () => store.storedBytes(accountId, manual.clock.now())
    await local.putPart(key, uploadId, 1, Buffer.alloc(60), {})
    await pass(6_000)
    expect(await stored()).toBe(60)
    await local.putPart(key, uploadId, 2, Buffer.alloc(40), {})
    await pass(60_000)
    expect([await stored(), await open()]).toEqual([100, [uploadId]])
    await local.putPart(key, uploadId, 3, Buffer.alloc(1), {})
    await pass(60_000)
    expect([await stored(), await open()]).toEqual([0, []])
  })

  it('is counted in parts beside a file of the same name', async () => {
    const { pass, permit, files, keyOf, store, accountId, manual } = await setUp(100)
    const key = keyOf('a.txt')
    const uploadId = await files.startMultipart(key, { contentType: 'text/plain' })
    await permit('a.txt', uploadId)
    await (files as LocalFileStore).putPart(key, uploadId, 1, Buffer.alloc(60), {})
    await files.put(key, Buffer.alloc(30, 'x'), { contentType: 'text/plain' })
    await pass(6_000)
    await pass(600_000)
    expect(await store.storedBytes(accountId, manual.clock.now())).toBe(90)
  })
})

describe('the bytes of a failed file', () => {
  const fail = async (scene: Awaited<ReturnType<typeof setUp>>, name: string, reason = 'damaged') => {
    const { files, permit, pass, store, namespaceId, leased, manual } = scene
    await files.put(await permit(name), Buffer.from(name), { contentType: 'text/plain' })
    await pass(6_000)
    const arrived = await store.files.byName(namespaceId, name)
    if (!arrived) throw new Error('it was not taken in')
    const { file, lease } = await leased(arrived)
    const at = manual.clock.now()
    await store.files.fail(lease, { version: file.version, reason, message: 'm', at })
    await store.files.complete(lease, { times: {}, at })
    return file
  }

  it('are removed 30 days after it failed, and its record stays', async () => {
    const scene = await setUp()
    const { files, keyOf, service, manual, store, namespaceId, accountId } = scene
    await fail(scene, 'a.txt')
    await files.put(keyOf('good.txt'), Buffer.from('good'), { contentType: 'text/plain' })
    await service.tidy()
    manual.pass(30 * 24 * hour - 1_000)
    await service.tidy()
    expect(await files.head(keyOf('a.txt'))).toBeDefined()
    manual.pass(61_000)
    await service.tidy()
    expect(await files.head(keyOf('a.txt'))).toBeUndefined()
    expect(await files.head(keyOf('good.txt'))).toBeDefined()
    const removed = { state: 'failed', outcome: { reason: 'damaged' }, bytes: 0, bytesRemovedAt: manual.clock.now() }
    expect(await store.files.byName(namespaceId, 'a.txt')).toMatchObject(removed)
    expect(await store.storedBytes(accountId, manual.clock.now())).toBe(0)
    manual.pass(61_000)
    await service.tidy()
    expect(await store.files.withFailedBytes(9)).toEqual([])
  })

  it('stay while an upload of the same name may arrive, and if one has arrived', async () => {
    const scene = await setUp()
    const { files, keyOf, permit, service, manual } = scene
    await fail(scene, 'a.txt')
    manual.pass(31 * 24 * hour)
    await permit('a.txt')
    await service.tidy()
    expect(await files.head(keyOf('a.txt'))).toMatchObject({ sizeBytes: 5 })
    await files.put(keyOf('a.txt'), Buffer.from('others'), { contentType: 'text/plain' })
    manual.pass(2 * hour)
    await service.tidy()
    expect(await files.head(keyOf('a.txt'))).toMatchObject({ sizeBytes: 6 })
  })

  it('stay while the published version was read from them', async () => {
    const scene = await setUp()
    const { files, keyOf, service, manual, store, namespaceId, leased, publish } = scene
    const { id } = await fail(scene, 'a.txt')
    const cause = { correlationId: 'retry', traceparent: null }
    const retry = async () => {
      const { version: from } = (await store.files.get(id)) ?? { version: '' }
      const change = { from, version: mint(fileVersionPrefix), options: {}, at: manual.clock.now(), ...cause }
      const queued = await store.files.reprocess(id, change)
      if (!queued) throw new Error('it was not queued')
      return leased(queued)
    }
    const published = await retry()
    await publish(published.file, published.lease, 1)
    await store.files.complete(published.lease, { times: {}, at: manual.clock.now() })
    const { file, lease } = await retry()
    const why = { version: file.version, reason: 'internal', message: 'm', at: manual.clock.now() }
    await store.files.fail(lease, why)
    await store.files.complete(lease, { times: {}, at: manual.clock.now() })
    manual.pass(31 * 24 * hour)
    await service.tidy()
    expect(await files.head(keyOf('a.txt'))).toBeDefined()
    expect(await store.files.byName(namespaceId, 'a.txt')).toMatchObject({ state: 'failed', bytesRemovedAt: null })
    expect(await store.files.withFailedBytes(9)).toEqual([])
  })

  it('are not counted any more once the object is found missing', async () => {
    const scene = await setUp()
    const { files, keyOf, service, manual, store, accountId } = scene
    await fail(scene, 'a.txt', 'object_missing')
    await files.remove([keyOf('a.txt')])
    manual.pass(hour)
    await service.tidy()
    expect(await store.storedBytes(accountId, manual.clock.now())).toBe(0)
  })
})

describe('an upload in parts that is not completed', () => {
  const setUpParts = async () => {
    const scene = await setUp()
    const uploadId = await scene.files.startMultipart(scene.keyOf('a.txt'), { contentType: 'text/plain' })
    await scene.permit('a.txt', uploadId)
    return { ...scene, uploadId }
  }

  it('is removed with its permission, a day after the last address of a part has expired', async () => {
    const { pass, grant, open, uploadId } = await setUpParts()
    await pass(good + 24 * hour)
    expect(await open()).toEqual([uploadId])
    await pass(hour)
    expect(await open()).toEqual([])
    expect(await grant('a.txt')).toBeUndefined()
  })

  it('loses its permission if the store does not know it any more', async () => {
    const { pass, grant, files, keyOf, uploadId } = await setUpParts()
    await files.abortMultipart(keyOf('a.txt'), uploadId)
    await pass(good + 25 * hour)
    expect(await grant('a.txt')).toBeUndefined()
  })

  it('is kept until the store has removed it', async () => {
    const { pass, grant, ask, open, uploadId } = await setUpParts()
    let asked = 0
    ask.abort = async () => {
      asked += 1
      if (asked === 1) throw new AppError('unavailable', 'the store is away')
    }
    await pass(good + 25 * hour)
    expect(await grant('a.txt')).toMatchObject({ uploadId })
    // The failed abort is not retried after 5 seconds, but after 10 minutes.
    await pass(5_000)
    expect(asked).toBe(1)
    expect(await open()).toEqual([uploadId])
    await pass(600_000)
    expect(await open()).toEqual([])
    expect(await grant('a.txt')).toBeUndefined()
  })

  it('continues if it is resumed while its permission is being removed', async () => {
    const { pass, grant, ask, permit, open, uploadId } = await setUpParts()
    ask.head = async () => void (await permit('a.txt', uploadId))
    await pass(good + 25 * hour)
    expect(await grant('a.txt')).toMatchObject({ uploadId, expiresAt: wallAt + good + 25 * hour + good })
    expect(await open()).toEqual([uploadId])
  })
})

describe('an object without an event', () => {
  const setUpObjects = async () => {
    const scene = await setUp()
    const { ask, pass, files, keyOf, store, namespaceId } = scene
    const asked = { heads: 0 }
    ask.head = async () => {
      asked.heads += 1
    }
    const put = (content: string) => files.put(keyOf('a.txt'), Buffer.from(content), { contentType: 'text/plain' })
    const taken = async () => (await store.files.byName(namespaceId, 'a.txt'))?.object.etag
    /**
     * Stores an object; returns after how many milliseconds the reconciliation, run every 5 seconds, has registered it.
     */
    const noticedAfter = async (content: string) => {
      const { etag } = await put(content)
      for (let ms = 0; ms <= hour; ms += 5_000, await pass(5_000)) if ((await taken()) === etag) return ms
      throw new Error('it is not noticed within an hour')
    }
    const headsInAnHour = async () => {
      const before = asked.heads
      for (let ms = 0; ms < hour; ms += 5_000) await pass(5_000)
      return asked.heads - before
    }
    return { ...scene, noticedAfter, headsInAnHour }
  }

  it.each([0, 60_000, 60_001, 20 * 60_000, hour, 6 * hour - 60_000])(
    'is found within a minute if its upload ends %i ms after its address has expired',
    async (late) => {
      const { permit, pass, noticedAfter } = await setUpObjects()
      await permit('a.txt')
      await pass(good + late)
      const ms = await noticedAfter('text')
      expect(ms).toBeGreaterThan(0)
      expect(ms).toBeLessThanOrEqual(50_000)
    },
  )

  it('is found within ten minutes until the end of a day', async () => {
    const { permit, pass, noticedAfter } = await setUpObjects()
    await permit('a.txt')
    await pass(good + 6 * hour + 1)
    await pass(17 * hour)
    expect(await noticedAfter('text')).toBeLessThanOrEqual(605_000)
  })

  it('is found as soon if an earlier address of its name was used', async () => {
    const { permit, pass, noticedAfter } = await setUpObjects()
    await permit('a.txt')
    expect(await noticedAfter('first')).toBe(5_000)
    await pass(60_000)
    await permit('a.txt')
    await pass(good + 20 * 60_000)
    expect(await noticedAfter('second')).toBeLessThanOrEqual(50_000)
  })

  it('costs about 80 requests an hour after its address has expired, and six once it has arrived or can not arrive any more', async () => {
    const { permit, pass, noticedAfter, headsInAnHour, store, namespaceId } = await setUpObjects()
    await permit('a.txt')
    await pass(good + 60_001)
    const awaited = await headsInAnHour()
    expect(awaited).toBeGreaterThan(70)
    expect(awaited).toBeLessThanOrEqual(80)
    await noticedAfter('text')
    await pass(60_000)
    expect(await headsInAnHour()).toBeLessThanOrEqual(6)
    await permit('a.txt')
    await store.grants.revoke(namespaceId, 'a.txt')
    await pass(good + 60_001)
    expect(await headsInAnHour()).toBeLessThanOrEqual(6)
  })
})

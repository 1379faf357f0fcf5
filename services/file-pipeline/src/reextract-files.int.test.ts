import { extractionVersion } from '@cairn/domain/files/extraction-version'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { mint, newReextraction, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { createLogger } from '@cairn/runtime/process/logger'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stalled } from '@cairn/testing/stalled'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { describe, expect, it } from 'vitest'
import { createReextractTask } from './reextract-files.ts'

const before = extractionVersion - 1

const setUp = async () => {
  const data = stepwiseData()
  const now = () => 0
  const store = stepwiseStore({ data, now })
  const scene = await createFileScene(store)
  const { namespaceId, arrived, leased, publish, read } = scene
  const files = memoryFiles(() => wallAt)
  const announced: string[] = []
  const clock = { now: () => wallAt, monotonic: now, delay: async () => undefined }
  const task = (by: Store = store) =>
    createReextractTask({
      store: by,
      files,
      clock,
      ids: { next: mint },
      log: createLogger({ level: 'silent', name: 'test' }),
      send: async ({ fileId }) => void announced.push(fileId),
    })
  const step = (by?: Store) => task(by).range(null, new AbortController().signal)
  const finish = async (name: string, extraction = extractionVersion) => {
    const { file, lease } = await leased(await read(name))
    expect(await publish(file, lease, 1, 0, null, store, extraction)).toBe('published')
    await store.files.complete(lease, { times: {}, at: wallAt })
  }
  const fail = async (name: string, reason = 'internal') => {
    const { file, lease } = await leased(await read(name))
    await store.files.fail(lease, { version: file.version, reason, message: 'It is so.', at: wallAt })
    await store.files.complete(lease, { times: {}, at: wallAt })
  }
  const put = async (name: string, content: string) => {
    const key = `${scene.accountId}/name/${name}`
    await files.put(key, Buffer.from(content), { contentType: 'text/plain' })
    return { key, object: await files.head(key) }
  }
  /** Creates a published file whose bytes are stored. */
  const published = async (name: string, extraction = before) => {
    const { object } = await put(name, name)
    if (!object) throw new Error('it was not stored')
    const { etag, sizeBytes, modifiedAt } = object
    await arrived(name, name, { object: { etag, sizeBytes, modifiedAt } })
    await finish(name, extraction)
  }
  const begin = async (total = 1) => {
    const reextraction = newReextraction({ total })
    expect(await store.namespaces.beginReextraction(namespaceId, reextraction)).toBe(true)
    return reextraction
  }
  const state = async () => (await scene.namespace()).reextraction
  const stateOf = async (name: string) => (await read(name)).state
  return {
    ...scene,
    data,
    store,
    files,
    announced,
    task,
    step,
    finish,
    fail,
    put,
    published,
    begin,
    state,
    stateOf,
  }
}

describe('the re-extraction of a namespace', () => {
  it('processes outdated files once more, four at a time, with their options', async () => {
    const { published, begin, step, finish, read, state, stateOf, announced, store, task } = await setUp()
    const names = Array.from({ length: 6 }, (_, number) => `${number}.txt`)
    for (const name of names) await published(name, name === '2.txt' ? extractionVersion : before)
    const first = await read('0.txt')
    const { id: file, version: from } = first
    const options = { ocr: false }
    const cause = { correlationId: 'retry', traceparent: null }
    await store.files.reprocess(file, { from, version: mint('file'), options, at: wallAt, ...cause })
    await finish('0.txt', before)
    expect(await task().hasWork()).toBe(false)
    await begin(5)
    expect(await task().hasWork()).toBe(true)
    await step()
    expect(await Promise.all(names.map(stateOf))).toEqual([
      ...['queued', 'queued', 'completed', 'queued', 'queued', 'completed'],
    ])
    expect(announced).toHaveLength(4)
    expect(await read('0.txt')).toMatchObject({ options, live: { extraction: before } })
    expect(await step()).toBeNull()
    await finish('3.txt')
    expect(await step()).toBe('more')
    expect(await state()).toMatchObject({ extracted: 1, endedAt: null })
    expect(await stateOf('5.txt')).toBe('queued')
    for (const name of ['0.txt', '1.txt', '4.txt', '5.txt']) await finish(name)
    await step()
    expect(await state()).toMatchObject({ extracted: 5, failed: 0, withoutBytes: 0, underWay: [], endedAt: wallAt })
    expect(await task().hasWork()).toBe(false)
    expect((await read('2.txt')).leaseSeq).toBe(1)
  })

  it('counts files whose bytes are removed or replaced, and does not change them', async () => {
    const { published, begin, step, state, read, files, put, arrived, fail } = await setUp()
    for (const name of ['gone.txt', 'other.txt', 'stored.txt']) await published(name)
    const gone = await read('gone.txt')
    await files.remove([gone.key])
    // An upload with different bytes failed.
    await arrived('other.txt', 'other content')
    await fail('other.txt', 'damaged')
    // Different bytes are stored but not registered yet.
    await put('stored.txt', 'other content')
    await begin(3)
    await step()
    expect(await state()).toMatchObject({ extracted: 0, failed: 0, withoutBytes: 3, endedAt: wallAt })
    expect(await read('gone.txt')).toEqual(gone)
  })

  it('tries each file once: a failed file keeps its published version, and another re-extraction tries it again', async () => {
    const { published, begin, step, state, read, fail, finish } = await setUp()
    for (const name of ['a.txt', 'b.txt']) await published(name)
    const { live } = await read('a.txt')
    await begin(2)
    await step()
    await fail('a.txt')
    // A process of the previous version has read the file.
    await finish('b.txt', before)
    await step()
    expect(await state()).toMatchObject({ extracted: 0, failed: 2, endedAt: wallAt })
    expect(await read('a.txt')).toMatchObject({ state: 'failed', live })
    await begin(2)
    await step()
    for (const name of ['a.txt', 'b.txt']) await finish(name)
    await step()
    expect(await state()).toMatchObject({ extracted: 2, failed: 0, endedAt: wallAt })
  })

  it('counts each file once wherever its process dies or stalls', async () => {
    const { data, published, begin, step, state, finish, store } = await setUp()
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await published(name)
    await begin(3)
    const slow = await stalled((hooks) => stepwiseStore({ data, now: () => 0, ...hooks }), {
      step: 'namespaces: change reextraction',
      call: (other) => step(other),
    })
    await finish('b.txt')
    await step()
    await finish('a.txt')
    await step()
    expect(await state()).toMatchObject({ extracted: 2, endedAt: null })
    await slow()
    await finish('c.txt')
    for (let time = 0; time < 3; time += 1) await step()
    expect(await state()).toMatchObject({ extracted: 3, failed: 0, endedAt: wallAt })
    expect(await store.namespaces.reextracting({ limit: 1 })).toEqual([])
  })

  it('waits for files that users upload or replace meanwhile, and does not count them', async () => {
    const { published, begin, step, state, arrived, finish } = await setUp()
    await published('a.txt')
    await arrived('a.txt', 'other content')
    await begin()
    await step()
    expect(await state()).toMatchObject({ underWay: [expect.any(String)], endedAt: null })
    await finish('a.txt')
    await step()
    expect(await state()).toMatchObject({ extracted: 0, failed: 0, withoutBytes: 0, endedAt: wallAt })
  })

  it('continues after a deleted file, and does nothing in a namespace that is being deleted', async () => {
    const { published, begin, step, state, store, deleteFileInput, namespaceId, stateOf } = await setUp()
    for (const name of ['a.txt', 'b.txt']) await published(name)
    await begin(2)
    await step()
    for (const name of ['a.txt', 'b.txt']) await store.deleteFile(deleteFileInput(name))
    await step()
    expect(await state()).toMatchObject({ extracted: 0, failed: 0, withoutBytes: 0, endedAt: wallAt })
    await published('c.txt')
    await begin()
    await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
    expect(await step()).toBeNull()
    expect(await stateOf('c.txt')).toBe('completed')
  })
})

import type { FileStore } from '@cairn/domain/ports/file-store'
import { expect } from 'vitest'
import {
  allMultiparts,
  bytesOf,
  keysOf,
  partBytes,
  plain,
  readAll,
  type Scene,
  sha256,
  streamOf,
  stuckAfter,
  textOf,
} from './store.fixture.ts'

const twoPartsAndMore = 2 * partBytes + 1_000_000

/** Large contents are slow, so only the key that could be damaged is tested. */
const keysFor = (sizeBytes: number) => (sizeBytes > partBytes ? ['old'] : ['old', 'new'])

const expectUntouched = async (store: FileStore) => {
  expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['old'])
  expect(await textOf(store, 'old')).toBe('old')
  expect(await allMultiparts(store, '')).toEqual([])
}

/** Contract of interrupted writes: an object is stored whole or not at all. */
export const interruptionContract = ({ of, files }: Scene): void => {
  for (const [name, sizeBytes] of [
    ['at its beginning', 0],
    ['after some chunks', 200_000],
    ['after several parts', twoPartsAndMore],
  ] as const) {
    of('interruption', `stores nothing if the source fails ${name}`, async () => {
      const store = await files(['old'])
      for (const key of keysFor(sizeBytes)) {
        const failure = new Error('the source broke')
        const source = streamOf(bytesOf(sizeBytes), failure)
        await expect(store.put(key, source, plain)).rejects.toBe(failure)
        expect(source.destroyed).toBe(true)
      }
      await expectUntouched(store)
    })

    of('interruption', `stores nothing if the put is aborted ${name}`, async () => {
      const store = await files(['old'])
      for (const key of keysFor(sizeBytes)) {
        const reason = new Error('no longer wanted')
        const controller = new AbortController()
        const { source, given } = stuckAfter(sizeBytes)
        const put = store.put(key, source, { ...plain, signal: controller.signal }).catch((error: unknown) => error)
        await given
        controller.abort(reason)
        expect(await put).toBe(reason)
        expect(source.destroyed).toBe(true)
      }
      await expectUntouched(store)
    })
  }

  of('interruption', 'does not begin a put that is aborted already', async () => {
    const store = await files(['old'])
    const reason = new Error('too late')
    const source = streamOf(Buffer.from('new'))
    await expect(store.put('old', source, { ...plain, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(store.put('new', Buffer.from('new'), { ...plain, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    expect(source.destroyed).toBe(true)
    await expectUntouched(store)
  })

  of('interruption', 'stores nothing of a large source that exceeds the limit', async () => {
    const store = await files(['old'])
    const content = bytesOf(twoPartsAndMore)
    const source = streamOf(content)
    await expect(store.put('old', source, { ...plain, maxBytes: twoPartsAndMore - 1 })).rejects.toMatchObject({
      code: 'tooLarge',
    })
    expect(source.destroyed).toBe(true)
    await expectUntouched(store)
  })

  of('interruption', 'puts nothing from a stream that was destroyed before', async () => {
    const store = await files(['old'])
    const source = streamOf(Buffer.from('new'))
    source.destroy()
    await expect(store.put('old', source, plain)).rejects.toThrow()
    await expectUntouched(store)
  })

  of('concurrency', 'keeps one complete content when several are put under one key at once', async () => {
    const store = await files()
    const contents = Array.from({ length: 8 }, (_, index) => bytesOf(400_000 + index, index + 1))
    const stored = await Promise.all(contents.map((content) => store.put('a', streamOf(content), plain)))
    const found = await store.get('a')
    const hash = sha256(await readAll(found?.body))
    const winner = contents.findIndex((content) => sha256(content) === hash)
    expect(winner).toBeGreaterThanOrEqual(0)
    expect(found?.file).toMatchObject({ sizeBytes: contents[winner]?.length, etag: stored[winner]?.etag })
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a'])
  })

  of('concurrency', 'loses no file among many concurrent puts and removals', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `file ${String(index).padStart(2, '0')}`)
    const store = await files(names.slice(0, 30))
    await Promise.all([
      ...names.slice(0, 30).map((name) => store.remove([name])),
      ...names.slice(30).map((name) => store.put(name, streamOf(Buffer.from(name)), plain)),
    ])
    expect(keysOf(await store.list({ prefix: '', limit: 100 }))).toEqual(names.slice(30))
    for (const name of names.slice(30)) expect(await textOf(store, name)).toBe(name)
  })
}

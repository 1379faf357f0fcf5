import { expect } from 'vitest'
import { bytesOf, keysOf, plain, readAll, type Scene, sha256, streamOf, textOf } from './store.fixture.ts'

/** Tolerance between the clocks of the store and the test: only a wrong unit or epoch must fail. */
const aYearMs = 365 * 24 * 3_600_000

/** Contract of reading: whole objects, ranges, overwritten objects and missing objects. */
export const contentContract = ({ of, files }: Scene): void => {
  for (const [name, sizeBytes] of [
    ['nothing', 0],
    ['one byte', 1],
    ['25 MB', 25_000_000],
  ] as const) {
    of('roundTrip', `returns ${name} put from a stream unchanged`, async () => {
      const store = await files()
      const content = bytesOf(sizeBytes)
      const stored = await store.put('folder/file.bin', streamOf(content), { contentType: 'application/octet-stream' })
      expect(stored).toMatchObject({ key: 'folder/file.bin', sizeBytes })
      const found = await store.get('folder/file.bin')
      expect(sha256(await readAll(found?.body))).toBe(sha256(content))
      expect(found?.file).toEqual(stored)
    })
  }

  of('roundTrip', 'returns a stored buffer, with the same attributes from every method', async () => {
    const store = await files()
    const before = Date.now()
    const stored = await store.put('a.txt', new TextEncoder().encode('hello'), plain)
    expect(stored).toEqual({
      key: 'a.txt',
      sizeBytes: 5,
      etag: expect.stringMatching(/^[^"]+$/),
      modifiedAt: expect.any(Number),
    })
    expect(await store.head('a.txt')).toEqual({ ...stored, contentType: 'text/plain' })
    expect(await store.list({ prefix: '', limit: 10 })).toEqual([stored])
    expect(Math.abs(stored.modifiedAt - before)).toBeLessThan(aYearMs)
    const found = await store.get('a.txt')
    expect((await readAll(found?.body)).toString()).toBe('hello')
    expect(found?.file).toEqual(stored)
  })

  of('roundTrip', 'keeps the content type', async () => {
    const store = await files()
    for (const contentType of [
      'text/plain; charset=utf-8',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'x/y; a="b=c"',
    ]) {
      await store.put('typed', streamOf(Buffer.from('x')), { contentType })
      expect((await store.head('typed'))?.contentType).toBe(contentType)
    }
  })

  of('roundTrip', 'rejects a content type that is not a valid header value', async () => {
    const store = await files()
    for (const contentType of ['', ' text/plain', 'text/plain\r\nx-evil: 1', 'text/plain; name=ü', 'x'.repeat(256)]) {
      await expect(store.put('a', Buffer.from('x'), { contentType })).rejects.toMatchObject({ code: 'invalid' })
      await expect(store.startMultipart('a', { contentType })).rejects.toMatchObject({ code: 'invalid' })
    }
    expect(await store.list({ prefix: '', limit: 10 })).toEqual([])
  })

  of('overwrite', 'replaces an object of the same key, with its type, size and etag', async () => {
    const store = await files()
    const first = await store.put('a', Buffer.from('first'), plain)
    const second = await store.put('a', streamOf(Buffer.from('the second')), { contentType: 'text/html' })
    expect(second.etag).not.toBe(first.etag)
    expect(await store.head('a')).toEqual({ ...second, contentType: 'text/html' })
    expect(second.sizeBytes).toBe(10)
    expect(await textOf(store, 'a')).toBe('the second')
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a'])
  })

  of('overwrite', 'lets a running download finish with the replaced content', async () => {
    const store = await files()
    const before = bytesOf(3_000_000, 1)
    await store.put('a', before, plain)
    const reading = await store.get('a')
    await store.put('a', bytesOf(3_000_000, 2), plain)
    expect(sha256(await readAll(reading?.body))).toBe(sha256(before))
  })

  of('missing', 'returns undefined for a missing key', async () => {
    const store = await files(['folder/there'])
    for (const key of ['missing', 'folder', 'folder/ther', 'folder/there/below', 'Folder/there']) {
      expect(await store.head(key)).toBeUndefined()
      expect(await store.get(key)).toBeUndefined()
    }
    expect(await store.get('missing', { from: 0, to: 1 })).toBeUndefined()
  })

  of('removal', 'removes existing and missing objects, also repeatedly', async () => {
    const store = await files(['a', 'b', 'c/d'])
    await store.remove(['a', 'never there', 'c/d', 'a'])
    await store.remove(['a'])
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['b'])
    expect(await store.get('a')).toBeUndefined()
    expect(await textOf(store, 'b')).toBe('b')
  })

  of('removal', 'removes 1,000 keys at once, and rejects more', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `many/${index} & <${index}>`)
    const store = await files([...keys.slice(0, 20), 'kept'])
    await store.remove(keys)
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['kept'])
    await expect(store.remove([])).rejects.toMatchObject({ code: 'invalid' })
    await expect(store.remove([...keys, 'kept'])).rejects.toMatchObject({ code: 'invalid' })
    expect(await textOf(store, 'kept')).toBe('kept')
  })

  of('ranges', 'reads a range of bytes', async () => {
    const store = await files()
    const content = bytesOf(1_000_003)
    const stored = await store.put('a', content, plain)
    for (const [from, to] of [
      [0, 0],
      [0, 1_000_002],
      [65_535, 65_537],
      [300_001, 900_000],
      [1_000_002, 1_000_002],
      [1_000_000, 5_000_000],
    ] as const) {
      const found = await store.get('a', { from, to })
      expect(found?.file).toEqual(stored)
      expect(sha256(await readAll(found?.body))).toBe(sha256(content.subarray(from, to + 1)))
    }
  })

  of('ranges', 'rejects an invalid range, and one that begins after the content', async () => {
    const store = await files(['abc'])
    await store.put('empty', Buffer.alloc(0), plain)
    for (const [from, to] of [
      [3, 3],
      [2, 1],
      [-1, 1],
      [0.5, 1],
      [0, Number.NaN],
      [0, Number.POSITIVE_INFINITY],
    ] as const) {
      await expect(store.get('abc', { from, to })).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(store.get('empty', { from: 0, to: 0 })).rejects.toMatchObject({ code: 'invalid' })
  })

  of('ranges', 'lets a reader stop early', async () => {
    const store = await files()
    await store.put('a', bytesOf(3_000_000), plain)
    const [unread, begun] = [await store.get('a'), await store.get('a')]
    unread?.body.destroy()
    for await (const chunk of begun?.body ?? []) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect(begun?.body.destroyed).toBe(true)
    expect((await store.head('a'))?.sizeBytes).toBe(3_000_000)
  })

  for (const [name, source] of [
    ['a stream', (bytes: Buffer) => streamOf(bytes)],
    ['a buffer', (bytes: Buffer) => bytes],
  ] as const) {
    of('sizes', `accepts ${name} up to the limit`, async () => {
      const store = await files(['old'])
      const content = bytesOf(200_000)
      const put = (key: string, maxBytes: number) => store.put(key, source(content), { ...plain, maxBytes })
      await put('exact', 200_000)
      await put('less', 200_001)
      for (const maxBytes of [0, 199_999])
        await expect(put('old', maxBytes)).rejects.toMatchObject({ code: 'tooLarge' })
      expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['exact', 'less', 'old'])
      expect(await textOf(store, 'old')).toBe('old')
    })
  }

  of('sizes', 'stores empty content under a limit of 0 bytes', async () => {
    const store = await files()
    await store.put('empty', streamOf(Buffer.alloc(0)), { ...plain, maxBytes: 0 })
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['empty'])
  })
}

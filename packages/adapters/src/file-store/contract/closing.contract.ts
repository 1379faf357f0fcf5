import { expect } from 'vitest'
import {
  allMultiparts,
  bytesOf,
  keysOf,
  partBytes,
  plain,
  readAll,
  type Scene,
  send,
  sha256,
  signedPart,
  streamOf,
  stuckAfter,
  textOf,
} from './store.fixture.ts'

/** Contract of opening and closing a store. */
export const closingContract = ({ of, open }: Scene): void => {
  of('restart', 'finds all objects and uploads after a restart', async () => {
    const place = await open()
    const first = place.connect()
    await first.ensure()
    await first.ensure()
    await first.put('a/b.txt', Buffer.from('before'), plain)
    await first.put('a/b.txt', Buffer.from('kept'), { contentType: 'text/html' })
    await first.put('gone', Buffer.from('gone'), plain)
    await first.remove(['gone'])
    const uploadId = await first.startMultipart('large', plain)
    const content = bytesOf(partBytes)
    const part = await send(await signedPart(first, 'large', uploadId, 1, { expiresInSeconds: 60 }), content)
    const head = await first.head('a/b.txt')
    await first.close()

    const second = place.connect()
    expect(await second.head('a/b.txt')).toEqual(head)
    await second.ensure()
    expect(await textOf(second, 'a/b.txt')).toBe('kept')
    expect(keysOf(await second.list({ prefix: '', limit: 10 }))).toEqual(['a/b.txt'])
    const last = await send(await signedPart(second, 'large', uploadId, 2, { expiresInSeconds: 60 }), 'end')
    await second.completeMultipart('large', uploadId, [
      { part: 2, etag: last.etag },
      { part: 1, etag: part.etag },
    ])
    const found = await second.get('large')
    expect(sha256(await readAll(found?.body))).toBe(sha256(Buffer.concat([content, Buffer.from('end')])))
    await second.close()
  })

  of('closing', 'can be closed twice, and rejects every method afterwards', async () => {
    const store = (await open()).connect()
    await store.ensure()
    await store.put('a', Buffer.from('a'), plain)
    await Promise.all([store.close(), store.close()])
    await store.close()
    const source = streamOf(Buffer.from('b'))
    for (const call of [
      () => store.ensure(),
      () => store.put('b', source, plain),
      () => store.head('a'),
      () => store.get('a'),
      () => store.list({ prefix: '', limit: 1 }),
      () => store.remove(['a']),
      () => store.signPut('a', { ...plain, expiresInSeconds: 60 }),
      () => store.startMultipart('a', plain),
      () => store.signPart('a', 'id', 1, { expiresInSeconds: 60 }),
      () => store.completeMultipart('a', 'id', [{ part: 1, etag: 'e' }]),
      () => store.multipartBytes('a', 'id'),
      () => store.abortMultipart('a', 'id'),
      () => store.openMultiparts({ prefix: '', limit: 10 }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(source.destroyed).toBe(true)
  })

  of('closing', 'can be closed before its first use', async () => {
    await expect((await open()).connect().close()).resolves.toBeUndefined()
  })

  of('closing', 'aborts puts in progress when closed, and stores nothing of them', async () => {
    const place = await open()
    const first = place.connect()
    await first.ensure()
    await first.put('old', Buffer.from('old'), plain)
    const { source, given } = stuckAfter(2 * partBytes)
    const put = first.put('old', source, plain).catch((error: unknown) => error)
    await given
    await first.close()
    expect(await put).toMatchObject({ code: 'unavailable' })
    expect(source.destroyed).toBe(true)

    const second = place.connect()
    expect(await textOf(second, 'old')).toBe('old')
    expect(keysOf(await second.list({ prefix: '', limit: 10 }))).toEqual(['old'])
    expect(await allMultiparts(second, '')).toEqual([])
    await second.close()
  })
}

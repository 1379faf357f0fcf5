import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { startSignedPutServer } from '@cairn/testing/signed-put-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bytesOf, plain, send, signedPut, streamOf } from './contract/store.fixture.ts'
import { type LocalFileStore, localFileStore } from './local.ts'
import { fileStoreContract } from './port.contract.ts'

const signingKey = randomBytes(32)
const base = forFile((directory) => ({ directory, close: async () => {} }))
const newDirectory = () => join(mkdtempSync(join(base().directory, 'place-')), 'files')

fileStoreContract({
  open: async () => {
    const { clock, pass } = createManualClock()
    const directory = newDirectory()
    let current: LocalFileStore | undefined
    const files = () => {
      if (!current) throw new Error('no store is connected')
      return current
    }
    const server = await startSignedPutServer({ files, signingKey, now: clock.now })
    return {
      connect: () => {
        current = localFileStore({ directory, signingKey, clock, publicUrl: () => server.url })
        return current
      },
      pass,
      remove: async () => {
        await server.close()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  },
  lacks: {},
})

const contentIn = (directory: string) =>
  ['content', 'incoming'].flatMap((folder) =>
    readdirSync(join(directory, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  )

describe('contents of the local file store', () => {
  const shared = forFile((directory) => {
    const store = localFileStore({ directory, signingKey, publicUrl: () => '' })
    return { directory, store, close: () => store.close() }
  })
  const written = () => contentIn(shared().directory).length

  it('are rejected as a whole when the disk has no space for the rest', async () => {
    const directory = newDirectory()
    let pieces = 0
    const admit = () => {
      pieces += 1
      if (pieces === 3) throw new AppError('unavailable', 'no space')
    }
    const store = localFileStore({ directory, signingKey, publicUrl: () => '', admit })
    onTestFinished(() => store.close())
    const source = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1_000)))
    await expect(store.put('a', source, plain)).rejects.toMatchObject({ code: 'unavailable', message: 'no space' })
    expect([pieces, source.destroyed, contentIn(directory), await store.head('a')]).toEqual([3, true, [], undefined])
  })

  it('have their SHA-256 as etag, whether put, signed or in parts', async () => {
    const { store } = shared()
    const content = bytesOf(70_000)
    const etag = createHash('sha256').update(content).digest('hex')
    expect(await store.put('a', content, plain)).toMatchObject({ etag })
    const uploadId = await store.startMultipart('b', plain)
    const part = await store.putPart('b', uploadId, 1, streamOf(content), {})
    expect(part).toEqual({ part: 1, etag })
    expect(await store.completeMultipart('b', uploadId, [part])).toMatchObject({ etag })
  })

  it('are limited in size as parts, too', async () => {
    const { store } = shared()
    const uploadId = await store.startMultipart('c', plain)
    const before = written()
    const put = store.putPart('c', uploadId, 1, streamOf(Buffer.from('four')), { maxBytes: 3 })
    await expect(put).rejects.toMatchObject({ code: 'tooLarge' })
    await expect(store.putPart('c', 'unknown', 1, streamOf(Buffer.from('x')), {})).rejects.toMatchObject({
      code: 'notFound',
    })
    await expect(store.putPart('c', uploadId, 0, streamOf(Buffer.from('x')), {})).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(written()).toBe(before)
  })

  it('are removed when their multipart upload is aborted while they are sent', async () => {
    const { store } = shared()
    const uploadId = await store.startMultipart('d', plain)
    const before = written()
    const source = new PassThrough()
    const late = store.putPart('d', uploadId, 1, source, {}).catch((error: unknown) => error)
    source.write('begun')
    await expect.poll(written).toBe(before + 1)
    await store.abortMultipart('d', uploadId)
    source.end('ended')
    expect(await late).toMatchObject({ code: 'notFound' })
    expect(written()).toBe(before)
  })
})

describe('signed requests of the local file store', () => {
  it('are rejected after the signing key has changed', async () => {
    const store = localFileStore({ directory: newDirectory(), signingKey, publicUrl: () => server.url })
    onTestFinished(() => store.close())
    const server = await startSignedPutServer({ files: () => store, signingKey: randomBytes(32), now: Date.now })
    onTestFinished(() => server.close())
    const answer = await send(await signedPut(store, 'a', { ...plain, expiresInSeconds: 60 }), 'x')
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('<Code>SignatureDoesNotMatch</Code>') })
    expect(await store.head('a')).toBeUndefined()
  })

  it('need a key of 32 bytes', () => {
    expect(() => localFileStore({ directory: '/nowhere', publicUrl: () => '', signingKey: randomBytes(31) })).toThrow(
      /less than 32 bytes/,
    )
  })
})

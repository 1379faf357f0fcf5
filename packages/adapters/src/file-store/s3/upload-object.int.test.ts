import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Answer, fault, found, type Script, scripted, xml } from '../contract/scripted-s3.fixture.ts'
import { bytesOf, partBytes, plain, streamOf, stuckAfter } from '../contract/store.fixture.ts'
import { partSizeOf } from './upload-object.ts'

const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const etagOfTwo = (one: string, two: string) =>
  `${md5(Buffer.concat([Buffer.from(one, 'hex'), Buffer.from(two, 'hex')]))}-2`

/** Creates the script of a store that accepts an upload of two parts. `say` replaces the answers to some requests. */
const takingParts =
  (say: Partial<Record<string, (count: number) => Answer | 'cut' | 'silent'>>): Script =>
  (request, count) => {
    const said = say[request]?.(count)
    if (said) return said
    switch (request) {
      case 'POST a?uploads':
        return {
          status: 200,
          body: xml('<InitiateMultipartUploadResult><UploadId>up</UploadId></InitiateMultipartUploadResult>'),
        }
      case 'PUT a?partNumber':
        return { status: 200, headers: { etag: `"${md5(`part ${count}`)}"` } }
      case 'POST a?uploadId':
        return {
          status: 200,
          body: xml('<CompleteMultipartUploadResult><ETag>"whole-2"</ETag></CompleteMultipartUploadResult>'),
        }
      case 'DELETE a?uploadId':
        return count === 1 ? { status: 204 } : fault(404, 'NoSuchUpload')
      case 'HEAD a':
        return found('whole-2')
      default:
        throw new Error(`nobody expects ${request}`)
    }
  }
const twoParts = () => streamOf(bytesOf(partBytes + 10))
const partsOf = (...etags: string[]) =>
  xml(
    `<ListPartsResult>${etags.map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>"${etag}"</ETag><Size>${partBytes}</Size></Part>`).join('')}</ListPartsResult>`,
  )

describe('upload of parts to S3', () => {
  it('goes in one request when it fits into one part', async () => {
    const { store, requests, seen } = await scripted((request) =>
      request === 'PUT a' ? { status: 200, headers: { etag: '"x"' } } : found('x'),
    )
    expect(await store.put('a', streamOf(Buffer.from('abc')), plain)).toMatchObject({ etag: 'x', sizeBytes: 3 })
    expect(requests()).toEqual(['PUT a', 'HEAD a'])
    expect(seen[0]?.body).toBe('abc')
  })

  it('signs its content instead of sending a checksum if checksums are off', async () => {
    const { store, seen } = await scripted(takingParts({}), { checksums: 'when_required' })
    await store.put('a', twoParts(), plain)
    expect(seen.filter(({ request }) => request === 'PUT a?partNumber')).toHaveLength(2)
    for (const { headers, request, body } of seen) {
      const names = Object.keys(headers).filter(
        (name) => name.startsWith('x-amz-checksum') || name === 'x-amz-sdk-checksum-algorithm',
      )
      expect(names, request).toEqual([])
      if (request === 'PUT a?partNumber')
        expect(headers['x-amz-content-sha256']).toBe(
          createHash('sha256').update(Buffer.from(body, 'latin1')).digest('hex'),
        )
    }
  })

  it('signs a checksum, so that the store detects changed content', async () => {
    const { store, seen } = await scripted(takingParts({}))
    await store.put('a', twoParts(), plain)
    const parts = seen.filter(({ request }) => request === 'PUT a?partNumber')
    expect(parts).toHaveLength(2)
    for (const { headers, body } of parts) {
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(Buffer.from(body, 'latin1')))
      expect(headers).toMatchObject({
        'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        'x-amz-checksum-crc32': sum.toString('base64'),
        authorization: expect.stringMatching(/SignedHeaders=[^,]*x-amz-checksum-crc32;/),
      })
    }
  })

  it('is started once and completed once', async () => {
    const { store, requests } = await scripted(takingParts({}))
    expect(await store.put('a', twoParts(), plain)).toMatchObject({ etag: 'whole-2' })
    expect(requests().toSorted()).toEqual([
      'HEAD a',
      'POST a?uploadId',
      'POST a?uploads',
      'PUT a?partNumber',
      'PUT a?partNumber',
    ])
    for (const failed of ['cut', fault(503, 'SlowDown')] as const) {
      const refusing = await scripted(takingParts({ 'POST a?uploads': () => failed }))
      await expect(refusing.store.put('a', twoParts(), plain)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(refusing.store.startMultipart('a', plain)).rejects.toMatchObject({ code: 'unavailable' })
      expect(refusing.requests()).toEqual(['POST a?uploads', 'POST a?uploads'])
    }
  })

  it('sends a part again if the response is lost', async () => {
    const { store, requests } = await scripted(
      takingParts({ 'PUT a?partNumber': (count) => (count === 1 ? 'cut' : { status: 200, headers: { etag: '"e"' } }) }),
    )
    await store.put('a', twoParts(), plain)
    expect(requests().filter((request) => request === 'PUT a?partNumber')).toHaveLength(3)
  })

  it('is aborted until it is unknown when a part is rejected, even if the source is slow', async () => {
    const { store, requests } = await scripted(takingParts({ 'PUT a?partNumber': () => fault(403, 'AccessDenied') }))
    const { source } = stuckAfter(partBytes + 10)
    await expect(store.put('a', source, plain)).rejects.toMatchObject({ code: 'internal' })
    expect(source.destroyed).toBe(true)
    expect(requests().slice(-2)).toEqual(['DELETE a?uploadId', 'DELETE a?uploadId'])
  })

  it('is logged when it can not be aborted, and fails with the original error', async () => {
    const warnings: unknown[] = []
    const { store } = await scripted(
      takingParts({
        'PUT a?partNumber': () => fault(400, 'EntityTooLarge'),
        'DELETE a?uploadId': () => fault(403, 'AccessDenied'),
      }),
      { log: { warn: (fields, message) => warnings.push([fields, message]) } },
    )
    await expect(store.put('a', twoParts(), plain)).rejects.toMatchObject({ code: 'tooLarge' })
    expect(warnings).toEqual([
      [{ err: expect.objectContaining({ name: 'AccessDenied' }) }, expect.stringContaining('not aborted')],
    ])
  })

  const one = md5('one')
  const two = md5('two')
  const complete = [
    { part: 1, etag: one },
    { part: 2, etag: two },
  ]
  const listed = { 'GET a?uploadId': (): Answer => ({ status: 200, body: partsOf(one, two) }) }

  it('succeeds although the response to its completion was lost', async () => {
    const etag = etagOfTwo(one, two)
    const { store, requests } = await scripted(
      takingParts({
        ...listed,
        'POST a?uploadId': (count) => (count === 1 ? 'cut' : fault(404, 'NoSuchUpload')),
        'HEAD a': () => found(etag),
      }),
    )
    expect(await store.completeMultipart('a', 'up', complete)).toMatchObject({ key: 'a', etag })
    expect(requests()).toEqual(['GET a?uploadId', 'POST a?uploadId', 'POST a?uploadId', 'HEAD a', 'HEAD a'])
  })

  it('is unavailable when the response was lost and another object is there', async () => {
    const { store } = await scripted(
      takingParts({
        ...listed,
        'POST a?uploadId': (count) => (count === 1 ? 'cut' : fault(404, 'NoSuchUpload')),
        'HEAD a': () => found('other'),
      }),
    )
    await expect(store.completeMultipart('a', 'up', complete)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it.each([
    [2 * partBytes - 1, 'tooLarge'],
    [2 * partBytes, undefined],
    [2 * partBytes + 1, undefined],
  ])('is completed only if its parts have no more than %i bytes together', async (maxBytes, code) => {
    const { store, requests } = await scripted(takingParts({ ...listed }))
    const completing = store.completeMultipart('a', 'up', complete, { maxBytes })
    await (code
      ? expect(completing).rejects.toMatchObject({ code })
      : expect(completing).resolves.toMatchObject({ etag: 'whole-2' }))
    expect(requests()).toEqual(code ? ['GET a?uploadId'] : ['GET a?uploadId', 'POST a?uploadId', 'HEAD a'])
  })

  it('fails when a response of status 200 contains an error', async () => {
    const { store, requests } = await scripted(
      takingParts({ ...listed, 'POST a?uploadId': () => ({ ...fault(200, 'InternalError') }) }),
    )
    await expect(store.completeMultipart('a', 'up', complete)).rejects.toMatchObject({ code: 'unavailable' })
    expect(requests().filter((request) => request === 'POST a?uploadId')).toHaveLength(3)
  })

  it.each([
    [undefined, 5],
    [5_000_000_000, 5],
    [10_000 * 5 * 1024 ** 2, 5],
    [10_000 * 5 * 1024 ** 2 + 1, 6],
    [5 * 1024 ** 4, 525],
  ])('of %s bytes has parts of %i MiB', (maxBytes, mebibytes) => {
    const size = partSizeOf(maxBytes)
    expect(size).toBe(mebibytes * 1024 ** 2)
    expect(Math.ceil((maxBytes ?? 0) / size)).toBeLessThanOrEqual(10_000)
  })
})

import { expect, it } from 'vitest'
import { createFileScene } from '../files/file-scene.fixture.ts'
import { mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { ReserveInput } from './storage.ts'

const minute = 60_000

export const storageContract = (group: Group) =>
  behaviour('storage', group, (engine) => {
    const newScene = async () => {
      const { store } = engine
      const scene = await createFileScene(store)
      const { accountId, namespaceId } = scene
      const permit = async (name: string, uploadId: string | null = null) => {
        const grant = await store.grants.open({
          namespaceId,
          accountId,
          name,
          key: `${accountId}/name/${name}`,
          contentType: 'text/plain',
          expiresAt: wallAt + 15 * minute,
          uploadId,
          correlationId: 'request-4',
          traceparent: null,
          createdAt: wallAt,
        })
        if (!grant) throw new Error('no grant was to be had')
        return grant
      }
      const reserve = async (name: string, bytes: number | null, more: Partial<ReserveInput> = {}) => {
        const quota = { bytes: 100, openUploads: null }
        return store.grants.reserve({
          accountId,
          namespaceId,
          name,
          of: 'put',
          bytes,
          until: wallAt + minute,
          at: wallAt,
          quota,
          ...more,
        })
      }
      const opened = async (name: string, bytes: number | null, more: Partial<ReserveInput> = {}) => {
        await permit(name)
        return reserve(name, bytes, more)
      }
      const stored = (at = wallAt) => store.storedBytes(accountId, at)
      const grant = (name: string) => store.grants.get(namespaceId, name)
      return { ...scene, permit, reserve, opened, stored, grant }
    }

    it('adds up the files of an account over its namespaces, and what is reserved until its time', async () => {
      const { arrived, opened, stored, accountId } = await newScene()
      const other = await newScene()
      expect(await stored()).toBe(0)
      await arrived('a.txt', 'x'.repeat(10))
      await arrived('b.txt', 'x'.repeat(5))
      await other.arrived('a.txt', 'x'.repeat(7))
      expect(await stored()).toBe(15)
      expect(await opened('c.txt', 20)).toBe('reserved')
      expect(await opened('d.txt', null)).toBe('reserved')
      expect([await stored(), await stored(wallAt + minute - 1), await stored(wallAt + minute)]).toEqual([35, 35, 15])
      await arrived('b.txt', 'x'.repeat(6), { object: { etag: 'other', sizeBytes: 6, modifiedAt: wallAt + 1 } })
      expect(await stored()).toBe(36)
      expect(await other.stored()).toBe(7)
      await engine.store.deleteFile(other.deleteFileInput('a.txt'))
      expect([await other.stored(), await engine.store.storedBytes(accountId, wallAt)]).toEqual([0, 36])
    })

    it('reserves up to the limit and not one byte more', async () => {
      const { arrived, opened, reserve, stored } = await newScene()
      await arrived('a.txt', 'x'.repeat(40))
      expect(await opened('b.txt', 61)).toEqual({ overLimit: 40 })
      expect(await stored()).toBe(40)
      expect(await reserve('b.txt', 59)).toBe('reserved')
      expect(await opened('c.txt', 2)).toEqual({ overLimit: 99 })
      expect(await reserve('c.txt', 1)).toBe('reserved')
      expect(await stored()).toBe(100)
      // Replaces the earlier reservation but never lowers it: the earlier upload URL may still be used.
      expect(await reserve('b.txt', 50)).toBe('reserved')
      expect(await reserve('b.txt', 60)).toEqual({ overLimit: 41 })
      expect(await stored()).toBe(100)
      // Uploads in flight are counted too; a check without `until` reserves nothing.
      expect(await reserve('d.txt', 1, { until: null })).toEqual({ overLimit: 100 })
      expect(await reserve('b.txt', 59, { until: null, inFlight: 1 })).toEqual({ overLimit: 42 })
      expect(await reserve('b.txt', 59, { until: null })).toBe('reserved')
      expect(await stored()).toBe(100)
    })

    it('leaves out the file that is replaced', async () => {
      const { arrived, opened } = await newScene()
      await arrived('a.txt', 'x'.repeat(60))
      await arrived('b.txt', 'x'.repeat(40))
      expect(await opened('a.txt', 61)).toEqual({ overLimit: 100 })
      expect(await opened('a.txt', 60)).toBe('reserved')
      expect(await opened('b.txt', null)).toEqual({ overLimit: 160 })
    })

    it('refuses what has no announced size once the limit is reached, and not before', async () => {
      const { arrived, opened } = await newScene()
      await arrived('a.txt', 'x'.repeat(99))
      expect(await opened('b.txt', null)).toBe('reserved')
      await arrived('c.txt', 'x')
      expect(await opened('d.txt', null)).toEqual({ overLimit: 100 })
      expect(await opened('e.txt', 1, { quota: { bytes: null, openUploads: 0 } })).toBe('reserved')
    })

    it('counts open uploads of unannounced size until they arrive, are revoked, released or over', async () => {
      const { store } = engine
      const { opened, reserve, permit, grant, namespaceId, accountId } = await newScene()
      const quota = { bytes: null, openUploads: 3 }
      for (const name of ['a', 'b', 'c']) expect(await opened(name, null, { quota })).toBe('reserved')
      expect(await opened('sized', 50, { quota })).toBe('reserved')
      expect(await opened('d', null, { quota })).toEqual({ overOpenUploads: 3 })
      const a = await grant('a')
      if (!a) throw new Error('there is no grant a')
      await store.grants.recordCheck(a, { afterMs: 1, registered: { etag: 'e', sizeBytes: 1, modifiedAt: wallAt } })
      expect(await reserve('d', null, { quota })).toBe('reserved')
      await store.grants.revoke(namespaceId, 'b')
      expect(await opened('e', null, { quota })).toBe('reserved')
      expect(await reserve('c', 5, { quota })).toBe('reserved')
      expect(await opened('f', null, { quota })).toEqual({ overOpenUploads: 3 })
      await store.grants.revoke(namespaceId, 'c')
      expect(await reserve('f', null, { quota, of: 'parts' })).toBe('reserved')
      expect(await opened('g', null, { quota })).toEqual({ overOpenUploads: 3 })
      expect(await store.grants.reserved(accountId, wallAt)).toEqual({ bytes: 50, openUploads: 3 })
      await store.grants.endMultipart(namespaceId, 'f', 'another')
      await permit('g')
      expect(await reserve('g', null, { quota, at: wallAt + minute, until: wallAt + 2 * minute })).toBe('reserved')
    })

    it('keeps what an address of announced size has reserved when another one of the name is given without a size', async () => {
      const { opened, reserve, stored } = await newScene()
      expect(await opened('a.txt', 50)).toBe('reserved')
      expect(await reserve('a.txt', null)).toBe('reserved')
      expect(await stored()).toBe(50)
      expect(await reserve('a.txt', 60)).toBe('reserved')
      expect(await stored()).toBe(60)
    })

    it('reserves parts of the upload that is under way alone, and nothing once the grant is revoked', async () => {
      const { store } = engine
      const { permit, reserve, stored, namespaceId } = await newScene()
      await permit('a.txt', 'upload-1')
      expect(await reserve('a.txt', 40, { of: 'parts', uploadId: 'upload-1' })).toBe('reserved')
      expect(await reserve('a.txt', 70, { of: 'parts', uploadId: 'upload-0' })).toBe('gone')
      expect(await stored()).toBe(40)
      await store.grants.revoke(namespaceId, 'a.txt')
      expect(await stored()).toBe(0)
      expect(await reserve('a.txt', 70, { of: 'parts', uploadId: 'upload-1' })).toBe('gone')
    })

    it('fails what arrives beyond the limit, and not what fits beside it and arrives at the same moment', async () => {
      const { store } = engine
      for (let round = 0; round < 5; round += 1) {
        const { registerInput, permit, stored } = await newScene()
        for (const name of ['fits.txt', 'large.txt']) await permit(name)
        const arrive = (name: string, bytes: number) =>
          store.files.register(registerInput(name, name.padEnd(bytes, 'x'), { limit: 100 }))
        const [fits, large] = await Promise.all([arrive('fits.txt', 60), arrive('large.txt', 101)])
        expect([fits.outcome, large.outcome]).toEqual(['queued', 'overLimit'])
        expect(await stored()).toBe(60)
      }
    })

    it('moves the reservation of parts to the object that they become, and back', async () => {
      const { store } = engine
      const { permit, reserve, stored, namespaceId, registerInput, grant } = await newScene()
      await permit('a.txt', 'upload-1')
      await reserve('a.txt', 60, { of: 'parts', uploadId: 'upload-1' })
      const upload = { namespaceId, name: 'a.txt', uploadId: 'upload-1' }
      const reservation = { bytes: 60, until: wallAt + minute }
      expect(await store.grants.moveReservation({ ...upload, uploadId: 'upload-0' }, 'put', reservation)).toBe(false)
      expect(await store.grants.moveReservation(upload, 'put', reservation)).toBe(true)
      expect(await stored()).toBe(60)
      expect(await store.grants.moveReservation(upload, 'parts', reservation)).toBe(true)
      expect([await stored(), await grant('a.txt')]).toMatchObject([60, { reservedUntil: null, partsBytes: 60 }])
      await store.grants.moveReservation(upload, 'put', reservation)
      // The file is registered while its bytes are still reserved: they are counted once.
      expect(await store.files.register(registerInput('a.txt', 'x'.repeat(60), { limit: 100 }))).toMatchObject({
        outcome: 'queued',
      })
      const known = await grant('a.txt')
      if (known)
        await store.grants.recordCheck(known, {
          afterMs: 1,
          registered: { etag: 'e', sizeBytes: 60, modifiedAt: wallAt },
        })
      expect(await stored()).toBe(60)
    })

    it('keeps apart what a PUT and what parts of the same name reserve', async () => {
      const { store } = engine
      const { opened, reserve, stored, grant, namespaceId, registerInput } = await newScene()
      expect(await opened('a.txt', 10)).toBe('reserved')
      expect(await reserve('a.txt', 20, { of: 'parts', until: wallAt + 5 * minute })).toBe('reserved')
      expect(await reserve('a.txt', 15, { of: 'parts', until: wallAt + 5 * minute })).toBe('reserved')
      expect(await stored()).toBe(25)
      expect(await store.files.register(registerInput('a.txt', 'x'.repeat(10), { limit: 25 }))).toMatchObject({
        outcome: 'queued',
      })
      const a = await grant('a.txt')
      if (!a) throw new Error('there is no grant')
      const seen = { etag: 'e', sizeBytes: 10, modifiedAt: wallAt }
      await store.grants.recordCheck(a, { afterMs: 1, registered: seen, inForm: true })
      expect(await stored()).toBe(35)
      const b = await grant('a.txt')
      if (b) await store.grants.recordCheck(b, { afterMs: 1, registered: seen })
      expect([await stored(), await stored(wallAt + 2 * minute), await stored(wallAt + 5 * minute)]).toEqual([
        25, 25, 10,
      ])
      expect(await store.files.register(registerInput('b.txt', 'x', { limit: 25 }))).toMatchObject({
        outcome: 'overLimit',
        stored: 25,
      })
      await store.grants.endMultipart(namespaceId, 'a.txt', 'no such upload')
      expect(await stored()).toBe(25)
    })

    it('reserves nothing under a grant that is not open', async () => {
      const { opened, reserve, stored, namespaceId } = await newScene()
      expect(await reserve('a.txt', 1)).toBe('gone')
      await opened('a.txt', 1)
      await engine.store.grants.revoke(namespaceId, 'a.txt')
      expect(await reserve('a.txt', 1)).toBe('gone')
      expect(await stored()).toBe(0)
    })

    it('never goes beyond the limit, however many ask at once', async () => {
      const { permit, reserve, stored } = await newScene()
      const names = times(24, (n) => `${n}.txt`)
      for (const name of names) await permit(name)
      const results = await Promise.all(names.map((name) => reserve(name, 10)))
      const reserved = results.filter((result) => result === 'reserved').length
      expect(reserved).toBeLessThanOrEqual(10)
      expect(await stored()).toBe(10 * reserved)
    })

    it('fails a file that arrives beyond the limit, and counts nothing of it', async () => {
      const { store } = engine
      const { registerInput, permit, stored, leased, arrived, read } = await newScene()
      await arrived('a.txt', 'x'.repeat(60))
      for (const name of ['b.txt', 'c.txt']) await permit(name)
      expect(await store.files.register(registerInput('b.txt', 'x'.repeat(40), { limit: 100 }))).toMatchObject({
        outcome: 'queued',
      })
      const beyond = registerInput('c.txt', 'x', { limit: 100 })
      expect(await store.files.register(beyond)).toMatchObject({
        outcome: 'overLimit',
        stored: 100,
        file: {
          state: 'queued',
          bytes: 0,
          bytesRemovedAt: wallAt,
          outcome: { state: 'failed', reason: 'quota_exceeded' },
        },
      })
      expect(await store.files.register(beyond)).toMatchObject({ outcome: 'known' })
      expect(await stored()).toBe(100)
      const { lease } = await leased(await read('c.txt'))
      expect(await store.files.complete(lease, { times: {}, at: wallAt })).toBe(true)
      const failed = await read('c.txt')
      expect(failed).toMatchObject({ state: 'failed' })
      // Without its bytes the file can't be processed again.
      const next = {
        from: failed.version,
        version: mint('fver'),
        options: {},
        at: wallAt,
        correlationId: '',
        traceparent: null,
      }
      expect(await store.files.reprocess(failed.id, next)).toBeUndefined()
      // A failed file is accepted once there is capacity for it.
      const again = registerInput('c.txt', 'x', { limit: 101, object: { ...beyond.object, modifiedAt: wallAt + 1 } })
      expect(await store.files.register(again)).toMatchObject({
        outcome: 'queued',
        file: { state: 'queued', bytes: 1, outcome: null },
      })
    })

    it('takes a file in the place of a larger one, and one that was reserved, at the limit', async () => {
      const { store } = engine
      const { registerInput, opened, stored, arrived, grant } = await newScene()
      await arrived('a.txt', 'x'.repeat(60))
      expect(await opened('b.txt', 40)).toBe('reserved')
      expect(await store.files.register(registerInput('b.txt', 'x'.repeat(40), { limit: 100 }))).toMatchObject({
        outcome: 'queued',
      })
      const b = await grant('b.txt')
      if (b)
        await store.grants.recordCheck(b, {
          afterMs: 1,
          registered: { etag: 'e', sizeBytes: 40, modifiedAt: wallAt },
        })
      const smaller = registerInput('a.txt', 'x'.repeat(59), { limit: 99 })
      expect(await store.files.register(smaller)).toMatchObject({ outcome: 'queued' })
      expect(await stored(wallAt + 15 * minute)).toBe(99)
    })

    it('gives failed files whose bytes may go, until they are kept for longer or gone', async () => {
      const { files } = engine.store
      const { arrived, leased, read, stored, namespaceId } = await newScene()
      const { file, lease } = await leased(await arrived('a.txt', 'x'.repeat(9)))
      await files.fail(lease, { version: file.version, reason: 'damaged', message: 'm', at: wallAt })
      const listed = async () =>
        (await files.withFailedBytes(10_000)).filter((one) => one.namespaceId === namespaceId).map(({ name }) => name)
      expect(await listed()).toEqual([])
      await files.complete(lease, { times: {}, at: wallAt })
      expect(await listed()).toEqual(['a.txt'])
      await files.keepBytes(file, 10_000)
      await files.keepBytes({ ...file, version: 'another' }, 0)
      expect(await listed()).toEqual([])
      await engine.advance(10_100)
      expect(await listed()).toEqual(['a.txt'])
      await files.recordBytesRemoved({ ...file, version: 'another' }, wallAt)
      expect(await stored()).toBe(9)
      await files.recordBytesRemoved(file, wallAt + 5)
      expect(await stored()).toBe(0)
      expect(await listed()).toEqual([])
      expect(await read('a.txt')).toMatchObject({ state: 'failed', bytes: 0, bytesRemovedAt: wallAt + 5 })
      const next = {
        from: file.version,
        version: mint('fver'),
        options: {},
        at: wallAt,
        correlationId: '',
        traceparent: null,
      }
      expect(await files.reprocess(file.id, next)).toBeUndefined()
      const brought = await arrived('a.txt', 'x'.repeat(9), {
        object: { etag: 'other', sizeBytes: 9, modifiedAt: wallAt + 9 },
      })
      expect(brought).toMatchObject({ state: 'queued', bytes: 9, bytesRemovedAt: null })
    })
  })

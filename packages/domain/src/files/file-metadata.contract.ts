import { expect, it } from 'vitest'
import { mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { createFileScene, drafts, object } from './file-scene.fixture.ts'

export const fileMetadataContract = (group: Group) =>
  behaviour('metadata of files', group, (engine) => {
    const newScene = async () => {
      const scene = await createFileScene(engine.store)
      const { accountId, namespaceId } = scene
      /** Opens the upload permission of a file. */
      const permit = (name: string, metadata?: string | null) =>
        engine.store.grants.open({
          namespaceId,
          accountId,
          name,
          key: `${accountId}/name/${name}`,
          contentType: 'text/plain',
          expiresAt: wallAt + 900_000,
          ...(metadata === undefined ? {} : { metadata }),
          correlationId: 'request-4',
          traceparent: null,
          createdAt: wallAt,
        })
      const change = (name: string, metadata: string) =>
        engine.store.files.changeMetadata(namespaceId, name, {
          metadata,
          version: mint('fver'),
          at: wallAt + 1,
          correlationId: 'request-5',
          traceparent: null,
        })
      return { ...scene, permit, change }
    }

    it('are those of the permission under which the file arrives', async () => {
      const scene = await newScene()
      await scene.permit('a.txt', '{"a":1}')
      expect(await scene.arrived('a.txt')).toMatchObject({ metadata: '{"a":1}', version: expect.any(String) })
      expect((await scene.arrived('b.txt')).metadata).toBeUndefined()
    })

    it('stay when other bytes arrive without any, and change with those that have some', async () => {
      const scene = await newScene()
      await scene.permit('a.txt', '{"a":1}')
      await scene.arrived('a.txt', 'one')
      await scene.permit('a.txt', null)
      expect(await scene.arrived('a.txt', 'two')).toMatchObject({ metadata: '{"a":1}' })
      await scene.permit('a.txt', '{"a":2}')
      expect(await scene.arrived('a.txt', 'three')).toMatchObject({ metadata: '{"a":2}', copiedFrom: null })
    })

    it('of an object that is registered already are not set again', async () => {
      const scene = await newScene()
      await scene.permit('a.txt', '{"a":1}')
      await scene.arrived('a.txt', 'one')
      await scene.change('a.txt', '{"a":2}')
      expect(await engine.store.files.register(scene.registerInput('a.txt', 'one'))).toMatchObject({
        outcome: 'known',
        file: { metadata: '{"a":2}' },
      })
    })

    it('change alone when the same bytes arrive again, by copying the published version', async () => {
      const scene = await newScene()
      const { version } = await scene.published('a.txt', 2)
      await scene.permit('a.txt', '{"a":1}')
      const again = object('content', { modifiedAt: wallAt + 5 })
      expect(
        await engine.store.files.register(scene.registerInput('a.txt', 'content', { object: again })),
      ).toMatchObject({
        outcome: 'queued',
        file: { state: 'queued', metadata: '{"a":1}', copiedFrom: version, live: { version }, object: again },
      })
      const equal = object('content', { modifiedAt: wallAt + 6 })
      expect(
        await engine.store.files.register(scene.registerInput('a.txt', 'content', { object: equal })),
      ).toMatchObject({ outcome: 'unchanged' })
    })

    it('change with an upload of the same bytes within the same second, unless the object was only found', async () => {
      const scene = await newScene()
      const { version } = await scene.published('a.txt', 2)
      await scene.permit('a.txt', '{"a":1}')
      const input = scene.registerInput('a.txt', 'content')
      expect(await engine.store.files.register(input)).toMatchObject({ outcome: 'known' })
      expect(await engine.store.files.register({ ...input, isUpload: true })).toMatchObject({
        outcome: 'queued',
        file: { metadata: '{"a":1}', copiedFrom: version },
      })
    })

    it('change as a version of its own, which copies the published one, until that is no longer its source', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { version } = await scene.published('a.txt', 2)
      expect(await scene.change('a.txt', '{"a":1}')).toMatchObject({
        outcome: 'queued',
        file: { state: 'queued', metadata: '{"a":1}', copiedFrom: version, live: { version }, outcome: null },
      })
      // A second change while the first is being processed copies the same version.
      const { lease } = await scene.leased(await scene.read('a.txt'))
      expect(await scene.change('a.txt', '{"a":2}')).toMatchObject({ file: { copiedFrom: version, live: { version } } })
      expect(await files.renew(lease)).toBe(false)
      // Other bytes are extracted, and so is a retry.
      expect(await scene.arrived('a.txt', 'other')).toMatchObject({ copiedFrom: null, metadata: '{"a":2}' })
      expect(await scene.change('a.txt', '{"a":3}')).toMatchObject({ file: { copiedFrom: null } })
    })

    it('change while the file is first extracted, which then begins anew', async () => {
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await scene.submit(file, lease, drafts('a.txt', 0, 2))).toBe(true)
      expect(await scene.change('a.txt', '{"a":1}')).toMatchObject({
        outcome: 'queued',
        file: { copiedFrom: null, live: null, stale: [file.version], checkpoint: null },
      })
      expect(await scene.publish(file, lease, 2)).toBe('lost')
    })

    it('of a failed version are extracted with it, and of one whose bytes are gone stay', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { version } = await scene.published('a.txt', 2)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      await files.fail(lease, { version: file.version, reason: 'damaged', message: '', at: wallAt })
      await files.complete(lease, { times: {}, at: wallAt })
      expect(await scene.change('a.txt', '{"a":1}')).toMatchObject({ file: { copiedFrom: null, live: { version } } })
      const next = await scene.leased(await scene.read('a.txt'))
      await files.fail(next.lease, { version: next.file.version, reason: 'damaged', message: '', at: wallAt })
      await files.complete(next.lease, { times: {}, at: wallAt })
      await files.recordBytesRemoved(next.file, wallAt)
      expect(await scene.change('a.txt', '{"a":2}')).toMatchObject({
        outcome: 'withoutBytes',
        file: { metadata: '{"a":1}' },
      })
    })

    it('of a failed version stay if its bytes are removed at the same moment', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      await files.fail(lease, { version: file.version, reason: 'damaged', message: '', at: wallAt })
      await files.complete(lease, { times: {}, at: wallAt })
      const goOn = await engine.stall('change metadata', (other) =>
        other.files.changeMetadata(scene.namespaceId, 'a.txt', {
          metadata: '{"a":1}',
          version: mint('fver'),
          at: wallAt,
          correlationId: 'r',
          traceparent: null,
        }),
      )
      await files.recordBytesRemoved(file, wallAt)
      expect(await goOn()).toMatchObject({ outcome: 'withoutBytes', file: { version: file.version, state: 'failed' } })
    })

    it('that change while the quota is checked do not end the check', async () => {
      const scene = await newScene()
      const goOn = await engine.stall('register: over the limit', (other) =>
        other.files.register(scene.registerInput('a.txt', 'content', { limit: 3 })),
      )
      const { file } = (await scene.change('a.txt', '{"a":1}')) ?? {}
      expect(await goOn()).toMatchObject({ outcome: 'overLimit', stored: 0, file: { version: file?.version } })
      expect(await scene.read('a.txt')).toMatchObject({
        metadata: '{"a":1}',
        outcome: { state: 'failed', reason: 'quota_exceeded' },
        bytes: 0,
      })
    })

    it('that are equal change nothing, and those of no file are not set', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const before = await scene.published('a.txt', 1)
      expect(await scene.change('a.txt', '{}')).toEqual({ outcome: 'unchanged', file: before })
      await scene.change('a.txt', '{"a":1}')
      expect(await scene.change('a.txt', '{"a":1}')).toMatchObject({ outcome: 'unchanged' })
      expect(await scene.change('b.txt', '{"a":1}')).toBeUndefined()
      expect(
        await files.changeMetadata('nowhere', 'a.txt', {
          metadata: '{"a":1}',
          version: mint('fver'),
          at: wallAt,
          correlationId: 'r',
          traceparent: null,
        }),
      ).toBeUndefined()
    })

    it('that many requests change at once end as one of theirs', async () => {
      const scene = await newScene()
      const { version } = await scene.published('a.txt', 1)
      await Promise.all(times(8, (n) => scene.change('a.txt', `{"a":${n}}`)))
      const file = await scene.read('a.txt')
      expect(file).toMatchObject({ copiedFrom: version, live: { version }, state: 'queued' })
      expect(file.metadata).toMatch(/^\{"a":[0-7]\}$/)
    })

    it('are copied only from a version that was published before', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      await scene.submit(file, lease, drafts('a.txt', 0, 1))
      // The version is published while the change is under way.
      const goOn = await engine.stall('change metadata', (other) =>
        other.files.changeMetadata(scene.namespaceId, 'a.txt', {
          metadata: '{"a":1}',
          version: mint('fver'),
          at: wallAt,
          correlationId: 'r',
          traceparent: null,
        }),
      )
      expect(await scene.publish(file, lease, 1)).toBe('published')
      await goOn()
      expect(await scene.read('a.txt')).toMatchObject({
        copiedFrom: file.version,
        live: { version: file.version },
        stale: [],
      })
      expect(await files.renew(lease)).toBe(false)
    })
  })

import { expect, it } from 'vitest'
import { allOverdueMs, mint, sweep, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { createFileScene } from './file-scene.fixture.ts'

export const deletingFilesContract = (group: Group) =>
  behaviour('deleting files', group, (engine) => {
    const newScene = () => createFileScene(engine.store)

    it('forgets a file, whatever is done with it, and lists every version of it', async () => {
      const { store } = engine
      const scene = await newScene()
      const former = await scene.published('a.txt', 3)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      const result = await store.deleteFile(scene.deleteFileInput('a.txt'))
      expect(result).toMatchObject({
        outcome: 'deleted',
        file: { id: file.id },
        deletion: { target: 'file', state: 'queued', itemsDone: true, file: { id: file.id, name: 'a.txt' } },
      })
      if (result.outcome === 'deleted')
        expect(result.deletion.file?.versions.toSorted()).toEqual([former.version, file.version].toSorted())
      expect(await store.files.byName(scene.namespaceId, 'a.txt')).toBeUndefined()
      expect(await store.chunks.published(scene.namespaceId, ['a.txt_chunk_0'])).toEqual([])
      expect(await scene.publish(file, lease, 1)).toBe('lost')
      expect((await scene.namespace()).itemCount).toBe(0)
      await scene.expectExact()
    })

    it('notes a deletion also where there is no record, and refuses a namespace that is gone', async () => {
      const { store } = engine
      const scene = await newScene()
      expect(await store.deleteFile(scene.deleteFileInput('a.txt'))).toMatchObject({
        outcome: 'deleted',
        file: undefined,
        deletion: { file: { id: null, versions: [] } },
      })
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await store.deleteFile(scene.deleteFileInput('a.txt'))).toEqual({ outcome: 'namespaceGone' })
      expect((await scene.account()).reservationCount).toBe(0)
    })

    it('is not misled by a file that is replaced meanwhile', async () => {
      const { store } = engine
      const scene = await newScene()
      const former = await scene.published('a.txt', 1)
      const goOn = await engine.stall('delete file: claim record', (other) =>
        other.deleteFile(scene.deleteFileInput('a.txt')),
      )
      const next = await scene.arrived('a.txt', 'other')
      const result = await goOn()
      if (result.outcome !== 'deleted') throw new Error(result.outcome)
      expect(result.deletion.file?.versions.toSorted()).toEqual([former.version, next.version].toSorted())
      expect(await store.files.byName(scene.namespaceId, 'a.txt')).toBeUndefined()
      await scene.expectExact()
    })

    it('counts exactly, and ends, wherever a request dies', async () => {
      const { store } = engine
      for (const step of [
        'delete file: enter account',
        'delete file: enter namespace',
        'delete file: record',
        'delete file: claim record',
        'delete file: queue',
        'delete file: remove record',
        'delete file: leave account',
        'delete file: leave namespace',
      ] as const) {
        const scene = await newScene()
        await scene.published('a.txt', 2)
        const input = scene.deleteFileInput('a.txt')
        await engine.stall(step, (other) => other.deleteFile(input))
        await engine.advance(allOverdueMs)
        await sweep(scene)
        const left = await store.files.byName(scene.namespaceId, 'a.txt')
        // Until the record is written there is no deletion; from then on there is one that completes.
        expect({ step, left: left !== undefined }).toEqual({
          step,
          left: ['delete file: enter account', 'delete file: enter namespace', 'delete file: record'].includes(step),
        })
        await scene.expectExact()
      }
    })

    it('takes nothing over of a file that was brought again', async () => {
      const { store } = engine
      const scene = await newScene()
      await scene.published('a.txt', 1)
      const input = scene.deleteFileInput('a.txt')
      await engine.stall('delete file: claim record', (other) => other.deleteFile(input))
      const next = await scene.arrived('a.txt', 'other')
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await store.files.byName(scene.namespaceId, 'a.txt')).toMatchObject({ version: next.version })
      await scene.expectExact()
    })

    it('is not overtaken by an arrival that was under way, unless the file may be brought again', async () => {
      const { files, grants } = engine.store
      const scene = await newScene()
      const { accountId, namespaceId } = scene
      const times = { expiresAt: wallAt + 900_000, createdAt: wallAt }
      const asked = { contentType: 'text/plain', uploadId: null, correlationId: 'request-4', traceparent: null }
      const open = (name: string) =>
        grants.open({ namespaceId, accountId, name, key: `${accountId}/name/${name}`, ...asked, ...times })
      for (const name of ['a.txt', 'b.txt']) {
        await open(name)
        const goOn = await engine.stall('register: insert', (other) =>
          other.files.register(scene.registerInput(name, 'content')),
        )
        await engine.store.deleteFile(scene.deleteFileInput(name))
        if (name === 'b.txt') await open(name)
        expect(await goOn()).toMatchObject({ outcome: name === 'a.txt' ? 'revoked' : 'queued' })
      }
      expect(await files.byName(namespaceId, 'a.txt')).toBeUndefined()
      expect(await files.byName(namespaceId, 'b.txt')).toMatchObject({ state: 'queued' })
      await scene.expectExact()
    })

    it('goes with its namespace', async () => {
      const { files, deletions } = engine.store
      const scene = await newScene()
      await scene.published('a.txt', 1)
      await scene.published('b.txt', 1)
      await engine.store.deleteFile(scene.deleteFileInput('b.txt'))
      expect(await files.countOfNamespace(scene.namespaceId)).toBe(1)
      expect(await files.removeOfNamespace(scene.namespaceId, 10)).toBe(1)
      expect(await deletions.countOfNamespace(scene.namespaceId)).toBe(1)
      expect(await deletions.removeOfNamespace(scene.namespaceId, 10)).toBe(1)
      expect(await deletions.countOfNamespace(scene.namespaceId)).toBe(0)
    })
  })

import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { mint } from '@cairn/domain/protocol/scene.fixture'
import { forFile } from '@cairn/testing/for-file'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Content } from './disk-space.ts'
import { guardDisk } from './guard-disk.ts'

const vectors = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const space = { key: 'vectors', dimension: 2 }

/**
 * Wraps stores with a disk guard that, once this resolves, refuses files and records. `asked` lists the writes
 * requested since.
 */
const setUp = async () => {
  const store = stepwiseStore({ now: () => 0 })
  const files = memoryFiles(() => 0)
  const asked: string[] = []
  const state = { refuses: [] as readonly Content[] }
  const admit = (content: Content, bytes?: number) => {
    asked.push(bytes === undefined ? content : `${content} ${bytes}`)
    if (state.refuses.includes(content)) throw new AppError('unavailable', 'The disk is full.')
  }
  const guarded = guardDisk({ store, vectors: vectors(), files }, { admit })
  const scene = await createFileScene(guarded.store)
  await scene.accepted(['a'])
  state.refuses = ['files', 'records']
  asked.length = 0
  return { ...guarded, scene, asked, files: guarded.files, unguarded: files }
}

const refused = expect.objectContaining({ code: 'unavailable', message: 'The disk is full.' })

it('refuses new documents, namespaces, points and permissions for files before anything of them is written', async () => {
  const { scene, store, vectors, asked } = await setUp()
  await expect(scene.accepted(['b'])).rejects.toEqual(refused)
  const namespace = { ...(await scene.namespace()), id: mint('namespace'), name: 'another', limit: null }
  await expect(store.createNamespace(namespace)).rejects.toEqual(refused)
  await expect(vectors.upsert(space, [])).rejects.toEqual(refused)
  await expect(store.grants.open({} as never)).rejects.toEqual(refused)
  await expect(store.chunks.submit({} as never)).rejects.toEqual(refused)
  expect(asked).toEqual(['records', 'records', 'records', 'files', 'records'])
  expect(await store.namespaces.byName(namespace.accountId, 'another')).toBeUndefined()
  await scene.expectExact()
})

it('lets deletions through', async () => {
  const { store, vectors, scene, asked } = await setUp()
  const { id } = await scene.namespace()
  await store.beginNamespaceDeletion(id, mint('deletion'), 0)
  expect((await store.namespaces.get(id))?.state).toBe('deleting')
  await vectors.removeNamespace(space, id, 100)
  expect(asked).toEqual([])
})

it('refuses to copy a file for which there is no space, and lets go of it', async () => {
  const { files, unguarded, asked } = await setUp()
  await unguarded.put('a.txt', Buffer.from('12345'), { contentType: 'text/plain' })
  const given: Readable[] = []
  const watched = guardDisk(
    {
      store: {} as never,
      vectors: {} as never,
      files: {
        ...unguarded,
        get: async (key, range) => {
          const found = await unguarded.get(key, range)
          if (found) given.push(found.body)
          return found
        },
      },
    },
    {
      admit: () => {
        throw new AppError('unavailable', 'The disk is full.')
      },
    },
  )
  await expect(watched.files.get('a.txt')).rejects.toEqual(refused)
  expect(given.map(({ destroyed }) => destroyed)).toEqual([true])
  await expect(files.get('a.txt')).rejects.toEqual(refused)
  expect(asked).toEqual(['files 5'])
})

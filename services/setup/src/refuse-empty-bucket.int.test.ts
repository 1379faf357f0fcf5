import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { claimObjects } from '@cairn/domain/files/claim-objects'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { randomIds } from '@cairn/domain/ids'
import { memoryFiles } from '@cairn/testing/memory-files'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { refuseEmptyBucket } from './refuse-empty-bucket.ts'

const setUp = async () => {
  const store = sqliteStore({ file: temporaryFile() })
  onTestFinished(() => store.close())
  return { store, files: memoryFiles(), scene: await createFileScene(store) }
}

it('goes on with an empty bucket while no file is recorded, and with one that has objects', async () => {
  const { store, files, scene } = await setUp()
  await refuseEmptyBucket(store, files)
  await claimObjects({ store, files, ids: randomIds(Date.now) })
  await scene.arrived('report.pdf')
  await refuseEmptyBucket(store, files)
})

it('refuses an empty bucket while a file is recorded, names it, and writes nothing', async () => {
  const { store, files, scene } = await setUp()
  await scene.arrived('report.pdf')
  await expect(refuseEmptyBucket(store, files)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/bucket is empty, .* report\.pdf in the namespace .*infra\/docker\/minio\.yml/),
  })
  expect(await files.list({ prefix: '', limit: 10 })).toEqual([])
})

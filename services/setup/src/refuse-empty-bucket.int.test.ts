import { sqliteMetadata } from '@cairn/adapters/metadata/sqlite'
import { claimObjects } from '@cairn/domain/files/claim-objects'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { randomIds } from '@cairn/domain/ids'
import { memoryFiles } from '@cairn/testing/memory-files'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { refuseEmptyBucket } from './refuse-empty-bucket.ts'

const setUp = async () => {
  const metadata = sqliteMetadata({ file: temporaryFile() })
  onTestFinished(() => metadata.close())
  return { metadata, files: memoryFiles(), scene: await createFileScene(metadata) }
}

it('goes on with an empty bucket while no file is recorded, and with one that has objects', async () => {
  const { metadata, files, scene } = await setUp()
  await refuseEmptyBucket(metadata, files)
  await claimObjects({ metadata, files, ids: randomIds(Date.now) })
  await scene.arrived('report.pdf')
  await refuseEmptyBucket(metadata, files)
})

it('goes on where all files are of 0.1, without the prefix', async () => {
  const { metadata, files, scene } = await setUp()
  await scene.arrived('report.pdf')
  await files.put('account/name/report.pdf', Buffer.from('%PDF'), { contentType: 'application/pdf' })
  await refuseEmptyBucket(metadata, files)
})

it('refuses an empty bucket while a file is recorded, names it, and writes nothing', async () => {
  const { metadata, files, scene } = await setUp()
  await scene.arrived('report.pdf')
  await expect(refuseEmptyBucket(metadata, files)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/bucket is empty, .* report\.pdf in the namespace .*infra\/docker\/minio\.yml/),
  })
  expect(await files.list({ prefix: '', limit: 10 })).toEqual([])
})

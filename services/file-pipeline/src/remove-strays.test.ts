import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { localFileStore } from '@cairn/ports/file-store/local'
import { forFile } from '@cairn/testing/for-file'
import { expect, it, onTestFinished } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.contract.ts'

const base = forFile((directory) => ({ directory, close: async () => {} }))
const hour = 3_600_000

it('of uploads in parts are those that no grant has, after an hour', async () => {
  const signing = { publicUrl: () => '', signingKey: randomBytes(32) }
  const { service, manual, metadata, namespaceId, files, keyOf, permit } = await createPipelineScene({
    hears: false,
    bus: createBus().bus,
    files: (clock) => localFileStore({ directory: mkdtempSync(join(base().directory, 'files-')), clock, ...signing }),
  })
  onTestFinished(() => files.close())
  const start = (key: string) => files.startMultipart(key, { contentType: 'text/plain' })
  const open = async () => (await files.openMultiparts('')).map(({ uploadId }) => uploadId).toSorted()

  const granted = await start(keyOf('a.txt'))
  await permit('a.txt', granted)
  // Begun beside it, known to nobody when the one who began it died; of a file in one piece; of no namespace; of no key of ours.
  await start(keyOf('a.txt'))
  await permit('b.txt')
  await start(keyOf('b.txt'))
  await start('acc_1/gone/a.txt')
  await start('nobody')
  manual.pass(hour - 1)
  expect(await service.strays()).toBe(0)
  const young = await start(keyOf('c.txt'))
  manual.pass(1)
  expect(await service.strays()).toBe(4)
  expect(await open()).toEqual([granted, young].toSorted())

  await metadata.grants.revoke(namespaceId, 'a.txt')
  manual.pass(hour)
  expect(await service.strays()).toBe(2)
  expect(await open()).toEqual([])
})

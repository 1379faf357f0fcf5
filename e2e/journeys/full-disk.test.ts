import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@cairn/contracts/api/operations'
import { afterAll, describe, expect, it } from 'vitest'
import { mountSmallDisk, whyNoSmallDisk } from '../chaos/small-disk.ts'
import { formOf } from '../client.ts'
import { createNamespace, index, useStandalone } from '../story.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-small-disk-'))
const why = whyNoSmallDisk()
const disk = why === undefined ? await mountSmallDisk(folder, 160) : undefined
// Runs after the tests' own cleanup, when the process has exited.
afterAll(async () => {
  await disk?.unmount()
  rmSync(folder, { recursive: true, force: true })
})
const story = useStandalone({ env: { CAIRN_DATA_DIR: join(folder, 'data') } })

const documents = [{ id: 'a', text: 'The spring lies behind the old larch tree.' }]
const long = { timeout: 20_000 }

describe('a disk that something has filled to the last byte', () => {
  it('takes no more, says so at /readyz, and is freed by deletions, also after a new start', {
    timeout: 120_000,
  }, async (context) => {
    if (!disk) return context.skip(why ?? '')
    const { api } = await story.member()
    const [kept, given] = [await createNamespace(api), await createNamespace(api)]
    const params = { namespace_name: kept }
    await index(api, kept, documents)
    await index(api, given, documents)
    const names = Array.from({ length: 6 }, (_, number) => `no-${number}.pdf`)
    const { files } = api.sdk
    for (const name of names) await files.upload(kept, new Blob(['x'.repeat(9_000_000)]), { name })
    const state = async (name: string) => (await files.status(kept, name)).state
    for (const name of names) await expect.poll(() => state(name), long).toBe('failed')
    const remove = (file_name: string) => api.any(operations.deleteFiles, { params, body: { file_name } })
    const readiness = async () => {
      const answer = await fetch(`${api.url}/readyz`)
      const { dependencies } = (await answer.json()) as {
        readonly dependencies: { readonly disk: { readonly detail?: string } }
      }
      return `${answer.status} ${dependencies.disk.detail ?? ''}`
    }

    disk.fill()
    await expect.poll(readiness, long).toMatch(/^503 .*refused: new files and records/)
    const refused = [
      await api.call(operations.uploadFile, { params, ...(await formOf('one.txt', 'x'.repeat(1_000))) }, 503),
      await api.call(operations.createUploadUrl, { params, body: { file_name: 'one.txt' } }, 503),
    ]
    for (const { body } of refused) expect(body.error).toMatch(/Delete what is no longer needed/)
    const document = await api.call(operations.uploadDocuments, { params, body: { documents } }, 503)
    expect(document.body.message).toMatch(/Delete what is no longer needed/)
    expect((await fetch(`${api.url}/livez`)).status).toBe(200)
    for (const name of names.slice(0, 2)) await expect.poll(async () => (await remove(name)).status, long).toBe(200)
    await expect.poll(readiness, long).toBe('200 ')
    await expect.poll(() => statSync(join(story.target.dataDir, 'reserve')).size, long).toBe(8 * 1024 * 1024)

    // Fills the space that the deletions have freed, except for the reserve.
    disk.fill()
    await story.target.kill()
    // Resolves when the process is ready, which requires free space.
    const restarted = story.target.restart()
    await expect.poll(async () => (await remove('no-2.pdf').catch(() => undefined))?.status, long).toBe(200)
    expect(await api.sdk.documents.delete(kept, ['a'])).toMatchObject({ status: 'success' })
    await api.sdk.namespaces.delete(given)
    for (const { status } of await files.delete(kept, names.slice(3))) expect(status).toBe('deleted')
    await restarted
    expect(await readiness()).toBe('200 ')
    await index(api, kept, documents)
    await files.upload(kept, new Blob(['x'.repeat(1_000)]), { name: 'one.txt' })
  })
})

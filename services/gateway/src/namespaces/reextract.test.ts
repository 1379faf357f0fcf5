import { extractionVersion } from '@cairn/domain/files/extraction-version'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const gateway = useGateway()

const open = async () => {
  const scene = await gateway().open()
  const { store } = gateway()
  const { upload, record, call, namespaceId } = scene
  const publish = async (name: string, extraction: number) => {
    await upload(name, `Text of ${name}.`)
    const file = await record(name)
    const leased = file && (await store.files.lease(file.id, 'token'))
    if (!leased) throw new Error('the file is not to be had')
    const lease = { jobId: leased.id, token: 'token' }
    await store.files.publish(lease, { version: leased.version, chunks: 1, summaries: 0, extraction, limit: null })
    await store.files.complete(lease, { times: {}, at: gateway().now() })
  }
  const running = async () => (await store.namespaces.get(namespaceId))?.reextraction
  return {
    ...scene,
    store,
    publish,
    running,
    start: () => call('POST', 'reextract'),
    state: () => call('GET', 'reextract'),
  }
}

describe('POST reextract', () => {
  it('begins where files are outdated, and returns the running one to a second request', async () => {
    const { publish, start, state, running, namespace } = await open()
    await publish('old.txt', extractionVersion - 1)
    await publish('new.txt', extractionVersion)
    const view = {
      namespace_name: namespace,
      state: 'idle',
      extraction_version: extractionVersion,
      outdated_files: 1,
      progress: null,
      started_at: null,
      ended_at: null,
    }
    expect(await state()).toMatchObject({ status: 200, body: view })
    const begun = {
      ...view,
      state: 'running',
      progress: { total: 1, extracted: 0, failed: 0, without_bytes: 0 },
      started_at: new Date(gateway().now()).toISOString(),
    }
    const answers = await Promise.all([start(), start()])
    for (const answer of [...answers, await start()]) expect(answer).toMatchObject({ status: 202, body: begun })
    const { id } = (await running()) ?? {}
    expect(await start()).toMatchObject({ status: 202 })
    expect((await running())?.id).toBe(id)
    expect(await state()).toMatchObject({ status: 200, body: begun })
  })

  it('says how far it is, and how it ended', async () => {
    const { publish, start, state, running, store, namespaceId } = await open()
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await publish(name, extractionVersion - 1)
    await start()
    const last = await running()
    if (!last) throw new Error('it was not begun')
    const change = { ...last, cursor: 'b.txt', extracted: 1, withoutBytes: 1 }
    await store.namespaces.changeReextraction(namespaceId, change)
    const progress = { total: 3, extracted: 1, failed: 0, without_bytes: 1 }
    expect((await state()).body).toMatchObject({ state: 'running', outdated_files: 1, progress })
    await store.namespaces.changeReextraction(namespaceId, { ...change, failed: 1, endedAt: gateway().now() })
    expect((await state()).body).toMatchObject({
      state: 'idle',
      // The stored records still have the earlier version.
      outdated_files: 3,
      progress: { ...progress, failed: 1 },
      ended_at: new Date(gateway().now()).toISOString(),
    })
  })

  it('begins nothing where no file is outdated', async () => {
    const { publish, start, running } = await open()
    await publish('new.txt', extractionVersion)
    expect(await start()).toMatchObject({ status: 200, body: { state: 'idle', outdated_files: 0, progress: null } })
    expect(await running()).toBeUndefined()
  })

  it('refuses a vector namespace', async () => {
    const { call } = await gateway().open('vector')
    for (const method of ['GET', 'POST'])
      expect(await call(method, 'reextract')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('is not text-based') },
      })
  })
})

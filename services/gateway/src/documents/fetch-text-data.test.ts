import { drafts, object } from '@cairn/domain/files/file-scene.fixture'
import { fileVersionPrefix } from '@cairn/domain/files/record'
import { mint } from '@cairn/domain/protocol/scene.fixture'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const gateway = useGateway()

type Shown = { readonly id: string; readonly version: string; readonly text?: string; readonly is_summary: boolean }

const open = async () => {
  const { store } = gateway()
  const scene = await gateway().open()
  const { accountId, namespaceId } = scene
  const upload = async (documents: readonly { readonly id: string; readonly text: string }[]) => {
    const sent = await scene.json('POST', 'documents', { documents })
    expect(sent.status).toBe(202)
    return sent.body['upload_id'] as string
  }
  const page = async (query = '') => {
    const { status, body } = await scene.call('GET', `documents/fetch-text-data${query}`)
    expect(status).toBe(200)
    return { ...body, items: body['items'] as Shown[] }
  }
  const context = { correlationId: 'request', traceparent: null, at: gateway().now() }
  /** Uploads and publishes a file of one chunk. */
  const show = async (name: string, content: string) => {
    const version = mint(fileVersionPrefix)
    const key = `${accountId}/${name}`
    const arrived = await store.files.register({
      limit: null,
      fileId: mint('file'),
      version,
      accountId,
      namespaceId,
      name,
      idBase: name,
      key,
      object: object(content),
      ...context,
    })
    if (!('file' in arrived)) throw new Error(arrived.outcome)
    const lease = { jobId: arrived.file.id, token: mint('lease') }
    await store.files.lease(lease.jobId, lease.token)
    const give = () =>
      store.chunks.submit({
        lease,
        uploadId: mint('upload'),
        file: { id: arrived.file.id, version },
        drafts: drafts(name, 0, 1),
        checkpoint: null,
        progress: {},
        at: context.at,
      })
    const publish = async () => {
      await store.files.publish(lease, { version, chunks: 1, summaries: 0, extraction: 1, limit: null })
      await store.files.complete(lease, { times: {}, at: context.at })
    }
    return { version, give, publish }
  }
  return { ...scene, upload, page, show }
}

describe('fetch-text-data', () => {
  it('says of each item the version of the body it shows, also while another one is indexed', async () => {
    const { store } = gateway()
    const { namespaceId, upload, page } = await open()
    const first = await upload([{ id: 'a', text: 'The first text of it.' }])
    await store.items.markIndexed(namespaceId, first, [{ id: 'a', passages: 1 }])
    expect((await page()).items).toMatchObject([{ id: 'a', version: first, text: 'The first text of it.' }])
    const second = await upload([{ id: 'a', text: 'The second text of it.' }])
    expect((await page()).items).toMatchObject([{ id: 'a', version: second, text: 'The second text of it.' }])
    expect((await page('?fields=head')).items).toMatchObject([{ id: 'a', version: second }])
    await store.items.markFailed(namespaceId, second, [{ id: 'a', reason: 'internal' }])
    expect((await page()).items).toMatchObject([{ id: 'a', version: second, text: 'The second text of it.' }])
  })

  it('says of a chunk of a file the version that is seen', async () => {
    const { page, show } = await open()
    const first = await show('a.txt', 'one')
    await first.give()
    expect((await page('?fields=head')).items).toEqual([])
    await first.publish()
    const second = await show('a.txt', 'two')
    await second.give()
    const versions = async (query: string) => (await page(query)).items.map(({ id, version }) => [id, version])
    for (const query of ['', '?fields=head']) expect(await versions(query)).toEqual([['a.txt_chunk_0', first.version]])
    await second.publish()
    for (const query of ['', '?fields=head']) expect(await versions(query)).toEqual([['a.txt_chunk_0', second.version]])
  })

  it('reads no bodies for heads', async () => {
    const { store } = gateway()
    const { upload, page } = await open()
    await upload([{ id: 'a', text: 'A text that is long enough.' }])
    const [items, chunks] = [store.items.page, store.chunks.page]
    const refuse = () => Promise.reject(new Error('bodies were read'))
    Object.assign(store.items, { page: refuse })
    Object.assign(store.chunks, { page: refuse })
    try {
      expect((await page('?fields=head')).items).toHaveLength(1)
    } finally {
      Object.assign(store.items, { page: items })
      Object.assign(store.chunks, { page: chunks })
    }
  })
})

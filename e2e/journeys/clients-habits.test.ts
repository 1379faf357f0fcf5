import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, listed, search, settled, upload, useTarget } from '../story.ts'

const story = useTarget()

const text = 'A document that is long enough.'

describe('the habits of published clients', () => {
  it('send vector_dimension null for text, and more fields than there are', async () => {
    const { api } = await story.member()
    const body = { namespace_name: freshName(), type: 'text', vector_dimension: null }
    await api.call(operations.createNamespace, { body }, 201)
    const refused = await api.call(
      operations.createNamespace,
      { body: { ...body, namespace_name: freshName(), vector_dimension: 384 } },
      400,
    )
    expect(refused.body.message).toMatch(/vector_dimension/)
  })

  it('need exactly these statuses', async () => {
    const { api } = await story.member()
    const [name, vectors] = [
      await createNamespace(api),
      await createNamespace(api, { type: 'vector', vector_dimension: 2 }),
    ]
    const params = { namespace_name: name }
    await api.call(operations.uploadDocuments, { params, body: { documents: [{ id: 'a', text }] } }, 202)
    await api.call(operations.getDocuments, { params, body: { ids: ['a'] } }, 200)
    await api.call(operations.fetchTextData, { params, query: { limit: '100' } }, 200)
    await api.call(
      operations.uploadVectors,
      { params: { namespace_name: vectors }, body: { vectors: [{ id: 'v', vector: [1, 1] }] } },
      201,
    )
    await api.call(operations.search, { body: { query: 'a', namespaces: [name], top_k: 10, kiosk_mode: false } }, 200)
    await api.call(operations.deleteDocuments, { params, body: { ids: ['a', 'absent'] } }, 200)
    await api.call(operations.deleteVectors, { params: { namespace_name: vectors }, body: { ids: ['v'] } }, 200)
    await api.call(operations.deleteNamespace, { params }, 202)
    await api.call(operations.listNamespaces, {}, 200)
  })

  it('read a document right after its 202, and find it within a second', async () => {
    const { api, name, params } = await story.room()
    await upload(api, name, [{ id: 'new', text: 'Lanterns are lit at the harbour every evening.' }])
    await api.call(operations.getDocuments, { params, body: { ids: ['new'] } }, 200)
    const found = () => search(api, [name], 'lanterns at the harbour')
    await eventually(found, ({ results }) => results.length === 1, { withinMs: 1_000, everyMs: 20 })
  })

  it('put metadata below one key, which is found and returned flat, numbers staying numbers', async () => {
    const { api, name, params } = await story.room()
    const documents = [
      { id: 'nested', text, metadata: { colour: 'red', page: 4, deep: { of: [1, 2.5] } } },
      { id: 'both', text, colour: 'flat', metadata: { colour: 'nested', only: true } },
      { id: 'scalar', text, metadata: 'just a word' },
    ]
    await settled(api, name, (await upload(api, name, documents)).upload_id)
    const got = await api.call(operations.getDocuments, { params, body: { ids: ['nested', 'both', 'scalar'] } }, 200)
    const byId = Object.fromEntries(got.body.items.map(({ id, metadata }) => [id, metadata]))
    expect(byId).toEqual({
      nested: { colour: 'red', page: 4, deep: { of: [1, 2.5] } },
      both: { colour: 'flat', only: true },
      scalar: { metadata: 'just a word' },
    })
    expect((await search(api, [name], '#colour:red')).results.map(({ id }) => id)).toEqual(['nested'])
    expect((await search(api, [name], '#metadata:just-a-word')).results.map(({ id }) => id)).toEqual(['scalar'])
  })

  it('send ids as numbers, and with signs that mean something in an address', async () => {
    const { api, name, params } = await story.room()
    const ids = [123, 0, -0.5, 'doc#1', 'a/b', 'a b', 'ü?&=%20', '7f3c9a52-4a1e-4b7e-9a53-1f6f1c1f8f11']
    await upload(
      api,
      name,
      ids.map((id) => ({ id, text })),
    )
    const got = await api.call(operations.getDocuments, { params, body: { ids } }, 200)
    expect(got.body.items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.map(String)))
    const same = await api.call(operations.getDocuments, { params, body: { ids: [123, '123'] } }, 200)
    expect(same.body).toMatchObject({ requested_ids: 2, found_items: 1 })
    expect((await api.call(operations.deleteDocuments, { params, body: { ids } }, 200)).body.actual_deletions).toBe(
      ids.length,
    )
  })

  it('announce JSON where there is no body', async () => {
    const { api, name } = await story.room()
    const axios = {
      'content-type': 'application/json',
      accept: 'application/json, text/plain, */*',
      'user-agent': 'axios/1.7.0',
    }
    await api.call(operations.listNamespaces, { headers: axios }, 200)
    await api.call(operations.fetchTextData, { params: { namespace_name: name }, headers: axios }, 200)
    await api.call(operations.deleteNamespace, { params: { namespace_name: name }, headers: axios }, 202)
  })

  it('send a bearer token beside the key', async () => {
    const { api, apiKey } = await story.member()
    await api.call(operations.listNamespaces, { headers: { authorization: `Bearer ${apiKey}` } }, 200)
  })

  it('escape names in addresses, or do not', async () => {
    const { api } = await story.member()
    const name = `${freshName('memanto')}_x`
    await api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 201)
    const escaped = [...name].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    const response = await fetch(`${api.url}/v1/namespaces/${escaped}/documents/fetch-text-data`, {
      headers: { 'x-api-key': (await story.member()).apiKey },
    })
    // The key of another account: the escaped name is decoded, but the namespace does not exist for this account.
    expect([response.status, await response.json()]).toMatchObject([404, { namespace_name: name }])
  })

  it('use dimensions of 4 and 10, and vectors that are not normalised', async () => {
    const { api } = await story.member()
    for (const dimension of [1, 4, 10, 1_536]) {
      const name = await createNamespace(api, { type: 'vector', vector_dimension: dimension })
      const vector = Array.from({ length: dimension }, (_, index) => (index % 2 === 0 ? 40.5 : -0.25))
      await api.call(
        operations.uploadVectors,
        { params: { namespace_name: name }, body: { vectors: [{ id: 0, vector }] } },
        201,
      )
      expect((await search(api, [name], vector)).results).toMatchObject([{ id: '0', score: 1 }])
    }
  })

  it('turn a query with a comma into numbers that are none: 400, not 500', async () => {
    const { api, name } = await story.room()
    const refused = await api.call(
      operations.search,
      { body: { query: [null, null], namespaces: [name], threshold: 0.1 } },
      400,
    )
    expect(refused.body.message).toMatch(/query/)
  })

  it('hold the answer of a failed call against words and fields', async () => {
    const { api, name } = await story.room()
    const sent = { params: { namespace_name: name } }
    const empty = await api.call(operations.deleteDocuments, { ...sent, body: { ids: [] } }, 400)
    expect(empty.body.message).toMatch(/ids array is required and cannot be empty/)
    const missing = await api.call(operations.uploadDocuments, { ...sent, body: {} }, 400)
    expect(missing.body.details).toMatchObject({ field: 'documents' })
    const absent = await api.call(
      operations.uploadDocuments,
      { params: { namespace_name: 'not-there' }, body: { documents: [{ id: 1, text }] } },
      404,
    )
    expect(absent.body).toMatchObject({ error: 'Namespace not found', namespace_name: 'not-there' })
    expect(absent.body.suggestion).toBeTruthy()
    expect(await listed(api)).toMatchObject([{ item_count: 0 }])
  })
})

import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import {
  createNamespace,
  freshName,
  index,
  listed,
  removeNamespace,
  search,
  upload,
  uploadVectors,
  useTarget,
  walk,
} from '../story.ts'

const story = useTarget()
const stones = { id: 'stones', text: 'Cairns are piles of stones that mark a path.' }

describe('namespaces', () => {
  it('are created, listed with their fields, and kept apart by type', async () => {
    const { api } = await story.member()
    expect(await listed(api)).toEqual([])
    const [text, vector] = [freshName('text'), freshName('vector')]
    const made = await api.call(operations.createNamespace, { body: { namespace_name: text, type: 'text' } }, 201)
    expect(made.body).toMatchObject({ status: 'success', namespace_name: text, type: 'text', vector_dimension: null })
    const body = { namespace_name: vector, type: 'vector', vector_dimension: 10 }
    expect((await api.call(operations.createNamespace, { body }, 201)).body).toMatchObject({
      type: 'vector',
      vector_dimension: 10,
    })
    const all = await listed(api)
    expect(all).toHaveLength(2)
    expect(all.find(({ namespace_name: name }) => name === text)).toMatchObject({
      type: 'text',
      vector_dimension: null,
      item_count: 0,
    })
    expect(all.find(({ namespace_name: name }) => name === vector)).toMatchObject({
      type: 'vector',
      vector_dimension: 10,
      item_count: 0,
    })
    const age = Date.now() - Date.parse(all[0]?.created_at ?? '')
    expect(Math.abs(age)).toBeLessThan(60_000)
  })

  it('are read one by one, and their deletion until it is completed', async () => {
    const [{ api }, { api: strange }] = [await story.member(), await story.member()]
    const name = await createNamespace(api)
    const params = { namespace_name: name }
    expect(await api.sdk.namespaces.get(name)).toEqual((await listed(api))[0])
    await strange.call(operations.getNamespace, { params }, 404)
    await index(api, name, [stones])
    const { deletion_id } = (await api.call(operations.deleteNamespace, { params }, 202)).body
    await api.call(operations.getNamespace, { params }, 404)
    const read = { params: { deletion_id }, query: { wait: '60' } }
    const { body } = await api.call(operations.getDeletion, read, 200)
    expect(body).toMatchObject({ target: 'namespace', namespace_name: name, state: 'completed', next_attempt_at: null })
    expect(body.removed).toMatchObject({ items: 1 })
    await api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 201)
    await strange.call(operations.getDeletion, read, 404)
    await api.call(operations.getDeletion, { params: { deletion_id: 'deletion_nothing' } }, 404)
    const missing = await api.call(operations.getDeletion, { params: { deletion_id: '' } }, 400)
    expect(missing.body.message).toMatch(/deletion_id is required/)
  })

  it('refuse a name that exists with 409, in every type, in words that clients look for', async () => {
    const { api, name } = await story.room()
    for (const body of [{ type: 'text' }, { type: 'vector', vector_dimension: 3 }]) {
      const refused = await api.call(operations.createNamespace, { body: { namespace_name: name, ...body } }, 409)
      expect(refused.body.message).toMatch(/namespace.*already exists/i)
    }
    expect(await listed(api)).toHaveLength(1)
  })

  it('make one namespace of many creations of one name at once', async () => {
    const { api } = await story.member()
    const body = { namespace_name: freshName(), type: 'text' }
    const answers = await Promise.all(Array.from({ length: 16 }, () => api.any(operations.createNamespace, { body })))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, ...Array.from({ length: 15 }, () => 409)])
    expect(await listed(api)).toHaveLength(1)
  })

  it('are out of sight from the 202 of their deletion on, and the answer repeats itself while it lasts', async () => {
    const { api, name } = await story.room()
    await index(api, name, [stones])
    const params = { namespace_name: name }
    const { body } = await api.call(operations.deleteNamespace, { params }, 202)
    expect(body).toMatchObject({ status: 'pending', namespace_name: name })
    expect(Date.parse(body.estimated_completion)).toBeGreaterThan(Date.parse(body.deletion_started_at))
    expect(await listed(api)).toEqual([])
    await api.call(operations.getDocuments, { params, body: { ids: ['stones'] } }, 404)
    await api.call(operations.uploadDocuments, { params, body: { documents: [stones] } }, 404)
    await api.call(operations.search, { body: { query: 'stones', namespaces: [name] } }, 404)
    const again = await api.any(operations.deleteNamespace, { params })
    expect(again.status === 404 || JSON.stringify(again.body) === JSON.stringify(body)).toBe(true)
  })

  it('free their name when the deletion is completed; the new namespace of that name is empty and stays so', async () => {
    const { api, name } = await story.room()
    await index(api, name, [stones, { id: 'bread', text: 'Bread is baked from flour and water.' }])
    await upload(api, name, [{ id: 'late', text: 'Sent right before the deletion begins.' }])
    await removeNamespace(api, name)
    await createNamespace(api, undefined, name)
    expect(await walk(api, name)).toMatchObject([{ items: [] }])
    expect((await search(api, [name], 'stones')).results).toEqual([])
    await index(api, name, [{ id: 'other', text: 'Something else altogether.' }])
    expect((await search(api, [name], 'stones flour deletion')).results.map(({ id }) => id)).toEqual(['other'])
    expect(await listed(api)).toMatchObject([{ namespace_name: name, item_count: 1 }])
  })

  it('can come back as the other type', async () => {
    const { api, name } = await story.room()
    await removeNamespace(api, name)
    await createNamespace(api, { type: 'vector', vector_dimension: 2 }, name)
    await uploadVectors(api, name, [{ id: 'v', vector: [1, 0] }])
  })

  it('may have the same name in two accounts without touching each other', async () => {
    const [a, b] = [await story.member(), await story.member()]
    const name = await createNamespace(a.api)
    await createNamespace(b.api, undefined, name)
    await index(a.api, name, [stones])
    expect((await search(b.api, [name], 'stones')).results).toEqual([])
    await removeNamespace(b.api, name)
    expect((await search(a.api, [name], 'stones')).results).toHaveLength(1)
  })

  it('are 404 in the words for others and for none when they are deleted without having existed', async () => {
    const { api } = await story.member()
    const refused = await api.call(operations.deleteNamespace, { params: { namespace_name: freshName() } }, 404)
    expect(refused.body.message).toMatch(/not found or not owned/)
  })
})

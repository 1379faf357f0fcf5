import { startChatServer } from '@cairn/testing/chat-server'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { textItem, textUpload, vectorOf } from './edge.fixture.ts'
import { buildEdgeChunk, type EdgeStoreOptions, edgeItemId, openEdgeStore, parseEdgeChunk } from './library.ts'

const open = (options: Partial<EdgeStoreOptions> = {}) => {
  const store = openEdgeStore({ file: temporaryFile('edge.db'), ...options })
  onTestFinished(() => store.close())
  return store
}

it('does in the process what the API does', async () => {
  const store = open({ maxItems: 2 })
  expect(await store.upload(textUpload(textItem('a'), textItem('b', vectorOf(0, 1))))).toMatchObject({
    total: 2,
    remaining: 0,
  })
  expect(await store.search({ query: vectorOf(1), top_k: 1 })).toEqual({
    results: [{ id: 'a', score: 1, label: 'Close Match', text: 'text of a' }],
  })
  await expect(store.upload(textUpload(textItem('c')))).rejects.toMatchObject({
    code: 'conflict',
    body: { max_items: 2 },
  })
  await expect(store.search({ query: 'text' })).rejects.toMatchObject({ code: 'invalid' })
  expect(await store.deleteItems({ ids: ['a', 'x'] })).toEqual({ status: 'success', deleted: 1, not_found_ids: ['x'] })
  expect((await store.export()).items).toEqual([{ text: 'text of b' }])
  await store.clear()
  expect(await store.health()).toMatchObject({ items: 0, dimension: null })
  await expect(store.answer({ query: 'x', query_vector: vectorOf(1) })).rejects.toMatchObject({ code: 'invalid' })
})

it('brings what builds and reads the texts of its clients', async () => {
  const store = open()
  const chunk = {
    docId: 'tea',
    category: 'drinks',
    title: 'Green tea',
    tags: ['hot'],
    index: 0,
    body: 'Brewed at 80 °C.',
  }
  await store.upload(textUpload(textItem(edgeItemId(chunk), vectorOf(1), buildEdgeChunk(chunk))))
  const [hit] = (await store.search({ query: vectorOf(1) })).results
  expect(hit?.id).toBe('tea#chunk-0')
  expect(parseEdgeChunk(hit?.text ?? '')).toEqual({ ok: true, chunk })
})

it('takes vectors as typed arrays, which is what models give', async () => {
  const store = open()
  const vector = Float32Array.from(vectorOf(1))
  await store.upload({ store_mode: 'vector', items: [{ id: 'a', vector }] })
  expect((await store.search({ query: vector })).results).toHaveLength(1)
})

it('answers where it is given a model', async () => {
  const model = await startChatServer(() => ['Hot', '.'])
  onTestFinished(() => model.close())
  const store = open({ answers: { baseUrl: model.baseUrl, model: 'small' } })
  await store.upload(textUpload(textItem('a')))
  const asked = { query: 'How hot?', query_vector: vectorOf(1) }
  expect(await store.answer(asked)).toMatchObject({ answer: 'Hot.', model: 'small', context_count: 1 })
  const events: string[] = []
  for await (const { event } of await store.answerEvents(asked)) events.push(event)
  expect(events).toEqual(['meta', 'token', 'token', 'done'])
})

import { edgeItemId } from '@cairn/contracts/documents/edge-chunk'
import { describe, expect, it } from 'vitest'
import { memory, memoryNamespace, memoryStore, signal, wordEmbedder } from './edge-scene.fixture.ts'
import type { OnOthers } from './prepare-store.ts'
import { pull } from './pull.ts'

const words = (count: number, prefix = 'w') => Array.from({ length: count }, (_, turn) => `${prefix}${turn}`).join(' ')
const idOf = (turn: number) => `doc-${String(turn).padStart(5, '0')}`

const scene = (maxItems?: number) => {
  const namespace = memoryNamespace()
  const store = memoryStore(maxItems)
  const embedder = wordEmbedder()
  const remembered = memory()
  const run = (onOthers: OnOthers = 'refuse') =>
    pull({ source: namespace.source, store, embedder, memory: remembered, onOthers, signal })
  return { namespace, store, embedder, remembered, run }
}

type Scene = ReturnType<typeof scene>

/** Expects the same content as after pulling the namespace into an empty store. */
const expectSameAsAnew = async ({ namespace, store }: Scene) => {
  const other = memoryStore()
  await pull({ source: namespace.source, store: other, embedder: wordEmbedder(), memory: memory(), signal })
  const byId = (items: typeof store.items) => [...items.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(store.items)).toEqual(byId(other.items))
}

describe('pull', () => {
  it('fetches 5,000 bodies the first time, none the second, and then those of the 50 that changed', async () => {
    const own = scene()
    const { namespace, store, run } = own
    for (let turn = 0; turn < 5_000; turn += 1) namespace.put(idOf(turn), `Text number ${turn}.`)
    expect(await run()).toMatchObject({
      items: 5_000,
      transferred: 5_000,
      unchanged: 0,
      removed: 0,
      uploaded: 5_000,
      skipped: [],
    })
    expect(store.items.size).toBe(5_000)
    expect(namespace.transferred()).toBe(5_000)
    const uploads = store.calls.uploads

    expect(await run()).toMatchObject({ transferred: 0, unchanged: 5_000, removed: 0, uploaded: 0 })
    expect([namespace.transferred(), store.calls.uploads]).toEqual([5_000, uploads])

    for (let turn = 0; turn < 50; turn += 1) namespace.put(idOf(turn * 100 + 7), `Another text, ${turn}.`)
    for (let turn = 0; turn < 10; turn += 1) namespace.remove(idOf(turn * 100 + 9))
    expect(await run()).toMatchObject({ items: 4_990, transferred: 50, unchanged: 4_940, removed: 10, uploaded: 50 })
    expect(namespace.transferred()).toBe(5_050)
    expect(namespace.asked.slice(-1)).toEqual([Array.from({ length: 50 }, (_, turn) => idOf(turn * 100 + 7))])
    expect(store.items.size).toBe(4_990)
    await expectSameAsAnew(own)
  })

  it('comes to the same when it was stopped before or after any of its writes', async () => {
    const filled = async () => {
      const own = scene()
      for (let turn = 0; turn < 250; turn += 1)
        own.namespace.put(idOf(turn), words(150 + (turn % 5) * 100, `t${turn}-`))
      await own.run()
      for (let turn = 0; turn < 130; turn += 1) own.namespace.put(idOf(turn), words(50 + (turn % 7) * 120, `n${turn}-`))
      for (let turn = 230; turn < 250; turn += 1) own.namespace.remove(idOf(turn))
      own.store.failAtWrite(Number.POSITIVE_INFINITY)
      return own
    }
    const whole = await filled()
    await whole.run()
    const writes = whole.store.writes()
    expect(writes).toBeGreaterThan(6)
    for (let index = 1; index <= writes; index += 1) {
      const own = await filled()
      own.store.failAtWrite(index)
      await expect(own.run(), `write ${index}`).rejects.toThrow(/^stopped/)
      // Changes while the pull is stopped: one document becomes shorter than before, another is deleted.
      own.namespace.put(idOf(0), 'Short now.')
      own.namespace.remove(idOf(1))
      own.store.failAtWrite(Number.POSITIVE_INFINITY)
      const before = own.namespace.transferred()
      await own.run()
      // At most the changed documents are transferred again, never the unchanged ones.
      expect(own.namespace.transferred() - before).toBeLessThanOrEqual(131)
      await expectSameAsAnew(own)
      expect((await own.run()).transferred).toBe(0)
    }
  })

  it('does not fetch again what was done before it was stopped', async () => {
    const { namespace, store, run } = scene()
    for (let turn = 0; turn < 500; turn += 1) namespace.put(idOf(turn), `Text number ${turn}.`)
    store.failAtWrite(4)
    await expect(run()).rejects.toThrow(/^stopped/)
    store.failAtWrite(Number.POSITIVE_INFINITY)
    expect((await run()).transferred).toBe(200)
  })

  it('cuts a document at 200 tokens, and takes away the chunks it has no more', async () => {
    const { namespace, store, embedder, run } = scene()
    namespace.put('long', words(900), { title: 'A title', category: 'a category', tags: ['x', 'y'] })
    expect(await run()).toMatchObject({ transferred: 1, uploaded: 5 })
    expect([...store.items.keys()]).toEqual([0, 1, 2, 3, 4].map((index) => edgeItemId({ docId: 'long', index })))
    expect(embedder.embedded.join(' ')).toBe(words(900))
    for (const text of embedder.embedded) expect(text.split(' ').length).toBeLessThanOrEqual(200)
    const head = '[meta]\ndoc_id: long\ncategory: a category\ntitle: A title\ntags: x,y\nchunk: 4\n[/meta]\n\n'
    expect(store.items.get('long#chunk-4')?.text).toBe(head + words(900).split(' ').slice(800).join(' '))
    namespace.put('long', 'Short now.')
    await run()
    expect([...store.items.keys()]).toEqual(['long#chunk-0'])
  })

  it('brings back what the store has lost, and leaves alone what it has from elsewhere', async () => {
    const { namespace, store, run } = scene()
    for (const id of ['a', 'b', 'c']) namespace.put(id, words(300, id))
    await run()
    await store.upload('words', [{ id: 'other', text: 'no block', vector: Float32Array.of(1, 0, 0, 0) }])
    await store.remove(['b#chunk-1'])
    expect((await run('merge')).transferred).toBe(1)
    expect([...store.items.keys()].sort()).toEqual([
      'a#chunk-0',
      'a#chunk-1',
      'b#chunk-0',
      'b#chunk-1',
      'c#chunk-0',
      'c#chunk-1',
      'other',
    ])
    await store.clear()
    expect((await run()).transferred).toBe(3)
  })

  it('writes nothing to a store with data of others, which it names, until it is told what to do about them', async () => {
    const { namespace, store, remembered, run } = scene()
    for (const id of ['a', 'b']) namespace.put(id, 'Some text or other.')
    const other = memoryNamespace('http://cairn/v1/namespaces/other')
    other.put('mine', 'A text of somebody else.')
    await pull({ source: other.source, store, embedder: wordEmbedder(), memory: memory(), signal })
    await store.upload('words', [{ id: 'no-block', text: 'no block', vector: Float32Array.of(1, 0, 0, 0) }])
    const before = [...store.items]
    await expect(run()).rejects.toThrow(
      'The edge store at http://edge holds 2 items that are not known to be from http://cairn/v1/namespaces/notes: --merge keeps them, --replace removes them',
    )
    expect([[...store.items], namespace.transferred(), remembered.states]).toEqual([before, 0, []])

    await run('merge')
    expect([...store.items.keys()]).toEqual(['mine#chunk-0', 'no-block', 'a#chunk-0', 'b#chunk-0'])
    await expect(run()).rejects.toThrow(/holds 2 items/)

    await run('replace')
    expect([...store.items.keys()]).toEqual(['a#chunk-0', 'b#chunk-0'])
    const uploads = store.calls.uploads
    // Nothing is left to replace.
    expect(await run('replace')).toMatchObject({ transferred: 0, unchanged: 2 })
    expect(store.calls.uploads).toBe(uploads)
    expect(await run()).toMatchObject({ unchanged: 2 })
  })

  it('replaces what another model has filled', async () => {
    const { namespace, store, run } = scene()
    namespace.put('a', 'Some text or other.')
    await store.upload('another', [{ id: 'x', text: 'no block', vector: Float32Array.of(1, 0, 0, 0) }])
    await expect(run('merge')).rejects.toThrow(/filled with the model another/)
    await run('replace')
    expect([(await store.shape()).model, ...store.items.keys()]).toEqual(['words', 'a#chunk-0'])
  })

  it('takes away the surplus of a document also when it remembers nothing', async () => {
    const { namespace, store, remembered, run } = scene()
    namespace.put('a', words(900))
    await run()
    remembered.states.length = 0
    namespace.put('a', 'Short now.')
    await run('merge')
    expect([...store.items.keys()]).toEqual(['a#chunk-0'])
  })

  it('forgets what was deleted between its head and its body', async () => {
    const { namespace, store, embedder, remembered } = scene()
    for (const id of ['a', 'b']) namespace.put(id, `The text of ${id}.`)
    const source = {
      ...namespace.source,
      get: async (ids: readonly string[]) => {
        namespace.remove('b')
        return namespace.source.get(ids)
      },
    }
    await pull({ source, store, embedder, memory: remembered, signal })
    expect([...store.items.keys()]).toEqual(['a#chunk-0'])
    expect([...(remembered.read()?.documents.keys() ?? [])]).toEqual(['a'])
  })

  it('says which ids an edge store can not hold', async () => {
    const { namespace, store, run } = scene()
    const long = 'x'.repeat(510)
    for (const id of ['a', ' b', long]) namespace.put(id, 'Some text or other.')
    expect(await run()).toMatchObject({ items: 3, transferred: 1, skipped: [' b', long] })
    expect([...store.items.keys()]).toEqual(['a#chunk-0'])
  })

  it('refuses another namespace, another model, a store of vectors and one that is too small before it fetches anything', async () => {
    const { namespace, store, embedder, remembered, run } = scene(3)
    for (const id of ['a', 'b', 'c']) namespace.put(id, 'Some text or other.')
    await run()
    const asked = namespace.transferred()
    const other = { ...namespace.source, name: 'http://cairn/v1/namespaces/other' }
    const options = { source: namespace.source, store, embedder, memory: remembered, signal }
    await expect(pull({ ...options, source: other })).rejects.toThrow(
      /holds 3 items that are not known to be from .*\/other \(it was filled from http:\/\/cairn\/v1\/namespaces\/notes\)/,
    )
    const larger = { ...embedder, model: { model: 'larger', dimension: 8 } }
    await expect(pull({ ...options, embedder: larger })).rejects.toThrow(/filled with the model words \(4 dimensions\)/)
    const vectors = {
      ...store,
      shape: async () => ({ mode: 'vector' as const, model: null, dimension: 4, items: 1, maxItems: 3 }),
    }
    await expect(pull({ ...options, store: vectors })).rejects.toThrow(/holds vectors/)
    namespace.put('d', 'Some text or other.')
    await expect(run()).rejects.toThrow(/more than 3 items/)
    expect(namespace.transferred()).toBe(asked)
  })

  it('ends when it is told to', async () => {
    const { namespace, store, embedder, remembered } = scene()
    for (let turn = 0; turn < 300; turn += 1) namespace.put(idOf(turn), `Text number ${turn}.`)
    const stop = new AbortController()
    const onProgress = (done: number) => {
      if (done === 100) stop.abort()
    }
    const options = { source: namespace.source, store, embedder, memory: remembered }
    await expect(pull({ ...options, signal: stop.signal, onProgress })).rejects.toThrow(/abort/)
    expect(store.items.size).toBe(100)
    expect((await pull({ ...options, signal })).transferred).toBe(200)
  })
})

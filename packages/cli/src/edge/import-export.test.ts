import { buildEdgeChunk } from '@cairn/contracts/documents/edge-chunk'
import { AppError } from '@cairn/contracts/errors'
import { describe, expect, it } from 'vitest'
import { memory, memoryNamespace, memoryStore, signal, wordEmbedder } from './edge-scene.fixture.ts'
import { importExport } from './import-export.ts'
import { pull } from './pull.ts'

const chunk = { docId: 'a', category: 'c', title: 't', tags: [], index: 0, body: 'The body.' }
const text = buildEdgeChunk(chunk)

const taken = (exported: unknown, store = memoryStore(), embedder = wordEmbedder()) =>
  importExport({ store, embedder, exported, signal })

describe('import of an export', () => {
  it('of a text store gives the same export again, and the same items', async () => {
    const namespace = memoryNamespace()
    for (let turn = 0; turn < 230; turn += 1) {
      const body = Array.from({ length: 100 + (turn % 4) * 150 }, (_, index) => `w${turn}-${index}`).join(' ')
      namespace.put(`doc ${turn} é🦊`, body, { title: `Title\n${turn}`, tags: ['a', 'b'] })
    }
    const from = memoryStore()
    await pull({ source: namespace.source, store: from, embedder: wordEmbedder(), memory: memory(), signal })
    const to = memoryStore()
    expect(await taken(from.exported(), to)).toEqual({ uploaded: from.items.size, blank: 0, formerModel: 'words' })
    expect(JSON.stringify(to.exported())).toBe(JSON.stringify(from.exported()))
    expect([...to.items.values()]).toEqual([...from.items.values()])
    // Importing once more changes nothing.
    await taken(from.exported(), to)
    expect(to.exported()).toEqual(from.exported())
  })

  it('keeps texts as they are, and leaves out blank ones', async () => {
    const untidy = `  [meta]\r\ndoc_id:  a b \r\ncategory: c\r\ntitle: t\r\nchunk: 3\r\n[/meta]\r\n\r\nThe body.\r\n`
    const store = memoryStore()
    expect(await taken({ items: [{ text: untidy }, { text: ' \n' }] }, store)).toEqual({
      uploaded: 1,
      blank: 1,
      formerModel: null,
    })
    expect([...store.items].map(([id, item]) => [id, item.text])).toEqual([['a b#chunk-3', untidy]])
  })

  it.each([
    [null, /no array "items"/],
    [[], /no array "items"/],
    [{ items: { length: 1 } }, /no array "items"/],
    [{ items: [{ text }, { id: 'x' }] }, /item 2 has no text/],
    [{ items: [{ text }, null] }, /item 2 has no text/],
    [{ items: [{ text }, { text: 'no block' }] }, /item 2 does not begin with a \[meta\] block/],
    [{ items: [{ text }, { text: text.replace('chunk: 0', 'chunk: x') }] }, /item 2 has a chunk/],
    [{ items: [{ text }, { text }] }, /item 2 is a#chunk-0, as one before it is/],
    [{ store_mode: 'vector', items: [] }, /vector store/],
  ])('refuses the whole of %j', async (exported, why) => {
    const store = memoryStore()
    await expect(taken(exported, store)).rejects.toThrow(why)
    expect(store.items.size).toBe(0)
  })

  it('refuses more than the store takes, and a store of another model', async () => {
    const other = buildEdgeChunk({ ...chunk, index: 1 })
    await expect(taken({ items: [{ text }, { text: other }] }, memoryStore(1))).rejects.toThrow(
      /has 2 items, and the limit of the edge store is 1/,
    )
    const store = memoryStore()
    await taken({ items: [{ text }] }, store)
    const larger = { ...wordEmbedder(), model: { model: 'larger', dimension: 8 } }
    await expect(taken({ items: [{ text: other }] }, store, larger)).rejects.toThrow(/filled with the model words/)
  })

  it('embeds a body that says nothing by its whole text, and the others of the batch by theirs', async () => {
    const plain = wordEmbedder()
    const strict = {
      ...plain,
      embed: async (texts: readonly string[], options: { readonly kind: 'document' }) => {
        if (texts.some((one) => !/\p{L}/u.test(one))) throw new AppError('invalid', 'nothing to embed')
        return plain.embed(texts, options)
      },
    }
    const silent = buildEdgeChunk({ ...chunk, index: 1, body: '…' })
    const store = memoryStore()
    await taken({ items: [{ text }, { text: silent }] }, store, strict)
    expect(plain.embedded).toEqual(['The body.', silent])
    expect(store.items.size).toBe(2)
  })
})

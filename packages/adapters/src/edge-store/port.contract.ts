import type { EdgeItem, EdgeStore, StoreShape } from '@cairn/domain/ports/edge-store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const vectors: StoreShape = { mode: 'vector', dimension: 4, embeddingModel: null }
const texts: StoreShape = { mode: 'text', dimension: 4, embeddingModel: 'small' }
const maxItems = 5

const item = (id: string, vector: readonly number[] = [1, 0, 0, 0], text = `text of ${id}`): EdgeItem => ({
  id,
  text,
  vector: Float32Array.from(vector),
})
const query = (...numbers: number[]) => ({ vector: Float32Array.from(numbers), limit: 10 })

/** Contract of every edge store. `open` returns an empty store with room for `maxItems` items. */
export const edgeStoreContract = (open: (maxItems: number) => EdgeStore): void => {
  describe('edge store', () => {
    let store: EdgeStore
    beforeEach(() => {
      store = open(maxItems)
    })
    afterEach(() => store.close())
    const idsOf = async (...numbers: number[]) => (await store.search(query(...numbers))).map(({ id }) => id)

    it('is empty at first', async () => {
      expect(await store.state()).toEqual({ shape: undefined, items: 0, maxItems })
      expect(await store.texts()).toEqual([])
      expect(await store.search(query(1, 0, 0, 0))).toEqual([])
      expect(await store.remove(['a', 'a', 'b'])).toEqual({ removed: [], absent: ['a', 'b'] })
      await store.clear()
    })

    it('has the shape of its first upload', async () => {
      expect(await store.upload(texts, [item('a')])).toEqual({ shape: texts, items: 1, maxItems })
      expect(await store.state()).toEqual({ shape: texts, items: 1, maxItems })
    })

    it.each([
      ['the other mode', vectors, 'conflict'],
      ['another model', { ...texts, embeddingModel: 'large' }, 'conflict'],
      ['another dimension', { ...texts, dimension: 3 }, 'invalid'],
    ])('refuses %s', async (_, shape, code) => {
      await store.upload(texts, [item('a')])
      await expect(store.upload(shape, [item('b', [1, 0, 0])])).rejects.toMatchObject({ name: 'AppError', code })
      expect(await store.state()).toEqual({ shape: texts, items: 1, maxItems })
    })

    it('finds by cosine, the best first, equal ones by id', async () => {
      await store.upload(vectors, [
        item('b', [2, 2, 0, 0]),
        item('a', [0, 0, 1, 0]),
        item('Z', [5, 5, 0, 0]),
        item('c', [9, 0, 0, 0]),
      ])
      const hits = await store.search(query(3, 0, 0, 0))
      expect(hits.map(({ id }) => id)).toEqual(['c', 'Z', 'b', 'a'])
      expect(hits[0]).toEqual({ id: 'c', text: 'text of c', score: 1 })
      expect(hits[1]?.score).toBeCloseTo(Math.SQRT1_2, 6)
      expect(await store.search({ ...query(3, 0, 0, 0), limit: 1 })).toHaveLength(1)
    })

    it.each([
      ['is of another dimension', [1, 0, 0]],
      ['has no direction', [0, 0, 0, 0]],
      ['is not finite', [Number.NaN, 0, 0, 1]],
    ])('refuses a vector that %s, and stores nothing of its upload', async (_, vector) => {
      await expect(store.upload(vectors, [item('a'), item('b', vector)])).rejects.toMatchObject({ code: 'invalid' })
      expect(await store.state()).toEqual({ shape: undefined, items: 0, maxItems })
      await store.upload(vectors, [item('a')])
      await expect(store.search(query(...vector))).rejects.toMatchObject({ code: 'invalid' })
    })

    it('replaces text and vector of an id, and keeps the later of two in one upload', async () => {
      await store.upload(vectors, [item('a'), item('b')])
      const again = [item('a', [0, 1, 0, 0], 'lost'), item('a', [0, 0, 1, 0], 'new')]
      expect((await store.upload(vectors, again)).items).toBe(2)
      expect(await store.texts()).toEqual(['new', 'text of b'])
      expect(await store.search({ ...query(0, 0, 1, 0), limit: 1 })).toEqual([{ id: 'a', text: 'new', score: 1 }])
      expect((await store.search(query(1, 0, 0, 0)))[0]).toMatchObject({ id: 'b', score: 1 })
    })

    it('keeps texts as they are', async () => {
      const all = ['', ' \r\n\t', '\uFEFF[meta]\n', 'a\u0000b', 'e\u0301 \u00E9', '🏔️ 日本語']
      const roomy = open(all.length)
      await roomy.upload(
        vectors,
        all.map((text, i) => item(String(i), [1, 0, 0, 0], text)),
      )
      expect(await roomy.texts()).toEqual(all)
      expect((await roomy.search(query(1, 0, 0, 0))).map(({ text }) => text)).toEqual(all)
      await roomy.close()
    })

    it('rejects a whole upload that exceeds the limit, and still replaces items', async () => {
      await store.upload(
        vectors,
        ['a', 'b', 'c', 'd'].map((id) => item(id)),
      )
      const more = [item('a', [0, 1, 0, 0], 'new'), item('e'), item('f'), item('e')]
      await expect(store.upload(vectors, more)).rejects.toMatchObject({
        code: 'conflict',
        body: { items: 4, max_items: 5, requested_new: 2 },
      })
      expect(await store.texts()).toEqual(['a', 'b', 'c', 'd'].map((id) => `text of ${id}`))
      expect(await idsOf(1, 0, 0, 0)).toEqual(['a', 'b', 'c', 'd'])
      await store.upload(vectors, [item('e')])
      expect((await store.upload(vectors, [item('a', [0, 1, 0, 0], 'new'), item('e')])).items).toBe(5)
      await store.remove(['b'])
      expect((await store.upload(vectors, [item('f')])).items).toBe(5)
    })

    it('removes ids, returns the missing ones, and keeps its shape', async () => {
      await store.upload(vectors, [item('a'), item('b'), item('c')])
      expect(await store.remove(['b', 'x', 'b', 'a'])).toEqual({ removed: ['b', 'a'], absent: ['x'] })
      expect(await idsOf(1, 0, 0, 0)).toEqual(['c'])
      await store.remove(['c'])
      expect(await store.state()).toEqual({ shape: vectors, items: 0, maxItems })
      expect(await store.search(query(1, 0, 0, 0))).toEqual([])
      await store.upload(vectors, [item('d')])
      expect(await idsOf(1, 0, 0, 0)).toEqual(['d'])
    })

    it('is empty after it is cleared', async () => {
      await store.upload(vectors, [item('a'), item('b')])
      await store.clear()
      expect(await store.state()).toEqual({ shape: undefined, items: 0, maxItems })
      expect(await store.texts()).toEqual([])
      expect(await store.search(query(1, 0, 0, 0))).toEqual([])
      await store.upload({ ...texts, dimension: 2 }, [item('b', [1, 0], 'anew')])
      expect(await store.search(query(1, 0))).toEqual([{ id: 'b', text: 'anew', score: 1 }])
    })
  })
}

import { expect } from 'vitest'
import { itemsOf, point, type Scene, space } from './points.fixture.ts'

/** Contract of namespaces: one query searches several namespaces, and finds no points of other namespaces. */
export const namespacesContract = ({ of, openIndex, search, listAll }: Scene): void => {
  of('namespaces', 'searches several at once and merges them by score', async () => {
    const index = await openIndex([
      point({ namespaceId: 'a', itemId: '1', vector: [1, 0.1, 0] }),
      point({ namespaceId: 'b', itemId: '2', vector: [1, 0, 0] }),
      point({ namespaceId: 'a', itemId: '3', vector: [1, 0.2, 0] }),
      point({ namespaceId: 'c', itemId: '4', vector: [1, 0, 0] }),
    ])
    const hits = await search(index, { namespaceIds: ['a', 'b', 'nowhere', 'a'] })
    expect(hits.map(({ namespaceId, itemId }) => namespaceId + itemId)).toEqual(['b2', 'a1', 'a3'])
  })

  of('namespaces', 'shows, counts and removes nothing of another namespace', async () => {
    const ids = ['ns', 'NS', 'ns ', 'n', 'ns\u0001', 'nš', '%', 'n_']
    const index = await openIndex(
      ids.map((namespaceId) => point({ namespaceId, itemId: `in ${namespaceId}`, terms: ['t:1'], words: ['w'] })),
    )
    for (const id of ids) {
      const filter = { terms: ['t:1'], words: ['w'] }
      expect(itemsOf(await search(index, { namespaceIds: [id] }))).toEqual([`in ${id}`])
      expect(itemsOf(await search(index, { namespaceIds: [id], filter }))).toEqual([`in ${id}`])
      expect(itemsOf(await index.list(space, { namespaceIds: [id], filter, limit: 10 }))).toEqual([`in ${id}`])
      expect(await index.count(space, id)).toBe(1)
    }
    expect(await index.removeVersions(space, [{ namespaceId: 'NS', itemId: 'in ns', version: 'v1' }])).toBe(0)
    expect(await index.removeNamespace(space, 'ns', 100)).toBe(1)
    expect(await listAll(index, ids)).toHaveLength(ids.length - 1)
  })

  of('namespaces', 'treats an impossible namespace id as empty', async () => {
    const index = await openIndex([point()])
    for (const id of ['ns\u0000', 'ns\u0000x', '\ud800', '']) {
      expect(await search(index, { namespaceIds: [id] })).toEqual([])
      expect(await index.count(space, id)).toBe(0)
      expect(await listAll(index, [id])).toEqual([])
      expect(await index.removeNamespace(space, id, 10)).toBe(0)
      expect(await index.removeVersions(space, [{ namespaceId: id, itemId: 'item', version: 'v1' }])).toBe(0)
    }
    expect(await index.count(space, 'ns')).toBe(1)
  })

  of('namespaces', 'returns nothing for no namespaces', async () => {
    const index = await openIndex([point()])
    expect(await search(index, { namespaceIds: [] })).toEqual([])
    expect(await listAll(index, [])).toEqual([])
  })
}

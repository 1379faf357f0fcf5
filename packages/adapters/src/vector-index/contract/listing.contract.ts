import type { PointAddress } from '@cairn/domain/ports/vector-index'
import { expect } from 'vitest'
import { addressOf, itemsOf, point, type Scene, space } from './points.fixture.ts'

/** Contract of listing points, in the order of addresses. */
export const listingContract = ({ of, openIndex, listAll }: Scene): void => {
  of('listing', 'pages by address through several namespaces', async () => {
    const points = ['b', 'a', 'c'].flatMap((namespaceId) =>
      Array.from({ length: 7 }, (_, i) => point({ namespaceId, itemId: `${i % 3}`, version: `v${i % 2}`, passage: i })),
    )
    const index = await openIndex(points)
    const all = await listAll(index, ['c', 'a', 'b'])
    expect(all).toHaveLength(21)
    expect(all.map(({ namespaceId }) => namespaceId).join('')).toBe('aaaaaaabbbbbbbccccccc')
    const paged: PointAddress[] = []
    for (let after: PointAddress | undefined; ; after = paged.at(-1)) {
      const page = await index.list(space, { namespaceIds: ['a', 'b', 'c'], limit: 4, ...(after ? { after } : {}) })
      paged.push(...page)
      if (page.length < 4) break
    }
    expect(paged).toEqual(all)
    for (const limit of [1, 7, 14, 20, 21, 22]) {
      expect(await index.list(space, { namespaceIds: ['a', 'b', 'c'], limit })).toEqual(all.slice(0, limit))
    }
  })

  of('listing', 'orders by UTF-8 bytes, passages as numbers', async () => {
    const ordered = [
      { itemId: '10' },
      { itemId: '9', version: 'B' },
      { itemId: '9', version: 'b', passage: 2 },
      { itemId: '9', version: 'b', passage: 10 },
      { itemId: 'Z' },
      { itemId: 'a' },
      { itemId: 'é' },
      { itemId: '\uffee' },
      { itemId: '😀' },
    ].map(point)
    const index = await openIndex(ordered.toReversed())
    expect(await listAll(index)).toEqual(ordered.map(addressOf))
    for (const [i, after] of ordered.entries()) {
      expect(await index.list(space, { namespaceIds: ['ns'], after: addressOf(after), limit: 100 })).toEqual(
        ordered.slice(i + 1).map(addressOf),
      )
    }
  })

  of('listing', 'continues after a removed address, and ends after the last', async () => {
    const index = await openIndex(['a', 'b', 'd'].map((itemId) => point({ itemId })))
    const after = (itemId: string, namespaceId = 'ns') =>
      index.list(space, { namespaceIds: ['ns'], after: addressOf(point({ namespaceId, itemId })), limit: 10 })
    expect(itemsOf(await after('c'))).toEqual(['d'])
    expect(await after('d')).toEqual([])
    expect(await after('z', 'nz')).toEqual([])
    expect(itemsOf(await after('z', 'na'))).toEqual(['a', 'b', 'd'])
  })

  of('listing', 'pages through the points that pass a filter, few or many', async () => {
    const points = Array.from({ length: 5_000 }, (_, i) =>
      point({
        itemId: String(i).padStart(4, '0'),
        terms: i % 2 === 0 ? ['even:yes'] : [],
        words: i % 625 === 0 ? ['seldom'] : [],
      }),
    )
    const index = await openIndex(points)
    const seldom = { terms: ['even:yes'], words: ['seldom'] }
    expect(itemsOf(await index.list(space, { namespaceIds: ['ns'], filter: seldom, limit: 100 }))).toEqual([
      '0000',
      '1250',
      '2500',
      '3750',
    ])
    const rest = await index.list(space, {
      namespaceIds: ['ns'],
      filter: seldom,
      after: addressOf(points[1_250]!),
      limit: 1,
    })
    expect(itemsOf(rest)).toEqual(['2500'])
    const even = { terms: ['even:yes'], words: [] }
    const first = await index.list(space, { namespaceIds: ['ns'], filter: even, limit: 2_000 })
    const second = await index.list(space, { namespaceIds: ['ns'], filter: even, after: first.at(-1)!, limit: 2_000 })
    expect(itemsOf([...first, ...second])).toEqual(itemsOf(points.filter(({ terms }) => terms.length > 0)))
  })
}

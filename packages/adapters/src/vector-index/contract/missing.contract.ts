import { expect } from 'vitest'
import { addressOf, point, type Scene, space, wide } from './points.fixture.ts'

/** Contract of `missing`: which points the index lacks. */
export const missingContract = ({ of, openIndex }: Scene): void => {
  of('missing', 'gives the addresses that have no point, in the order given', async () => {
    const present = [
      point({ itemId: 'a' }),
      point({ itemId: 'a', passage: 1 }),
      point({ itemId: 'a', version: 'v2' }),
      point({ namespaceId: 'other', itemId: 'b' }),
    ]
    const index = await openIndex(present)
    const absent = [
      point({ itemId: 'a', passage: 2 }),
      point({ itemId: 'b' }),
      point({ itemId: 'a', version: 'v3' }),
      point({ namespaceId: 'nobody', itemId: 'a' }),
    ].map(addressOf)
    const [first, ...others] = absent
    const asked = [...(first ? [first] : []), ...present.map(addressOf), ...others]
    expect(await index.missing(space, asked)).toEqual(absent)
    expect(await index.missing(space, present.map(addressOf))).toEqual([])
    expect(await index.missing(space, [])).toEqual([])
  })

  of('missing', 'returns removed addresses, but not rewritten ones', async () => {
    const points = [0, 1, 2].map((passage) => point({ passage }))
    const index = await openIndex(points)
    await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 1 }])
    expect(await index.missing(space, points.map(addressOf))).toEqual(points.slice(1).map(addressOf))
    await index.upsert(space, points)
    expect(await index.missing(space, points.map(addressOf))).toEqual([])
  })

  of(
    'missing',
    'takes more addresses than one request has, and gives all of them in a space that is not known',
    async () => {
      const points = Array.from({ length: 2_500 }, (_, i) => point({ itemId: `${i}` }))
      const index = await openIndex(points.filter((_, i) => i % 2 === 0))
      const odd = points.filter((_, i) => i % 2 === 1).map(addressOf)
      expect(await index.missing(space, points.map(addressOf))).toEqual(odd)
      expect(await index.missing({ ...wide, key: 'not-known-16' }, odd)).toEqual(odd)
    },
  )
}

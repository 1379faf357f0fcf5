import { expect } from 'vitest'
import { itemsOf, point, type Scene } from './points.fixture.ts'

/** Contract of filters by terms and words. */
export const filtersContract = ({ of, openIndex, search }: Scene): void => {
  of('filters', 'passes only points that have every term and every word', async () => {
    const index = await openIndex([
      point({ itemId: 'a', terms: ['lang:en', 'year:2024'], words: ['cat', 'sat'] }),
      point({ itemId: 'b', terms: ['lang:en'], words: ['cat'] }),
      point({ itemId: 'c', terms: ['lang:de', 'year:2024'], words: ['cat', 'mat'] }),
      point({ itemId: 'd' }),
    ])
    const items = async (terms: readonly string[], words: readonly string[]) =>
      itemsOf(await search(index, { filter: { terms, words } })).sort()
    expect(await items(['lang:en'], [])).toEqual(['a', 'b'])
    expect(await items(['lang:en', 'year:2024'], [])).toEqual(['a'])
    expect(await items([], ['cat'])).toEqual(['a', 'b', 'c'])
    expect(await items([], ['cat', 'mat'])).toEqual(['c'])
    expect(await items(['year:2024'], ['cat', 'sat'])).toEqual(['a'])
    expect(await items(['lang:fr'], [])).toEqual([])
    expect(await items(['lang:en'], ['mat'])).toEqual([])
    expect(await items(['lang:en', 'lang:en'], ['cat', 'cat'])).toEqual(['a', 'b'])
    expect(await items([], [])).toEqual(['a', 'b', 'c', 'd'])
  })

  of('filters', 'compares terms and words as exact strings', async () => {
    const strings = [
      'cat', 'Cat', 'cats', 'ca', 'c-at', 'c at', 'c"at', "c'at", 'c*', 'c:at', 'ĉat', 'CAT OR 1', 'NOT', 'and', '', ' ', '猫', 'ねこ', '🐈',
      'a\u0301', '\u00e1', 'x'.repeat(300), 'x'.repeat(301), 'cat\u0000s', '1', '11', '{"$ne":null}', '%', '_', '\\', 'ß', 'ss', 'й', 'и',
    ] // biome-ignore format: a list of words
    const index = await openIndex(
      strings.flatMap((text, i) => [
        point({ itemId: `word ${i}`, words: [text] }),
        point({ itemId: `term ${i}`, terms: [text] }),
      ]),
    )
    for (const [i, text] of strings.entries()) {
      expect(itemsOf(await search(index, { filter: { terms: [], words: [text] } })), `word ${text}`).toEqual([
        `word ${i}`,
      ])
      expect(itemsOf(await search(index, { filter: { terms: [text], words: [] } })), `term ${text}`).toEqual([
        `term ${i}`,
      ])
    }
  })

  of('filters', 'returns the best points that pass, even if a thousand others are nearer', async () => {
    const points = Array.from({ length: 2_000 }, (_, i) =>
      point({
        itemId: `${i}`,
        vector: [1, i / 100, 0],
        terms: [i % 1_000 === 999 ? 'rare:yes' : 'rare:no'],
        words: [i % 10 === 3 ? 'tenth' : 'other'],
      }),
    )
    const index = await openIndex(points)
    expect(itemsOf(await search(index, { filter: { terms: ['rare:yes'], words: [] } }))).toEqual(['999', '1999'])
    expect(itemsOf(await search(index, { filter: { terms: [], words: ['tenth'] }, limit: 3 }))).toEqual([
      '3',
      '13',
      '23',
    ])
    const both = { terms: ['rare:no'], words: ['tenth'] }
    expect(await search(index, { filter: both, limit: 4_096 })).toHaveLength(200)
  })

  of('filters', 'accepts a filter of very many words', async () => {
    const words = Array.from({ length: 400 }, (_, i) => `word${i}`)
    const index = await openIndex([point({ itemId: 'all', words }), point({ itemId: 'most', words: words.slice(1) })])
    expect(itemsOf(await search(index, { filter: { terms: [], words } }))).toEqual(['all'])
  })
}

import {
  inContext,
  type Lexemes,
  maxOccurrences,
  type Point,
  type WordHit,
  type WordQuery,
} from '@cairn/domain/ports/vector-index'
import { expect } from 'vitest'
import { addressOf, cosine, itemsOf, point, type Scene, scattered, space } from './points.fixture.ts'

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

/** Returns the lexemes of a text of numbers and of its context: `1 1 7`, `3`. */
const lexemesOf = (text: string, context = ''): Lexemes => {
  const counts = new Map<number, number>()
  for (const word of numbersIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of numbersIn(context)) counts.set(word, (counts.get(word) ?? 0) | inContext)
  const ids = Uint32Array.from(counts.keys()).sort()
  return { ids, counts: Uint8Array.from(ids, (id) => counts.get(id) ?? 0) }
}

const query = (text: string): Uint32Array => lexemesOf(text).ids
const keyOf = ({ namespaceId, itemId, version, passage }: Point | WordHit) =>
  `${namespaceId} ${itemId} ${version} ${passage}`

/** Computes textbook BM25 from every point of one namespace; a word of the context adds its weight once. */
const plainBm25 = (own: readonly Point[], wanted: Uint32Array) => {
  const lengthOf = ({ lexemes }: Point) =>
    [...(lexemes?.counts ?? [])].reduce((sum, count) => sum + (count & maxOccurrences), 0)
  // Passages of nearly equal length are weighed alike: there are eight classes per doubling.
  const classLengthOf = (one: Point) => 2 ** ((Math.floor(8 * Math.log2(Math.max(1, lengthOf(one)))) + 0.5) / 8)
  const countIn = ({ lexemes }: Point, id: number) => lexemes?.counts[lexemes.ids.indexOf(id)] ?? 0
  const withWords = own.filter(({ lexemes }) => lexemes)
  const average = withWords.reduce((sum, other) => sum + lengthOf(other), 0) / withWords.length
  const words = [...wanted].map((id) => {
    const frequency = own.filter((other) => countIn(other, id) > 0).length
    return { id, idf: Math.log(1 + (own.length - frequency + 0.5) / (frequency + 0.5)) }
  })
  return (one: Point): number =>
    words.reduce((sum, { id, idf }) => {
      const count = Math.min(17, countIn(one, id) & maxOccurrences)
      const ofContext = countIn(one, id) >= inContext ? 0.85 * idf : 0
      return sum + ofContext + (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * classLengthOf(one)) / average))
    }, 0)
}

/** Computes the result of `searchWords` by comparing all points. */
const plainSearch = (points: readonly Point[], asked: WordQuery): Map<string, { cosine?: number; bm25: number }> => {
  const { namespaceIds, vector, lexemes, filter, limit } = asked
  const scored = namespaceIds.flatMap((id) => {
    const own = points.filter(({ namespaceId }) => namespaceId === id)
    const bm25 = plainBm25(own, lexemes)
    return own
      .filter(({ terms }) => (filter?.terms ?? []).every((term) => terms.includes(term)))
      .map((one) => ({ key: keyOf(one), bm25: bm25(one), ...(vector ? { cosine: cosine(one.vector, vector) } : {}) }))
  })
  const words = scored.filter(({ bm25 }) => bm25 > 0).sort((a, b) => b.bm25 - a.bm25)
  const near = vector ? scored.toSorted((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0)) : []
  return new Map([...words.slice(0, limit), ...near.slice(0, limit)].map(({ key, ...scores }) => [key, scores]))
}

const expectSame = (hits: readonly WordHit[], expected: ReturnType<typeof plainSearch>): void => {
  expect(hits.map(keyOf).sort()).toEqual([...expected.keys()].sort())
  for (const hit of hits) {
    const plain = expected.get(keyOf(hit))
    expect(hit.bm25).toBeCloseTo(plain?.bm25 ?? Number.NaN, 3)
    if (plain?.cosine === undefined) expect(hit.cosine).toBeUndefined()
    else expect(hit.cosine).toBeCloseTo(plain.cosine, 4)
  }
}

/** Returns a number from 0 to `count` - 1; small numbers are more frequent, like ranks of words. */
const common = (seed: number, count: number) => Math.floor(count * Math.abs(scattered(seed)) ** 3)
const between = (seed: number, from: number, to: number) => from + Math.floor((to - from) * Math.abs(scattered(seed)))

const manyPoints = (count: number, namespaceIds: readonly string[], vocabulary: number): Point[] =>
  Array.from({ length: count }, (_, number) =>
    point({
      namespaceId: namespaceIds[number % namespaceIds.length] as string,
      itemId: `item ${number}`,
      vector: [scattered(3 * number), scattered(3 * number + 1), scattered(3 * number + 2)],
      terms: number % 3 === 0 ? ['kind:a'] : [],
      lexemes: lexemesOf(
        Array.from({ length: between(number, 1, 60) }, (_, index) => common(1_000 * number + index, vocabulary)).join(
          ' ',
        ),
        number % 4 === 0 ? `${common(number, vocabulary)} ${common(7 * number, vocabulary)}` : '',
      ),
    }),
  )

/** Contract of search by words: which points are found, with which scores. */
export const wordsContract = ({ of, open, openIndex }: Scene): void => {
  const search = async (
    index: Awaited<ReturnType<typeof openIndex>>,
    words: string,
    more: Partial<WordQuery> = {},
  ): Promise<WordHit[]> => index.searchWords(space, { namespaceIds: ['ns'], lexemes: query(words), limit: 10, ...more })

  of('words', 'finds the points that have a word of the query, rare words before frequent ones', async () => {
    const index = await openIndex([
      point({ itemId: 'both', lexemes: lexemesOf('1 2 5') }),
      point({ itemId: 'frequent', lexemes: lexemesOf('1 3 5') }),
      point({ itemId: 'rare', lexemes: lexemesOf('2 4 6') }),
      point({ itemId: 'neither', lexemes: lexemesOf('1000 4294967295 0') }),
      point({ itemId: 'without' }),
      point({ itemId: 'frequent too', lexemes: lexemesOf('1 1 1 1 5 6 7') }),
    ])
    const hits = (await search(index, '1 2')).sort((a, b) => b.bm25 - a.bm25)
    expect(itemsOf(hits)).toEqual(['both', 'rare', 'frequent too', 'frequent'])
    expect(itemsOf(await search(index, '4294967295'))).toEqual(['neither'])
    expect(itemsOf(await search(index, '0'))).toEqual(['neither'])
    expect(await search(index, '77')).toEqual([])
    expect(await search(index, '')).toEqual([])
  })

  for (const [count, vocabulary] of [
    [60, 20],
    [900, 200],
  ] as const)
    of('words', `gives the scores of a plain BM25 over ${count} points, by words alone and with a vector`, async () => {
      const namespaceIds = ['ns', 'other']
      const points = manyPoints(count, namespaceIds, vocabulary)
      const index = await openIndex(points)
      for (let seed = 1; seed <= 12; seed++) {
        const words = Array.from({ length: between(seed, 1, 7) }, (_, index) => common(seed * 100 + index, vocabulary))
        const asked: WordQuery = {
          namespaceIds: seed % 2 === 0 ? ['ns'] : namespaceIds,
          lexemes: query(words.join(' ')),
          limit: seed % 4 === 0 ? 3 : 20,
          ...(seed % 3 === 0 ? { filter: { terms: ['kind:a'], words: [] } } : {}),
          ...(seed % 5 < 3 ? { vector: Float32Array.of(scattered(seed), scattered(seed + 1), 1) } : {}),
        }
        expectSame(await index.searchWords(space, asked), plainSearch(points, asked))
      }
    })

  of('words', 'finds points written since the statistics were read: of a new word, in an empty namespace', async () => {
    const index = await open(600_000)
    const write = (itemId: string, words: string) => index.upsert(space, [point({ itemId, lexemes: lexemesOf(words) })])
    expect(await search(index, '1')).toEqual([])
    await write('wordless', '')
    expect(await search(index, '2')).toEqual([])
    await write('a', '1 3')
    await write('b', '4')
    expect(itemsOf(await search(index, '1'))).toEqual(['a'])
    expect(itemsOf(await search(index, '4'))).toEqual(['b'])
    await index.close()
  })

  of('words', 'counts a word of the context once, whether the passage has it or not', async () => {
    const index = await openIndex([
      point({ itemId: 'in both', lexemes: lexemesOf('1 5', '1 1') }),
      point({ itemId: 'in the text', lexemes: lexemesOf('1 6') }),
      point({ itemId: 'in the context', lexemes: lexemesOf('7 8', '1') }),
      point({ itemId: 'without text', lexemes: lexemesOf('', '1 9') }),
      point({ itemId: 'in neither', lexemes: lexemesOf('5 6') }),
    ])
    const hits = (await search(index, '1')).sort((a, b) => b.bm25 - a.bm25)
    expect(itemsOf(hits)[0]).toBe('in both')
    expect(itemsOf(hits).sort()).toEqual(['in both', 'in the context', 'in the text', 'without text'])
    const scoreOf = (id: string) => hits.find(({ itemId }) => itemId === id)?.bm25
    expect(scoreOf('in the context')).toBeCloseTo(scoreOf('without text') ?? 0, 6)
    expect(itemsOf(await search(index, '9'))).toEqual(['without text'])
  })

  of('words', "uses only the statistics of the point's own namespace", async () => {
    const own = [point({ itemId: 'a', lexemes: lexemesOf('1 2') }), point({ itemId: 'b', lexemes: lexemesOf('2 3 4') })]
    const index = await openIndex(own)
    const before = await search(index, '1 2')
    await index.upsert(
      space,
      Array.from({ length: 200 }, (_, index) =>
        point({ namespaceId: 'neighbour', itemId: `${index}`, lexemes: lexemesOf('1 '.repeat(50)) }),
      ),
    )
    expect(await search(index, '1 2')).toEqual(before)
  })

  of('words', 'counts the points that have a word, of the namespaces that are named', async () => {
    const index = await openIndex([
      point({ itemId: 'a', lexemes: lexemesOf('1 1 2') }),
      point({ itemId: 'b', lexemes: lexemesOf('2', '3') }),
      point({ namespaceId: 'other', itemId: 'c', lexemes: lexemesOf('1') }),
      point({ namespaceId: 'neighbour', itemId: 'd', lexemes: lexemesOf('1 2 3') }),
    ])
    const count = (namespaceIds: string[], words: string) =>
      index.frequencies(space, { namespaceIds, lexemes: query(words) })
    expect(await count(['ns'], '1 2 3 9')).toEqual({ points: 2, of: [1, 2, 1, 0] })
    expect(await count(['ns', 'other', 'missing'], '1 2')).toEqual({ points: 3, of: [2, 2] })
    expect(await count(['missing'], '1')).toEqual({ points: 0, of: [0] })
    expect(await count([], '1')).toEqual({ points: 0, of: [0] })
    expect(
      await index.frequencies({ key: 'vector-3', dimension: 3 }, { namespaceIds: ['ns'], lexemes: query('1') }),
    ).toEqual({ points: 0, of: [0] })
  })

  of('words', 'ignores excepted, removed and replaced versions', async () => {
    const index = await openIndex([
      point({ itemId: 'a', lexemes: lexemesOf('1') }),
      point({ itemId: 'a', version: 'v2', lexemes: lexemesOf('1') }),
      point({ itemId: 'b', lexemes: lexemesOf('1 2') }),
      point({ itemId: 'c', lexemes: lexemesOf('1 2') }),
    ])
    const found = async (words: string, more: Partial<WordQuery> = {}) =>
      (await search(index, words, more)).map(({ itemId, version }) => `${itemId} ${version}`).sort()
    expect(await found('1')).toEqual(['a v1', 'a v2', 'b v1', 'c v1'])
    expect(await found('1', { except: [{ namespaceId: 'ns', itemId: 'a', version: 'v2' }] })).toEqual([
      'a v1',
      'b v1',
      'c v1',
    ])
    await index.upsert(space, [point({ itemId: 'b', lexemes: lexemesOf('3 3') })])
    await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'c', version: 'v1' }])
    expect(await found('1 2')).toEqual(['a v1', 'a v2'])
    expect(await found('3')).toEqual(['b v1'])
    await index.upsert(space, [point({ itemId: 'd', lexemes: lexemesOf('4') })])
    expect(await found('1 2 4')).toEqual(['a v1', 'a v2', 'd v1'])
    await index.removeNamespace(space, 'ns', 1_000)
    expect(await found('1 2 3 4')).toEqual([])
  })

  of('words', 'has both scores for each hit, whichever found it', async () => {
    const index = await openIndex([
      point({ itemId: 'near', vector: [1, 0, 0], lexemes: lexemesOf('9 8') }),
      point({ itemId: 'said', vector: [0, 1, 0], lexemes: lexemesOf('1 8') }),
      point({ itemId: 'far', vector: [0, 0, 1], lexemes: lexemesOf('7') }),
      point({ itemId: 'wordless', vector: [0.9, 0.1, 0] }),
    ])
    const hits = await search(index, '1 8', { vector: Float32Array.of(1, 0, 0), limit: 2 })
    const byItem = new Map(hits.map((hit) => [hit.itemId, hit]))
    expect([...byItem.keys()].sort()).toEqual(['near', 'said', 'wordless'])
    expect(byItem.get('near')?.bm25).toBeGreaterThan(0)
    expect(byItem.get('said')?.cosine).toBeCloseTo(0, 5)
    expect(byItem.get('wordless')).toMatchObject({ ...addressOf(point({ itemId: 'wordless' })), bm25: 0 })
  })
}

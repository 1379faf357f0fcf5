import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { createNamespace, idsFound, index, listed, search, useTarget } from '../story.ts'

const story = useTarget()

const library = [
  {
    id: 'a1',
    text: 'Cairns are piles of stones that mark a path.',
    topic: 'Hiking Trails',
    year: 2024,
    open: true,
    tags: ['stone', 'way-mark'],
  },
  {
    id: 'a2',
    text: 'A path through the forest, marked by paint on trees.',
    topic: 'hiking-trails',
    year: 2025,
    open: false,
    tags: ['wood'],
  },
  {
    id: 'b1',
    text: 'Bread is baked from flour, water and salt.',
    topic: 'baking',
    year: 2024,
    nested: { topic: 'hiking-trails' },
  },
  { id: 'b2', text: 'C++ and C# are programming languages; a path is a string there.', topic: 'code', year: '2024' },
]

const dimensionOf = async (api: Client, namespace: string): Promise<number> => {
  const refused = await api.call(operations.search, { body: { query: [1, 2, 3], namespaces: [namespace] } }, 400)
  return Number(/must have (\d+) dimensions/.exec(refused.body.message)?.[1])
}

const filled = async () => {
  const { api, name } = await story.room()
  await index(api, name, library)
  return { api, name }
}

describe('search', () => {
  it('gives the best first with scores of six decimals, labels, texts, and what it took', async () => {
    const { api, name } = await filled()
    const answer = await search(api, [name], 'stones that mark a path')
    expect(answer.results.map(({ id }) => id)[0]).toBe('a1')
    const scores = answer.results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const score of scores) expect(score).toBe(Math.round(score * 1e6) / 1e6)
    expect(answer.timings['total']).toBeGreaterThanOrEqual(0)
    expect(answer.optimization_info.fetch_strategy).not.toBe('')
  })

  it('keeps to top_k, of which 10 is the default and 100 the most', async () => {
    const { api, name } = await story.room()
    const documents = Array.from({ length: 100 }, (_, turn) => ({
      id: `n${turn}`,
      text: `Stone number ${turn} on the path.`,
    }))
    await index(api, name, documents)
    await index(
      api,
      name,
      documents.map(({ id, text }) => ({ id: `m${id}`, text })),
    )
    expect(await idsFound(api, [name], 'stone on the path')).toHaveLength(10)
    expect(await idsFound(api, [name], 'stone on the path', { top_k: 3 })).toHaveLength(3)
    const ids = await idsFound(api, [name], 'stone on the path', { top_k: 5_000 })
    expect(ids).toHaveLength(100)
    expect(new Set(ids).size).toBe(100)
  })

  it('leaves out what is below the threshold in kiosk mode only', async () => {
    const { api, name } = await filled()
    const all = (await search(api, [name], 'stones that mark a path', { mode: 'semantic' })).results
    const threshold = all[1]?.score ?? 1
    const some = (await search(api, [name], 'stones that mark a path', { kiosk_mode: true, threshold })).results
    expect(some).toEqual(all.filter(({ score }) => score >= threshold))
    expect((await search(api, [name], 'stones that mark a path', { threshold })).results).toEqual(all)
    const body = { query: 'stones', namespaces: [name], kiosk_mode: true }
    expect((await api.call(operations.search, { body }, 400)).body.message).toMatch(/threshold/)
  })

  it('compares meanings, words or both, and explains the scores', async () => {
    const { api, name } = await filled()
    const query = 'how are paths marked with stone'
    const found = async (mode?: 'semantic' | 'lexical' | 'hybrid') => {
      const { results } = await search(api, [name], query, { explain: true, ...(mode ? { mode } : {}) })
      return results.map(({ id, score, explanation = { mode: 'semantic' } }) => ({ id, score, ...explanation }))
    }
    const semantic = new Map((await found('semantic')).map((hit) => [hit.id, hit]))
    for (const { mode, score, semantic: cosine, lexical } of semantic.values())
      expect([mode, cosine, lexical]).toEqual(['semantic', score, undefined])
    const lexical = new Map((await found('lexical')).map((hit) => [hit.id, hit]))
    // The document about bread does not have these words.
    expect([...lexical.keys()].sort()).toEqual(['a1', 'a2', 'b2'])
    expect(lexical.get('a1')?.score).toBe(1)
    const hybrid = await found()
    expect(hybrid).toEqual(await found('hybrid'))
    expect(hybrid).toHaveLength(library.length)
    for (const { id, mode, score, semantic: cosine = 0, lexical: words = 0, bm25 } of hybrid) {
      expect([mode, cosine, bm25]).toEqual(['hybrid', semantic.get(id)?.score, lexical.get(id)?.bm25 ?? 0])
      expect(score).toBeCloseTo(cosine + (1 - cosine) * 0.4 * words, 5)
    }
    expect((await search(api, [name], query)).results[0]).not.toHaveProperty('explanation')
    const dimension = await dimensionOf(api, name)
    const body = { query: Array(dimension).fill(1), namespaces: [name], mode: 'hybrid' }
    expect((await api.call(operations.search, { body }, 400)).body.message).toMatch(/mode/)
    await api.call(operations.search, { body: { ...body, mode: 'semantic' } }, 200)
  })

  it('takes the endings of the namespace’s language off words', async () => {
    const { api } = await story.member()
    const [english, german, plain] = await Promise.all(
      [undefined, { type: 'text', language: 'de' } as const, { type: 'text', language: 'none' } as const].map((kind) =>
        createNamespace(api, kind),
      ),
    )
    const all = [english, german, plain].flatMap((name) => name ?? [])
    for (const name of all) await index(api, name, [{ id: name, text: 'Die alten Häuser stehen am Hang.' }])
    const words = async (query: string, namespaces: readonly string[]) =>
      (await search(api, namespaces, query, { mode: 'lexical' })).results.map(({ namespace }) => namespace)
    expect(await words('Haus', all)).toEqual([german])
    expect((await words('Häuser', all)).sort()).toEqual(all.toSorted())
    const namespaces = await listed(api)
    const languageOf = (name: string | undefined) =>
      namespaces.find(({ namespace_name: one }) => one === name)?.language
    expect([english, german, plain].map(languageOf)).toEqual(['en', 'de', 'none'])
    const refused = { namespace_name: 'x', type: 'text', language: 'xx' }
    expect((await api.call(operations.createNamespace, { body: refused }, 400)).body.message).toMatch(
      /^language must be one of ar, ca, .*none/,
    )
  })

  it('marks the passage that scored best, in code points', async () => {
    const { api, name: namespace } = await story.room()
    const filler = (from: number) =>
      Array.from({ length: 150 }, (_, index) => `🏔 Nothing of note happened on day ${from + index}.`).join(' ')
    const sentence = 'The spring lies behind the old larch tree.'
    const text = `${filler(0)} ${sentence} ${filler(150)}`
    await index(api, namespace, [
      { id: 'long', text },
      { id: 'short', text: 'A 🌲 larch tree.' },
    ])
    const query = 'the spring behind the old larch tree'
    const { results } = await search(api, [namespace], query, { highlights: true })
    const highlightOf = (id: string) => {
      const hit = results.find((one) => one.id === id)
      const [{ start, end } = { start: 0, end: 0 }] = hit?.highlights ?? []
      return Array.from(hit?.text ?? '')
        .slice(start, end)
        .join('')
    }
    expect(highlightOf('short')).toBe('A 🌲 larch tree.')
    expect(highlightOf('long')).toContain(sentence)
    expect(highlightOf('long').length).toBeLessThan(text.length / 2)
    for (const [field, message] of [
      [{ highlights: 'yes' }, /^highlights must be true or false/],
      [{ context: -1 }, /^context must be an integer from 0 to 5/],
      [{ context: 6 }, /^context must be an integer from 0 to 5/],
      [{ group_by: 'page' }, /^group_by must be "file"/],
    ] as const) {
      const body = { query, namespaces: [namespace], highlights: true, ...field }
      expect((await api.call(operations.search, { body }, 400)).body.message).toMatch(message)
    }
  })

  it('weighs words by their own namespace alone', async () => {
    const { api, name } = await filled()
    const scores = async () =>
      (await search(api, [name], 'cairns mark a path', { mode: 'lexical', explain: true })).results
    const before = await scores()
    const { api: neighbor } = await story.member()
    const crowd = await createNamespace(neighbor)
    const documents = Array.from({ length: 100 }, (_, turn) => ({ id: `n${turn}`, text: 'Cairns, cairns, a path.' }))
    await index(neighbor, crowd, documents)
    await index(api, await createNamespace(api), documents)
    expect(await scores()).toEqual(before)
  })

  const filters: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['#topic:hiking-trails', ['a1', 'a2']],
    ['#TOPIC:Hiking-Trails', ['a1', 'a2']],
    ['#topic:hiking-trails #year:2024', ['a1']],
    ['#year:2024', ['a1', 'b1', 'b2']],
    ['#open:true', ['a1']],
    ['#tags:stone', ['a1']],
    ['#tags:way-mark', ['a1']],
    ['#tags:sto', []],
    ['#stones', ['a1']],
    ['#STONES #piles', ['a1']],
    ['#stone', []],
    ['#path #year:2025', ['a2']],
    ['#c++', ['b2']],
    ['#nested:hiking-trails', []],
    ['#missing:key', []],
  ]
  it('filters exactly: by metadata, by whole words, by all of them at once', async () => {
    const { api, name } = await filled()
    for (const [query, ids] of filters) {
      const { results } = await search(api, [name], query)
      expect(
        results.map(({ id }) => id),
        query,
      ).toEqual(ids)
      expect(
        results.every(({ score }) => score === 1),
        query,
      ).toBe(true)
      const ranked = await idsFound(api, [name], `which path is it ${query}`)
      expect(ranked.toSorted(), `text and ${query}`).toEqual(ids)
    }
  })

  it('takes a # that is not at the end for text', async () => {
    const { api, name } = await filled()
    expect(await idsFound(api, [name], '#baking is what I want')).toHaveLength(4)
    expect(await idsFound(api, [name], 'is C# a language')).toHaveLength(4)
    expect((await idsFound(api, [name], 'is C# a language'))[0]).toBe('b2')
  })

  it('finds the best that pass a filter, also when a thousand better ones do not', async () => {
    const { api, name } = await story.room()
    for (let batch = 0; batch < 5; batch += 1) {
      const documents = Array.from({ length: 100 }, (_, turn) => ({
        id: `n${batch}-${turn}`,
        text: 'Stones mark a path, stones.',
        kind: 'many',
      }))
      await index(api, name, documents)
    }
    await index(api, name, [{ id: 'rare', text: 'Nothing of the sort is said in here.', kind: 'few' }])
    expect(await idsFound(api, [name], 'stones mark a path #kind:few')).toEqual(['rare'])
  })

  it('covers several namespaces of one type, once each, and says where each hit is from', async () => {
    const { api } = await story.member()
    const [one, two] = [await createNamespace(api), await createNamespace(api)].toSorted() as [string, string]
    const same = { id: 'same', text: 'Cairns are piles of stones that mark a path.' }
    await index(api, one, [same, { id: 'only-one', text: 'Bread is baked from flour and water.' }])
    await index(api, two, [same])
    const { results } = await search(api, [two, one, two], 'stones that mark a path', { mode: 'semantic' })
    expect(results.map(({ id, namespace }) => [id, namespace])).toEqual([
      ['same', one],
      ['same', two],
      ['only-one', one],
    ])
    expect(results[0]?.score).toBe(results[1]?.score)
  })

  it('refuses namespaces of two types, and names one that is not there', async () => {
    const { api, name } = await filled()
    const vector = await createNamespace(api, { type: 'vector', vector_dimension: 3 })
    const mixed = await api.call(operations.search, { body: { query: 'stones', namespaces: [name, vector] } }, 400)
    expect(mixed.body.message).toMatch(/one type/)
    const unknown = await api.call(
      operations.search,
      { body: { query: 'stones', namespaces: [name, 'not-there'] } },
      404,
    )
    expect(unknown.body).toMatchObject({ namespace_name: 'not-there' })
  })

  it('takes numbers on a text namespace when their length fits', async () => {
    const { api, name } = await filled()
    const query = Array.from({ length: await dimensionOf(api, name) }, (_, index) => (index === 0 ? 1 : 0))
    expect((await search(api, [name], query)).results.length).toBeLessThanOrEqual(4)
  })
})

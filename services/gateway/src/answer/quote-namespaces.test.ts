import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import type { Language } from '@cairn/contracts/text/languages'
import { expect, it } from 'vitest'
import type { ReadableNamespace } from '../gate.ts'
import type { SearchHit } from '../search/search-namespaces.ts'
import { quoteNamespaces } from './quote-namespaces.ts'

const small = { provider: 'local', model: 'small', dimension: 4 } as const
const large = { provider: 'local', model: 'large', dimension: 8 } as const

const namespace = (name: string, embedding: typeof small | typeof large = small, language?: Language) =>
  ({ id: `id-${name}`, name, type: 'text', embedding, ...(language && { language }) }) as unknown as ReadableNamespace
const source = (where: ReadableNamespace, id: string, text: string, file?: string) =>
  ({
    id,
    text,
    score: 0.5,
    namespace: where.name,
    embedding: where.embedding,
    metadata: file === undefined ? {} : { source: file },
    explanation: { mode: 'hybrid', readable: 0 },
  }) as unknown as SearchHit

/** Quotes the sources of namespaces; `weighed`: the space and the namespaces in which words were counted. */
const quoted = async (question: string, namespaces: readonly ReadableNamespace[], sources: readonly SearchHit[]) => {
  const weighed: (readonly [space: string, ids: readonly string[]])[] = []
  const frequencies = async (
    { key }: { readonly key: string },
    { namespaceIds, lexemes }: { readonly namespaceIds: readonly string[]; readonly lexemes: Uint32Array },
  ) => {
    weighed.push([key, namespaceIds])
    return { points: 1_000, of: Array.from(lexemes, () => 1) }
  }
  const published = async (namespaceId: string, ids: readonly string[]) =>
    ids.map((id) => ({ itemId: id, body: { text: `About the ${namespaceId.replace('id-', '')} of Brigid.` } }))
  const store = { items: { get: async () => [] }, chunks: { published } }
  const deps = { store, vectors: { frequencies }, lexicalEmbedder: lexicalEmbedder() }
  const call = { account: { id: 'a' }, signal: new AbortController().signal }
  const quote = await quoteNamespaces(
    deps as unknown as Parameters<typeof quoteNamespaces>[0],
    call as unknown as Parameters<typeof quoteNamespaces>[1],
    namespaces,
    question,
    sources,
  )
  return { ...quote, weighed }
}

const ferry = 'The ferry Brigid carries 110 cars to the island.'
const bread = 'The bakery sells bread with seeds on Sundays.'
const question = 'How many cars does the ferry Brigid carry to the island?'

it('compares namespaces of one language and model, and weighs words in all of them', async () => {
  const [boats, shops, empty] = [namespace('boats'), namespace('shops'), namespace('empty')]
  const found = [source(shops, '1', bread), source(boats, '1', ferry)]
  expect(await quoted(question, [boats, shops, empty], found)).toEqual({
    text: ferry,
    isAnswer: true,
    weighed: [['local-small-4', ['id-boats', 'id-shops', 'id-empty']]],
  })
})

it('asks the groups by their best source until one has an answer, each by its own model and words', async () => {
  const [boats, shops, laden] = [namespace('boats', large), namespace('shops'), namespace('laden', small, 'de')]
  const found = [source(shops, '1', bread), source(boats, '1', ferry), source(laden, '1', bread)]
  expect(await quoted(question, [boats, laden, shops], found)).toEqual({
    text: ferry,
    isAnswer: true,
    weighed: [
      ['local-small-4', ['id-shops']],
      ['local-large-8', ['id-boats']],
    ],
  })
})

it('quotes what comes nearest in the first group if none has an answer, or the beginning of the best source', async () => {
  const [shops, laden] = [namespace('shops'), namespace('laden', small, 'de')]
  const sights = [source(shops, '1', 'Lighthouse'), source(laden, '1', bread)]
  expect(await quoted(question, [shops, laden], sights)).toMatchObject({ text: bread, isAnswer: false })
  expect(await quoted(question, [shops], [source(shops, '1', ' Lighthouse\n\nNorth ')])).toMatchObject({
    text: 'Lighthouse North',
    isAnswer: false,
  })
  const long = await quoted(question, [shops], [source(shops, '1', 'lighthouse'.repeat(100))])
  expect(long.text).toHaveLength(800)
})

it('takes names from the beginning of the file in its own namespace', async () => {
  const [boats, shops] = [namespace('boats'), namespace('shops')]
  const asked = 'How many cars does the Boats ferry carry to the island?'
  const rule = (where: ReadableNamespace) =>
    source(where, 'list.md_chunk_7', 'The ferry carries 110 cars to the island.', 'list.md')
  expect(await quoted(asked, [boats, shops], [rule(boats)])).toMatchObject({ isAnswer: true })
  expect(await quoted(asked, [boats, shops], [rule(shops)])).toMatchObject({ isAnswer: false })
})

it('uses the model that found the sources where the namespace has changed it since', async () => {
  const before = namespace('boats')
  const { weighed } = await quoted(question, [before], [source({ ...before, embedding: large }, '1', ferry)])
  expect(weighed).toEqual([['local-large-8', ['id-boats']]])
})

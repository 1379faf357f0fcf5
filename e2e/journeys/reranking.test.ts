import { operations } from '@cairn/contracts/api/operations'
import { startRerankServer } from '@cairn/testing/rerank-server'
import { afterAll, describe, expect, it } from 'vitest'
import { createNamespace, index, search, useStandalone, useTarget } from '../story.ts'

/** A rerank server that gives texts about a marmot a high score. */
const server = await startRerankServer(({ body }) => ({
  results: (body.documents ?? []).map((text, index) => ({ index, relevance_score: /marmot/.test(text) ? 0.9 : 0.1 })),
}))
afterAll(server.close)

const story = useStandalone({
  env: { CAIRN_RERANK_URL: server.url, CAIRN_RERANK_MODEL: 'judge', CAIRN_RERANK_API_KEY: 'sk-canary-rerank' },
})

const filled = async ({ member }: Pick<typeof story, 'member'>) => {
  const { api } = await member()
  const namespace = await createNamespace(api)
  const filler = Array.from({ length: 300 }, (_, index) => `Nothing of note happened on day ${index}.`).join(' ')
  await index(api, namespace, [
    { id: 'path', text: 'The path to the saddle is marked with cairns.' },
    { id: 'cairns', text: 'Cairns mark a path over the saddle.' },
    { id: 'long', text: `${filler} A marmot sits on the path to the saddle. ${filler}` },
  ])
  return { api, namespace }
}

describe('a reranked search', () => {
  it('is ordered by the model, which reads the best passages, and says what it moved', async () => {
    const { api, namespace } = await filled(story)
    const asked = [api, [namespace], 'the path to the saddle'] as const
    const plain = await search(...asked, { top_k: 2 })
    expect(plain).not.toHaveProperty('rerank')
    const found = await search(...asked, { top_k: 2, rerank: true, explain: true })
    expect(found.results.map(({ score }) => score)).toEqual([0.9, 0.1])
    expect(found.results[0]).toMatchObject({ id: 'long', label: expect.any(String) })
    expect(found.results[1]?.id).toBe(plain.results[0]?.id)
    expect(found.results[1]?.explanation?.retrieval).toBe(plain.results[0]?.score)
    expect(found.rerank).toMatchObject({ model: 'judge', candidates: 3, moved: 2 })
    const { documents = [], query } = server.asked.at(-1)?.body ?? {}
    expect(query).toBe('the path to the saddle')
    expect(documents.find((text) => text.includes('marmot'))?.length).toBeLessThan(5_000)
  })

  it('needs words', async () => {
    const { api, namespace } = await filled(story)
    const dimensions = { query: [1, 2], namespaces: [namespace], rerank: true }
    expect((await api.call(operations.search, { body: dimensions }, 400)).body.message).toMatch(/^rerank must be false/)
    const asked = server.asked.length
    expect(await search(api, [namespace], '#id:none', { rerank: true })).not.toHaveProperty('rerank')
    expect(server.asked).toHaveLength(asked)
  })
})

describe('without a reranker', () => {
  const target = useTarget()

  it('a reranked search is refused with the remedy', async () => {
    const { api, namespace } = await filled(target)
    const body = { query: 'the path', namespaces: [namespace], rerank: true }
    expect((await api.call(operations.search, { body }, 409)).body.message).toMatch(/CAIRN_RERANK_URL/)
  })
})

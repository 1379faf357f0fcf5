import { type RerankBehavior, startRerankServer } from '@cairn/testing/rerank-server'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { httpReranker, type RerankForm } from './http.ts'
import { rerankerContract } from './port.contract.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (behave: RerankBehavior, form: RerankForm = 'cohere', timeoutMs = 2_000) => {
  const server = await startRerankServer(behave)
  closers.push(server.close)
  const options = { url: server.url, apiKey: 'sk-canary', form, model: 'judge', timeoutMs, clock: systemClock() }
  const reranker = httpReranker(options)
  const { signal } = new AbortController()
  const rerank = (texts: readonly string[] = ['a', 'b', 'c']) => reranker.rerank('which?', texts, { signal })
  return { server, reranker, rerank }
}

/** Returns a response in Cohere's format with the scores of the texts 0, 1, 2 …, or of the texts in `numbers`. */
const cohere = (scores: readonly unknown[], numbers: readonly unknown[] = [...scores.keys()]) => ({
  results: scores.map((relevance_score, index) => ({ index: numbers[index], relevance_score })),
})

/** Scores by how often the query's first word occurs: as logits (Cohere), or as shares (text-embeddings-inference). */
const countWords: RerankBehavior = ({ body: { query, documents, texts = [] } }) => {
  const countIn = (text: string) => text.split(' ').filter((word) => word === query.split(' ')[0]).length
  if (documents) return cohere(documents.map((text) => countIn(text) - 1))
  return texts.map((text, index) => ({ index, score: countIn(text) / 10 })).toReversed()
}
const failWith =
  (status: number): RerankBehavior =>
  (_, response) =>
    void response.writeHead(status, { 'retry-after': '5' }).end('{}')
const openReranker = (behave: RerankBehavior, form?: RerankForm, timeoutMs?: number) => async () =>
  (await start(behave, form, timeoutMs)).reranker
const openUnreachable = async () => {
  const { server, reranker } = await start(countWords, 'cohere', 200)
  await server.close()
  return reranker
}

describe.each(['cohere', 'tei'] as const)('with the API of %s', (form) => {
  rerankerContract({
    open: openReranker(countWords, form),
    failing: {
      'the server is busy': { code: 'unavailable', open: openReranker(failWith(429), form) },
      'the server rejects the key': { code: 'unavailable', open: openReranker(failWith(401), form) },
      'the server is too slow': { code: 'unavailable', open: openReranker(() => undefined, form, 200) },
      'the server is unreachable': { code: 'unavailable', open: openUnreachable },
      'the server rejects the content': { code: 'conflict', open: openReranker(failWith(422), form) },
    },
  })
})

describe('the reranker over HTTP', () => {
  it('asks in the form of Cohere and Jina, and gives the scores in the order of the texts', async () => {
    const { server, rerank } = await start(() => cohere([0.9, 0.5, 0], [2, 0, 1]))
    expect(await rerank()).toEqual([0.5, 0, 0.9])
    expect(server.asked[0]?.body).toEqual({ model: 'judge', query: 'which?', documents: ['a', 'b', 'c'], top_n: 3 })
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sk-canary')
    expect(server.asked).toHaveLength(1)
  })

  it('asks in the form of text-embeddings-inference', async () => {
    const { server, rerank } = await start(
      () => [
        { index: 1, score: 1 },
        { index: 0, score: 0.25 },
      ],
      'tei',
    )
    expect(await rerank(['a', '\ud800'])).toEqual([0.25, 1])
    expect(server.asked[0]?.body).toEqual({ query: 'which?', texts: ['a', '\ufffd'], truncate: true })
  })

  it('maps scores without a range to 0 to 1, in the same order', async () => {
    const { rerank } = await start(() => cohere([-3, 8, 0]))
    const scores = await rerank()
    expect(scores[2]).toBe(0.5)
    expect(scores[0]).toBeLessThan(0.1)
    expect(scores[1]).toBeGreaterThan(0.9)
  })

  it.each<readonly [string, unknown]>([
    ['too few scores', cohere([1, 1])],
    ['too many', cohere([1, 1, 1, 1])],
    ['an index twice', cohere([1, 1, 1], [0, 1, 1])],
    ['an index too high', cohere([1, 1, 1], [0, 1, 3])],
    ['an index below 0', cohere([1, 1, 1], [0, 1, -1])],
    ['a score that is no number', cohere([1, 1, null])],
    ['no list', { error: 'no' }],
    ['nothing', null],
    ['an endless answer', { results: [], more: 'x'.repeat(100_000) }],
  ])('is an internal error for %s', async (_, answer) => {
    const { rerank } = await start(() => answer)
    await expect(rerank()).rejects.toMatchObject({ code: 'internal' })
  })

  it('retries a busy server after the time that it asks for', async () => {
    const { server, rerank } = await start((_, response, nth) => {
      if (nth > 1) return cohere([1, 1, 1])
      response.writeHead(429, { 'retry-after': '0.1' }).end('{}')
      return undefined
    })
    expect(await rerank()).toEqual([1, 1, 1])
    expect(server.asked).toHaveLength(2)
  })

  it.each([
    [429, 'unavailable', /busy/],
    [503, 'unavailable', /busy/],
    [401, 'unavailable', /refuses the key/],
    [404, 'unavailable', /does not serve this address or model/],
    [422, 'conflict', /refuses the query with its hits: 422 too long/],
  ] as const)('answers %i by %s, without the key', async (status, code, message) => {
    const behave: RerankBehavior = (_, response) => {
      response.writeHead(status, { 'retry-after': '5' }).end(JSON.stringify({ message: 'too long for sk-canary' }))
      return undefined
    }
    const { rerank } = await start(behave)
    const error = await rerank().catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('sk-canary')
  })

  it('says whether the server is slow or unreachable, and accepts only HTTP addresses', async () => {
    const slow = await start(() => undefined, 'cohere', 200)
    await expect(slow.rerank()).rejects.toMatchObject({ code: 'unavailable', message: /within 200 ms/ })
    const away = await start(() => undefined, 'cohere', 200)
    await away.server.close()
    await expect(away.rerank()).rejects.toMatchObject({ code: 'unavailable', message: /can't be reached/ })
    const ftp = { url: 'ftp://x/', form: 'tei', model: 'm', timeoutMs: 1, clock: systemClock() } as const
    expect(() => httpReranker(ftp)).toThrow(/no http URL/)
  })
})

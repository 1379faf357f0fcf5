import type { Reranker } from '@cairn/domain/ports/reranker'
import { describe, expect, it, onTestFinished } from 'vitest'

type Open = () => Reranker | Promise<Reranker>

export type RerankerContract = {
  /** Opens a reranker whose score rises with the occurrences of the query's first word. Tests use stone, path, bread. */
  readonly open: Open
  /** Rerankers that can't answer, and the code of their AppError, by what is wrong. */
  readonly failing: Readonly<Record<string, { readonly code: 'unavailable' | 'conflict'; readonly open: Open }>>
}

const maxTexts = 100

/** Contract of every reranker, whatever its model. */
export const rerankerContract = ({ open, failing }: RerankerContract): void => {
  /** The model's threads start while other tests run. */
  describe('reranker', { timeout: 60_000 }, () => {
    const use = async (opening: Open) => {
      const reranker = await opening()
      onTestFinished(() => reranker.close())
      const rerank = (query: string, texts: readonly string[], signal = new AbortController().signal) =>
        reranker.rerank(query, texts, { signal })
      return { reranker, rerank }
    }

    it('names its model', async () => {
      expect((await use(open)).reranker.model).not.toBe('')
    })

    it('returns a score from 0 to 1 for each text, in the order of the texts', async () => {
      const { rerank } = await use(open)
      const [none = 1, two = 0, one = 0, empty = 1] = await rerank('stone', ['path', 'stone stone', 'stone', ''])
      expect(two).toBeGreaterThan(one)
      expect(one).toBeGreaterThan(none)
      expect(empty).toBe(none)
      expect([none, two].every((score) => score >= 0 && score <= 1)).toBe(true)
    })

    it('returns no score for no text', async () => {
      expect(await (await use(open)).rerank('stone', [])).toEqual([])
    })

    it(`scores ${maxTexts} texts in one call`, async () => {
      const { rerank } = await use(open)
      const texts = Array.from({ length: maxTexts }, (_, index) => (index % 3 === 0 ? 'stone' : 'bread'))
      const scores = await rerank('stone', texts)
      const [stone, bread] = scores
      expect(scores).toEqual(texts.map((text) => (text === 'stone' ? stone : bread)))
    })

    it('answers concurrent callers, each with its own scores', async () => {
      const { rerank } = await use(open)
      const pairs = await Promise.all(
        ['stone', 'path', 'bread'].map((query) => rerank(query, ['stone', 'path', 'bread'])),
      )
      expect(pairs.map((scores) => scores.indexOf(Math.max(...scores)))).toEqual([0, 1, 2])
    })

    it('accepts text with half of a surrogate pair', async () => {
      expect(await (await use(open)).rerank('\ud800', ['stone \udc00', ''])).toHaveLength(2)
    })

    it("throws the signal's reason, whether it is aborted before the call or during it", async () => {
      const { rerank } = await use(open)
      const reason = new Error('no longer needed')
      await expect(rerank('stone', ['stone'], AbortSignal.abort(reason))).rejects.toBe(reason)
      const controller = new AbortController()
      const running = rerank('stone', ['stone'], controller.signal)
      controller.abort(reason)
      await expect(running).rejects.toBe(reason)
      expect(await rerank('stone', ['stone'])).toHaveLength(1)
    })

    for (const [trouble, { code, open: openFailing }] of Object.entries(failing)) {
      it(`rejects with ${code} when ${trouble}`, async () => {
        const { rerank } = await use(openFailing)
        await expect(rerank('stone', ['stone', 'path'])).rejects.toMatchObject({ code })
      })
    }

    it('can be closed twice, and is unavailable afterwards', async () => {
      const { reranker, rerank } = await use(open)
      await Promise.all([reranker.close(), reranker.close()])
      await reranker.close()
      await expect(rerank('stone', ['stone'])).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}

import { temporaryDirectory } from '@cairn/testing/temporary'
import { writeTinyCrossEncoder } from '@cairn/testing/tiny-cross-encoder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { type FetchedRerankerOptions, fetchedReranker } from './fetched.ts'
import { localReranker } from './local.ts'

const open = (resolveModel: FetchedRerankerOptions['resolveModel']) => {
  const failures: string[] = []
  const reranker = fetchedReranker({
    model: 'judge',
    resolveModel,
    open: (modelDir) =>
      localReranker({ modelDir, model: 'judge', workers: 1, timeoutMs: 20_000, clock: systemClock() }),
    onFailed: (reason) => failures.push(reason),
  })
  onTestFinished(() => reranker.close())
  const rerank = (signal = new AbortController().signal) => reranker.rerank('stone', ['stone', 'path'], { signal })
  return { reranker, rerank, failures }
}

describe('a fetched reranker', { timeout: 60_000 }, () => {
  it('is loading until its model is there, says how far it is, and then reranks', async () => {
    const found = Promise.withResolvers<string>()
    const { rerank, reranker } = open((report) => {
      report({ detail: 'fetching (1.0 of 2.0 MB)' })
      return found.promise
    })
    expect(reranker.model).toBe('judge')
    await expect(rerank()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The reranker is loading (fetching (1.0 of 2.0 MB)); retry in 5 seconds',
      retryAfterSeconds: 5,
    })
    await expect(rerank(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    const modelDir = temporaryDirectory()
    writeTinyCrossEncoder(modelDir, 'onnx/model_quantized.onnx')
    found.resolve(modelDir)
    await found.promise
    const [stone = 0, path = 1] = await rerank()
    expect(stone).toBeGreaterThan(path)
  })

  it.each([
    ['the model is not to be had', () => Promise.reject(new Error('the cable is cut')), /the cable is cut/],
    ['a file is missing', async () => temporaryDirectory(), /has no tokenizer.json/],
  ])('refuses every search with the reason and the remedy when %s', async (_, resolveModel, reason) => {
    const { rerank, failures } = open(resolveModel)
    await expect.poll(() => failures).toHaveLength(1)
    expect(failures[0]).toMatch(reason)
    await expect(rerank()).rejects.toMatchObject({ code: 'conflict', message: failures[0] })
    expect(failures[0]).toMatch(/^The reranker judge can't be used: .*CAIRN_RERANK_MODEL_DIR/)
  })

  it('stops fetching when it is closed', async () => {
    const { reranker, rerank, failures } = open(
      (_, signal) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    )
    await reranker.close()
    await expect(rerank()).rejects.toMatchObject({ code: 'unavailable' })
    expect(failures).toEqual([])
  })
})

import { temporaryDirectory } from '@cairn/testing/temporary'
import { writeTinyCrossEncoder } from '@cairn/testing/tiny-cross-encoder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { type FetchedRerankerOptions, fetchedReranker } from './fetched.ts'
import { localReranker } from './local.ts'
import { rerankerContract } from './port.contract.ts'

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
  const { signal } = new AbortController()
  const rerank = () => reranker.rerank('stone', ['stone', 'path'], { signal })
  return { reranker, rerank, failures }
}

const openFetched = async () => {
  const modelDir = temporaryDirectory()
  writeTinyCrossEncoder(modelDir)
  const { reranker, rerank } = open(async () => modelDir)
  await expect.poll(() => rerank().catch(() => undefined), { timeout: 20_000 }).toBeDefined()
  return reranker
}
const untilAborted: FetchedRerankerOptions['resolveModel'] = (_, signal) =>
  new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
const openFailed = async () => {
  const { reranker, failures } = open(() => Promise.reject(new Error('the cable is cut')))
  await expect.poll(() => failures).toHaveLength(1)
  return reranker
}

rerankerContract({
  open: openFetched,
  failing: {
    'the model is still being fetched': { code: 'unavailable', open: () => open(untilAborted).reranker },
    'the model could not be fetched': { code: 'conflict', open: openFailed },
  },
})

describe('a fetched reranker', { timeout: 60_000 }, () => {
  it('reports the progress of fetching its model, and then reranks', async () => {
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
    const modelDir = temporaryDirectory()
    writeTinyCrossEncoder(modelDir, 'onnx/model_quantized.onnx')
    found.resolve(modelDir)
    await found.promise
    const [stone = 0, path = 1] = await rerank()
    expect(stone).toBeGreaterThan(path)
  })

  it.each([
    ['the model can not be fetched', () => Promise.reject(new Error('the cable is cut')), /the cable is cut/],
    ['a file is missing', async () => temporaryDirectory(), /has no tokenizer.json/],
  ])('refuses every search with the reason and the remedy when %s', async (_, resolveModel, reason) => {
    const { rerank, failures } = open(resolveModel)
    await expect.poll(() => failures).toHaveLength(1)
    expect(failures[0]).toMatch(reason)
    await expect(rerank()).rejects.toMatchObject({ code: 'conflict', message: failures[0] })
    expect(failures[0]).toMatch(/^The reranker judge can't be used: .*CAIRN_RERANK_MODEL_DIR/)
  })

  it('stops fetching when it is closed', async () => {
    const { reranker, rerank, failures } = open(untilAborted)
    await reranker.close()
    await expect(rerank()).rejects.toMatchObject({ code: 'unavailable' })
    expect(failures).toEqual([])
  })
})

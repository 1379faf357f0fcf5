import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { writeTinyCrossEncoder } from '@cairn/testing/tiny-cross-encoder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { type LocalRerankerOptions, localReranker } from './local.ts'
import { rerankerContract } from './port.contract.ts'

const open = (options: Partial<LocalRerankerOptions> = {}, file?: string) => {
  const modelDir = temporaryDirectory()
  writeTinyCrossEncoder(modelDir, file)
  const reranker = localReranker({ modelDir, workers: 2, timeoutMs: 20_000, clock: systemClock(), ...options })
  onTestFinished(() => reranker.close())
  const rerank = (query: string, texts: readonly string[], signal = new AbortController().signal) =>
    reranker.rerank(query, texts, { signal })
  return { modelDir, reranker, rerank }
}

const logistic = (logit: number) => 1 / (1 + Math.exp(-logit))

const openWithoutModel = () => {
  const { modelDir, reranker } = open({ workers: 1 })
  writeFileSync(join(modelDir, 'onnx', 'model.onnx'), 'no model')
  return reranker
}

rerankerContract({
  open: () => open().reranker,
  failing: {
    'the model is too slow': { code: 'unavailable', open: () => open({ timeoutMs: 1 }).reranker },
    'the file is not a model': { code: 'conflict', open: openWithoutModel },
  },
})

/** Long timeout: threads load a model while other tests run. */
describe('the local reranker', { timeout: 60_000 }, () => {
  it('reads each text together with the query, and gives scores from 0 to 1 in the order of the texts', async () => {
    const { rerank, reranker, modelDir } = open()
    const texts = ['path', 'stone', 'stone path stone', '']
    const scores = await rerank('stone path', texts)
    const expected = [-1, 0, 1, -1].map(logistic)
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(expected[index] ?? Number.NaN, 6)
    expect(scores).toHaveLength(texts.length)
    expect(modelDir.endsWith(reranker.model)).toBe(true)
  })

  it('reads 512 tokens of a pair and no more', async () => {
    const { rerank } = open({ workers: 1 })
    // [CLS] stone [SEP] text [SEP]: 508 tokens of the text fit.
    const at = (place: number) => `${'path '.repeat(place - 1)}stone ${'path '.repeat(100)}`
    const [last, beyond] = await rerank('stone', [at(508), at(509)])
    expect(last).toBeCloseTo(logistic(0), 6)
    expect(beyond).toBeCloseTo(logistic(-1), 6)
  })

  it('leaves room for the text beside a long query', async () => {
    const { rerank } = open({ workers: 1 })
    const [score] = await rerank(`stone ${'path '.repeat(2_000)}`, ['stone'])
    expect(score).toBeCloseTo(logistic(0), 6)
  })

  it('leaves half of the window to the text beside a query of one token for each character', async () => {
    const { rerank } = open({ workers: 1 })
    // [CLS], 254 tokens of the query, [SEP], 255 tokens of the text, [SEP].
    const query = `stone${'.'.repeat(900)}`
    const long = (place: number) => `${'path '.repeat(place - 1)}stone ${'path '.repeat(300)}`
    const scores = await rerank(query, ['stone stone', 'path', long(255), long(256)])
    for (const [index, logit] of [1, -1, 0, -1].entries()) expect(scores[index]).toBeCloseTo(logistic(logit), 6)
  })

  it('prefers the quantized file if there are several', async () => {
    const { rerank, modelDir } = open({ workers: 1, model: 'judge' }, 'onnx/model_quantized.onnx')
    writeFileSync(join(modelDir, 'onnx', 'model.onnx'), 'no model')
    expect(await rerank('stone', ['stone'])).toHaveLength(1)
  })

  it('names the file that a folder lacks', () => {
    const { modelDir } = open()
    const again = () => localReranker({ modelDir, workers: 1, timeoutMs: 1_000, clock: systemClock() })
    rmSync(join(modelDir, 'onnx', 'model.onnx'))
    expect(again).toThrow(/has no onnx\/model_quantized.onnx, .*model.onnx/)
    rmSync(join(modelDir, 'tokenizer.json'))
    expect(again).toThrow(/has no tokenizer.json/)
  })

  it('names the setting to change when it is too slow or its file is not a model', async () => {
    await expect(open({ timeoutMs: 1 }).rerank('stone', ['stone'])).rejects.toThrow(
      /within 1 ms.*CAIRN_RERANK_TIMEOUT_MS/,
    )
    const { signal } = new AbortController()
    await expect(openWithoutModel().rerank('stone', ['stone'], { signal })).rejects.toThrow(
      /can't be used: .*CAIRN_RERANK_MODEL_DIR/,
    )
  })
})

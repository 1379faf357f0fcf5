import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Reranker } from '@cairn/domain/ports/reranker'
import { disableTelemetry } from '../embedder/local/open-model.ts'
import { WorkerPool } from '../embedder/local/pool.ts'
import type { RerankWorkerData } from './local-worker.ts'

export type LocalRerankerOptions = {
  /** Has `tokenizer.json` and the model in ONNX, named as on the hub: the first of `modelFiles` is used. */
  readonly modelDir: string
  /** Default: the name of the folder. */
  readonly model?: string | undefined
  /** Threads; each loads its own copy of the model. */
  readonly workers: number
  /** For one call. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/** Quantized models are first: on CPUs they take less than half the time. */
export const modelFiles = [
  'onnx/model_quantized.onnx',
  'model_quantized.onnx',
  'onnx/model.onnx',
  'model.onnx',
] as const

const whatToCheck = 'Check the model in CAIRN_RERANK_MODEL_DIR, or in the cache if CAIRN_RERANK_LOCAL_MODEL names it.'
const maxWaiting = 1_000
const busyRetryAfterSeconds = 1

/** AppError `conflict` when the folder lacks a file. */
const modelFileIn = (modelDir: string): string => {
  const found = modelFiles.find((file) => existsSync(join(modelDir, file)))
  const lacks = (what: string) => new AppError('conflict', `${modelDir} (CAIRN_RERANK_MODEL_DIR) has no ${what}`)
  if (!existsSync(join(modelDir, 'tokenizer.json'))) throw lacks('tokenizer.json')
  if (found === undefined) throw lacks(modelFiles.join(', '))
  return join(modelDir, found)
}

/** Runs an ONNX cross-encoder, which reads a query and a text together. Loads the model at the first call. */
export const localReranker = (options: LocalRerankerOptions): Reranker => {
  const { modelDir, model = basename(modelDir), workers, timeoutMs, clock } = options
  const workerData: RerankWorkerData = {
    modelFile: modelFileIn(modelDir),
    tokenizerFile: join(modelDir, 'tokenizer.json'),
  }
  disableTelemetry()
  const pool = new WorkerPool({
    name: 'reranker',
    script: new URL('./local-worker.ts', import.meta.url),
    workerData,
    workers,
    maxWaiting,
    clock,
    // Later calls are refused with the reason.
    onFailed: () => undefined,
  })
  return {
    model,
    rerank: async (query, texts, { signal }) => {
      const late = AbortSignal.timeout(timeoutMs)
      const pairs = texts.map((text) => JSON.stringify([query, text]))
      try {
        const scores = await pool.run('document', pairs, AbortSignal.any([signal, late]))
        return scores.map(([score = 0]) => score)
      } catch (error) {
        if (late.aborted && !signal.aborted) {
          const message = `The reranker has not answered within ${timeoutMs} ms; retry, or raise CAIRN_RERANK_TIMEOUT_MS.`
          throw new AppError('unavailable', message, { retryAfterSeconds: busyRetryAfterSeconds })
        }
        if (error instanceof AppError && error.code === 'conflict')
          throw new AppError('conflict', `The reranker can't be used: ${error.message}. ${whatToCheck}`)
        throw error
      }
    },
    close: () => pool.close(),
  }
}

import { availableParallelism } from 'node:os'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '../clock/port.ts'
import type { Answer, Kind } from './local/messages.ts'
import type { Pool } from './local/pool.ts'
import { workerPool } from './local/pool.ts'
import type { Embedder, EmbedderStatus } from './port.ts'

export type LocalEmbedderOptions = {
  /**
   * Gives the folder that holds the model (`onnx/model_quantized.onnx`, `tokenizer.json`, `tokenizer_config.json`), fetching it
   * if need be: `modelResolver` of `model/resolve-model.ts`, or just `async () => '/some/folder'`. Called once, at once.
   * What it throws becomes the reason of the state `failed`.
   */
  readonly resolveModel: (
    report: (progress: { readonly detail: string; readonly progress?: number }) => void,
    signal: AbortSignal,
  ) => Promise<string>
  readonly clock: Clock
  /** Threads, each with a model of its own (about 100 MB). Default: one a core. The second and later ones start when work waits. */
  readonly workers?: number
  /** Texts of one kind (queries, documents) that may wait; above it calls are refused as `unavailable`. Default 10,000. */
  readonly maxWaiting?: number
  /** A thread that answers nothing for so long is replaced. Default 60,000. */
  readonly stuckAfterMs?: number
}

/** The model was trained on 256 tokens, two of them special; its tokenizer file says 512. */
const maxTokens = 254
const dimension = 384
const wayOut =
  'Set CAIRN_MODEL_DIR to a folder that holds the model, run `npm run model` where it can be fetched, or set CAIRN_EMBEDDER=openai or lexical'

/**
 * all-MiniLM-L6-v2, quantised to int8, in this process: one ONNX session per worker thread.
 *
 * It begins to look for its model when it is made, is `loading` until one thread has loaded it, and `failed` for good when it can't
 * be had. A text is embedded whole up to `maxTokens`; its vector does not depend on what is embedded beside it or before it.
 * Queries overtake waiting documents. A thread that breaks is replaced and its texts are given to another; a text that breaks three
 * threads rejects its call with `internal`. Vectors of differently quantised files differ a little (cosine about 0.99): they may be
 * mixed in one namespace.
 */
export const localEmbedder = (options: LocalEmbedderOptions): Embedder => {
  const workers = options.workers ?? availableParallelism()
  const closing = new AbortController()
  let status: EmbedderStatus = { state: 'loading', detail: 'looking for the model' }
  let pool: Pool | undefined

  const fail = (reason: string): void => {
    status = { state: 'failed', detail: `all-MiniLM-L6-v2 can't be used: ${reason}. ${wayOut}` }
  }

  // onnxruntime sends telemetry unless it is disabled before the first session. Threads have copies of the environment that native code
  // does not read, so it is disabled here.
  // biome-ignore lint/style/noProcessEnv: set, not read; there is no other way to say it
  process.env.ORT_DISABLE_TELEMETRY = '1'

  const load = async (): Promise<void> => {
    try {
      const modelDir = await options.resolveModel((now) => {
        if (status.state === 'loading') status = { state: 'loading', ...now }
      }, closing.signal)
      closing.signal.throwIfAborted()
      status = { state: 'loading', detail: 'loading the model into memory' }
      const { clock, maxWaiting = 10_000, stuckAfterMs = 60_000 } = options
      const script = new URL('./local/worker.ts', import.meta.url)
      pool = workerPool({ script, modelDir, maxTokens, dimension, workers, maxWaiting, stuckAfterMs, clock, onFailed: fail })
      await pool.start().catch((error: unknown) => {
        throw new Error(`the files in ${modelDir} can't be loaded: ${error instanceof Error ? error.message : String(error)}`)
      })
      status = { state: 'ready' }
    } catch (error) {
      await pool?.close()
      fail(error instanceof Error ? error.message : String(error))
    }
  }
  const loaded = load()

  const run = (kind: Kind, texts: readonly string[], signal?: AbortSignal): Promise<Answer[]> => {
    if (closing.signal.aborted) return Promise.reject(new AppError('unavailable', 'The embedder is closed'))
    if (status.state === 'failed') return Promise.reject(new AppError('conflict', status.detail))
    if (status.state === 'loading' || pool === undefined) {
      return Promise.reject(new AppError('unavailable', 'The embedding model is loading', { retryAfterSeconds: 5 }))
    }
    return pool.run(kind, texts, signal)
  }

  return {
    model: { provider: 'local', model: 'all-MiniLM-L6-v2', dimension },
    maxTokens,
    concurrency: workers * 4,
    status: () => status,
    check: async () => status,
    settled: () => loaded,
    tokens: async (texts) => (await run('tokens', texts)) as Uint32Array[],
    embed: async (texts, { kind, signal }) => (await run(kind, texts, signal)) as Float32Array[],
    close: async () => {
      closing.abort(new AppError('unavailable', 'The embedder is closed'))
      await loaded
      await pool?.close()
    },
  }
}

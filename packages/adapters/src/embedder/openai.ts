import { AppError } from '@cairn/contracts/errors'
import { createPauses } from '@cairn/contracts/flow/pauses'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedder, EmbedderStatus } from '@cairn/domain/ports/embedder'
import { estimateTokens } from './openai/estimate-tokens.ts'
import type { RequestOptions } from './openai/request.ts'
import { sendTexts } from './openai/request.ts'

export type OpenaiEmbedderOptions = {
  /** URL before `/embeddings`: `https://api.openai.com/v1`, `http://localhost:11434/v1` (Ollama). */
  readonly baseUrl: string
  /** Bearer token; local servers need none. */
  readonly apiKey?: string | undefined
  readonly model: string
  readonly dimension: number
  /** Requests carry `dimensions`: some models can shorten their vectors, others refuse the field. Default: false. */
  readonly sendDimension?: boolean
  /** Window in tokens. Texts are cut by an estimate, so leave a margin if the server refuses some texts. */
  readonly maxTokens: number
  /** Texts per request. Default 32, the maximum of an unconfigured text-embeddings-inference server. */
  readonly batchSize?: number
  /** UTF-16 units per request; a longer text is sent alone. Default 200,000. */
  readonly batchCharacters?: number
  /** For documents; queries don't wait for them. Default 4. */
  readonly parallelRequests?: number
  /** For one request. Default 30,000. */
  readonly timeoutMs?: number
  /** Limit of retries against a busy server, from the start of `embed`. Default 20,000; for queries at most 3,000. */
  readonly retryForMs?: number
  readonly clock: Clock
}

const queryRetryForMs = 3_000
const recheckMs = 30_000
/** For an error that only an operator can resolve. */
const unusableRetryAfterSeconds = 10
/** Maximum age of the last response on which `check` relies. */
const freshMs = { ready: 30_000, failed: 5_000 } as const
const probe = 'A short text that any model embeds.'

type Batch = { readonly from: number; readonly texts: readonly string[] }

/**
 * Works with any server with OpenAI's `POST /embeddings`: OpenAI, Ollama, text-embeddings-inference, vLLM.
 * It is `ready` at once and sends nothing before it is used or checked. A busy (429, 5xx) or slow server is
 * `unavailable`, after retries. An unreachable server, a wrong key, URL or model (401, 403, 404 …), or a vector of
 * another dimension is also `unavailable`, and the state `failed` until a request succeeds: work waits until an
 * operator corrects the setting. Texts that the server refuses (400, 413, 422) are found by halving the batch; an
 * AppError `invalid` names the first of them. If the server also refuses a harmless text, the setting is wrong, as
 * above. `tokens` are an estimate: the tokenizer is on the server. Vectors are scaled to length 1 here.
 */
export const openaiEmbedder = (options: OpenaiEmbedderOptions): Embedder => {
  const {
    clock,
    maxTokens,
    dimension,
    batchSize = 32,
    batchCharacters = 200_000,
    parallelRequests = 4,
    retryForMs = 20_000,
  } = options
  const request: RequestOptions = {
    name: 'embedding server',
    url: `${options.baseUrl.replace(/\/+$/, '')}/embeddings`,
    apiKey: options.apiKey,
    model: options.model,
    dimension,
    sendDimension: options.sendDimension ?? false,
    timeoutMs: options.timeoutMs ?? 30_000,
    clock,
  }
  if (!/^https?:$/.test(URL.parse(request.url)?.protocol ?? ''))
    throw new AppError('conflict', `The address of the embedding server is no http URL: ${options.baseUrl}`)
  const closing = new AbortController()
  const inTurn = limit(parallelRequests)
  let status: EmbedderStatus = { state: 'ready' }
  let rechecking = false
  let answeredAtMs = Number.NEGATIVE_INFINITY
  let checking: Promise<EmbedderStatus> | undefined

  const setFailed = (detail: string): AppError => {
    status = { state: 'failed', detail }
    if (!rechecking) void recheckUntilReady()
    return new AppError('unavailable', detail, { retryAfterSeconds: unusableRetryAfterSeconds })
  }
  /** Callers that wait for `ready` send no requests. A raised quota or a pulled model can end the failure. */
  const recheckUntilReady = async (): Promise<void> => {
    rechecking = true
    while (status.state === 'failed' && !closing.signal.aborted) {
      await clock.delay(recheckMs, closing.signal)
      if (status.state === 'failed' && !closing.signal.aborted) await tryProbe()
    }
    rechecking = false
  }
  const tryProbe = (): Promise<EmbedderStatus> => {
    checking ??= sendProbe(clock.monotonic(), closing.signal)
      .catch(() => undefined)
      .then(() => {
        checking = undefined
        return status
      })
    return checking
  }

  const send = async (texts: readonly string[], deadlineMs: number, signal: AbortSignal) => {
    const reply = await sendTexts(request, texts, deadlineMs, signal)
    answeredAtMs = clock.monotonic()
    if ('unusable' in reply) throw setFailed(reply.unusable)
    if ('vectors' in reply) status = { state: 'ready' }
    return reply
  }

  /** Tells a wrong setting from wrong texts: no server should refuse this text. */
  const sendProbe = async (deadlineMs: number, signal: AbortSignal): Promise<void> => {
    const reply = await send([probe], deadlineMs, signal)
    if ('refused' in reply) throw setFailed(`The embedding server refuses every request: ${reply.refused}`)
  }

  const embedBatch = async (
    batch: Batch,
    total: number,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Float32Array[]> => {
    const { from, texts } = batch
    const reply = await send(texts, deadlineMs, signal)
    if ('vectors' in reply) return reply.vectors
    if (texts.length === 1) {
      await sendProbe(deadlineMs, signal)
      throw new AppError('invalid', `Text ${from + 1} of ${total} is refused by the embedding server: ${reply.refused}`)
    }
    const half = Math.ceil(texts.length / 2)
    const left = await embedBatch({ from, texts: texts.slice(0, half) }, total, deadlineMs, signal)
    return [...left, ...(await embedBatch({ from: from + half, texts: texts.slice(half) }, total, deadlineMs, signal))]
  }

  /** Cuts to `maxTokens`, and replaces unpaired surrogates, to which some servers always answer 500. */
  const prepare = (text: string): string => {
    if (text.length <= maxTokens) return text.toWellFormed()
    const end = estimateTokens(text)[maxTokens]
    return (end === undefined ? text : text.slice(0, end)).toWellFormed()
  }

  const toBatches = (texts: readonly string[]): Batch[] => {
    const batches: { from: number; texts: string[] }[] = []
    let characters = 0
    for (const [index, text] of texts.map(prepare).entries()) {
      const last = batches.at(-1)
      characters += text.length
      if (last === undefined || last.texts.length >= batchSize || characters > batchCharacters) {
        batches.push({ from: index, texts: [text] })
        characters = text.length
      } else last.texts.push(text)
    }
    return batches
  }

  return {
    model: { provider: 'openai', model: options.model, dimension },
    maxTokens,
    concurrency: batchSize * parallelRequests,
    status: () => status,
    check: async () => {
      const isFresh = status.state !== 'loading' && clock.monotonic() - answeredAtMs < freshMs[status.state]
      return isFresh || closing.signal.aborted ? status : tryProbe()
    },
    settled: async () => {},
    tokens: async (texts) => {
      closing.signal.throwIfAborted()
      const pause = createPauses()
      const starts: Uint32Array[] = []
      for (const text of texts) {
        starts.push(estimateTokens(text))
        await pause()
      }
      return starts
    },
    embed: async (texts, { kind, signal }) => {
      signal?.throwIfAborted()
      closing.signal.throwIfAborted()
      const failed = new AbortController()
      const stop = AbortSignal.any([closing.signal, failed.signal, ...(signal === undefined ? [] : [signal])])
      const deadlineMs = clock.monotonic() + (kind === 'query' ? Math.min(retryForMs, queryRetryForMs) : retryForMs)
      const work = (batch: Batch) => {
        stop.throwIfAborted()
        return embedBatch(batch, texts.length, deadlineMs, stop)
      }
      try {
        const parts = await Promise.all(
          toBatches(texts).map((batch) => (kind === 'query' ? work(batch) : inTurn(() => work(batch)))),
        )
        return parts.flat()
      } catch (error) {
        // The other batches of this call are useless now.
        failed.abort(error)
        throw error
      }
    },
    close: async () => {
      closing.abort(new AppError('unavailable', 'The embedder is closed'))
    },
  }
}

const limit = (max: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

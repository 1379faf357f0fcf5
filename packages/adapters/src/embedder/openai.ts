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

type BatchLimits = { readonly maxTokens: number; readonly batchSize: number; readonly batchCharacters: number }

/** Cuts to `maxTokens`, and replaces unpaired surrogates, to which some servers always answer 500. */
const prepare = (text: string, maxTokens: number): string => {
  if (text.length <= maxTokens) return text.toWellFormed()
  const end = estimateTokens(text)[maxTokens]
  return (end === undefined ? text : text.slice(0, end)).toWellFormed()
}

const toBatches = (texts: readonly string[], { maxTokens, batchSize, batchCharacters }: BatchLimits): Batch[] => {
  const batches: { from: number; texts: string[] }[] = []
  let characters = 0
  for (const [index, text] of texts.map((one) => prepare(one, maxTokens)).entries()) {
    const last = batches.at(-1)
    characters += text.length
    if (last === undefined || last.texts.length >= batchSize || characters > batchCharacters) {
      batches.push({ from: index, texts: [text] })
      characters = text.length
    } else last.texts.push(text)
  }
  return batches
}

/** Its methods are fields, because callers spread ports. */
class OpenaiEmbedder implements Embedder {
  readonly model: Embedder['model']
  readonly maxTokens: number
  readonly concurrency: number
  readonly #clock: Clock
  readonly #request: RequestOptions
  readonly #batches: BatchLimits
  readonly #retryForMs: number
  readonly #inTurn: ReturnType<typeof limit>
  readonly #closing = new AbortController()
  #status: EmbedderStatus = { state: 'ready' }
  #rechecking = false
  #answeredAtMs = Number.NEGATIVE_INFINITY
  #checking: Promise<EmbedderStatus> | undefined

  constructor(options: OpenaiEmbedderOptions) {
    const { model, dimension, maxTokens, batchSize = 32, batchCharacters = 200_000, parallelRequests = 4 } = options
    const { baseUrl, apiKey, sendDimension = false, timeoutMs = 30_000, clock, retryForMs = 20_000 } = options
    const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new AppError('conflict', `The address of the embedding server is no http URL: ${baseUrl}`)
    this.model = { provider: 'openai', model, dimension }
    this.maxTokens = maxTokens
    this.concurrency = batchSize * parallelRequests
    this.#clock = clock
    this.#request = { name: 'embedding server', url, apiKey, model, dimension, sendDimension, timeoutMs, clock }
    this.#batches = { maxTokens, batchSize, batchCharacters }
    this.#retryForMs = retryForMs
    this.#inTurn = limit(parallelRequests)
  }

  readonly status = () => this.#status

  readonly check: Embedder['check'] = async () => {
    const isFresh =
      this.#status.state !== 'loading' && this.#clock.monotonic() - this.#answeredAtMs < freshMs[this.#status.state]
    return isFresh || this.#closing.signal.aborted ? this.#status : this.#tryProbe()
  }

  readonly settled: Embedder['settled'] = async () => {}

  readonly tokens: Embedder['tokens'] = async (texts) => {
    this.#closing.signal.throwIfAborted()
    const pause = createPauses()
    const starts: Uint32Array[] = []
    for (const text of texts) {
      starts.push(estimateTokens(text))
      await pause()
    }
    return starts
  }

  readonly embed: Embedder['embed'] = async (texts, { kind, signal }) => {
    signal?.throwIfAborted()
    this.#closing.signal.throwIfAborted()
    const failed = new AbortController()
    const stop = AbortSignal.any([this.#closing.signal, failed.signal, ...(signal === undefined ? [] : [signal])])
    const deadlineMs =
      this.#clock.monotonic() + (kind === 'query' ? Math.min(this.#retryForMs, queryRetryForMs) : this.#retryForMs)
    const work = (batch: Batch) => {
      stop.throwIfAborted()
      return this.#embedBatch(batch, texts.length, deadlineMs, stop)
    }
    try {
      const parts = await Promise.all(
        toBatches(texts, this.#batches).map((batch) =>
          kind === 'query' ? work(batch) : this.#inTurn(() => work(batch)),
        ),
      )
      return parts.flat()
    } catch (error) {
      // The other batches of this call are useless now.
      failed.abort(error)
      throw error
    }
  }

  readonly close: Embedder['close'] = async () => {
    this.#closing.abort(new AppError('unavailable', 'The embedder is closed'))
  }

  #setFailed(detail: string): AppError {
    this.#status = { state: 'failed', detail }
    if (!this.#rechecking) void this.#recheckUntilReady()
    return new AppError('unavailable', detail, { retryAfterSeconds: unusableRetryAfterSeconds })
  }

  /** Callers that wait for `ready` send no requests. A raised quota or a pulled model can end the failure. */
  async #recheckUntilReady(): Promise<void> {
    this.#rechecking = true
    while (this.#status.state === 'failed' && !this.#closing.signal.aborted) {
      await this.#clock.delay(recheckMs, this.#closing.signal)
      if (this.#status.state === 'failed' && !this.#closing.signal.aborted) await this.#tryProbe()
    }
    this.#rechecking = false
  }

  #tryProbe(): Promise<EmbedderStatus> {
    this.#checking ??= this.#sendProbe(this.#clock.monotonic(), this.#closing.signal)
      .catch(() => undefined)
      .then(() => {
        this.#checking = undefined
        return this.#status
      })
    return this.#checking
  }

  async #send(texts: readonly string[], deadlineMs: number, signal: AbortSignal) {
    const reply = await sendTexts(this.#request, texts, deadlineMs, signal)
    this.#answeredAtMs = this.#clock.monotonic()
    if ('unusable' in reply) throw this.#setFailed(reply.unusable)
    if ('vectors' in reply) this.#status = { state: 'ready' }
    return reply
  }

  /** Tells a wrong setting from wrong texts: no server should refuse this text. */
  async #sendProbe(deadlineMs: number, signal: AbortSignal): Promise<void> {
    const reply = await this.#send([probe], deadlineMs, signal)
    if ('refused' in reply) throw this.#setFailed(`The embedding server refuses every request: ${reply.refused}`)
  }

  async #embedBatch(batch: Batch, total: number, deadlineMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    const { from, texts } = batch
    const reply = await this.#send(texts, deadlineMs, signal)
    if ('vectors' in reply) return reply.vectors
    if (texts.length === 1) {
      await this.#sendProbe(deadlineMs, signal)
      throw new AppError('invalid', `Text ${from + 1} of ${total} is refused by the embedding server: ${reply.refused}`)
    }
    const half = Math.ceil(texts.length / 2)
    const left = await this.#embedBatch({ from, texts: texts.slice(0, half) }, total, deadlineMs, signal)
    return [
      ...left,
      ...(await this.#embedBatch({ from: from + half, texts: texts.slice(half) }, total, deadlineMs, signal)),
    ]
  }
}

/**
 * Works with any server with OpenAI's `POST /embeddings`: OpenAI, Ollama, text-embeddings-inference, vLLM.
 * It is `ready` at once and sends nothing before it is used or checked. A busy (429, 5xx) or slow server is
 * `unavailable`, after retries. An unreachable server, a wrong key, URL or model (401, 403, 404 …), or a vector of
 * another dimension is also `unavailable`, and the state `failed` until a request succeeds: work waits until an
 * operator corrects the setting. Texts that the server refuses (400, 413, 422) are found by halving the batch; an
 * AppError `invalid` names the first of them. If the server also refuses a harmless text, the setting is wrong, as
 * above. `tokens` are an estimate: the tokenizer is on the server. Vectors are scaled to length 1 here.
 */
export const openaiEmbedder = (options: OpenaiEmbedderOptions): Embedder => new OpenaiEmbedder(options)

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

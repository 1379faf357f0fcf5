import { type AnswerEvent, answerEvents } from './answer-events.ts'
import { createDocuments, type Documents } from './documents.ts'
import { createFiles, type Files } from './files.ts'
import { createNamespaces, type Namespaces } from './namespaces.ts'
import { type CairnOptions, type CallOptions, createTransport, type Transport } from './transport.ts'
import type { Answer, Answered, Hits, Search } from './types.ts'
import { createVectors, type Vectors } from './vectors.ts'
import { createWaitFor, type WaitFor } from './wait-for.ts'

/** A model may take minutes. */
const answerTimeoutMs = 300_000

/**
 * A client of one server with one API key. Bodies and answers have the names of the API. Calls that may be repeated are
 * sent again after failures that may pass; every other failure is a CairnError.
 */
export class Cairn {
  readonly namespaces: Namespaces
  readonly documents: Documents
  readonly vectors: Vectors
  readonly files: Files
  readonly waitFor: WaitFor
  /** Every operation of the API, typed, without the conveniences of this client. */
  readonly api: Transport['api']
  readonly #transport: Transport
  readonly #answerTimeoutMs: number

  constructor(options: CairnOptions) {
    this.#transport = createTransport(options)
    this.#answerTimeoutMs = options.timeoutMs ?? answerTimeoutMs
    this.api = this.#transport.api
    this.waitFor = createWaitFor(this.#transport)
    this.namespaces = createNamespaces(this.#transport)
    this.documents = createDocuments(this.#transport, this.waitFor)
    this.vectors = createVectors(this.#transport)
    this.files = createFiles(this.#transport)
  }

  search(search: Search, options: CallOptions = {}): Promise<Hits> {
    const { api, send } = this.#transport
    return send((signal) => api.POST('/v1/search', { body: search, signal }), { ...options, repeat: 'idempotent' })
  }

  /** Answers a question. It is not repeated after a failure, because a model's answer costs credits. */
  answer(question: Omit<Answer, 'stream'>, options: CallOptions = {}): Promise<Answered> {
    const { api, send } = this.#transport
    return send<Answered | string>((signal) => api.POST('/v1/answer', { body: question, signal }), {
      timeoutMs: this.#answerTimeoutMs,
      ...options,
      repeat: 'once',
    }) as Promise<Answered>
  }

  /** Yields the answer while it is generated: `meta`, `token` repeatedly, then `done` with the whole of it. */
  async *answerStream(
    question: Omit<Answer, 'stream' | 'structured_response'>,
    { signal, ...options }: CallOptions = {},
  ): AsyncGenerator<AnswerEvent> {
    const { api, send } = this.#transport
    // The time limit of the attempt ends with the headers, and the signal does not.
    const stopped = new AbortController()
    const stop = () => stopped.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const body = await send<ReadableStream<Uint8Array> | null>(
        (attempt) => {
          attempt.addEventListener('abort', () => stopped.abort(attempt.reason), { once: true })
          return api.POST('/v1/answer', {
            body: { ...question, stream: true },
            parseAs: 'stream',
            signal: stopped.signal,
          })
        },
        { timeoutMs: this.#answerTimeoutMs, ...options, signal, repeat: 'once' },
      )
      if (body) yield* answerEvents(body, options.timeoutMs ?? this.#answerTimeoutMs)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      stopped.abort()
    }
  }
}

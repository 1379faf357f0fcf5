import { type Admin, createAdmin } from './admin.ts'
import { type AnswerEvent, answerEvents } from './answer-events.ts'
import { limits } from './api-constants.ts'
import { type ContentEvent, contentEvents, type EventOptions } from './content-events.ts'
import { createDocuments, type Documents } from './documents.ts'
import { CairnError } from './error.ts'
import { createEvaluations, type Evaluations } from './evaluations.ts'
import { createFiles, type Files } from './files.ts'
import { createNamespaces, type Namespaces } from './namespaces.ts'
import { createReextractions, type Reextractions } from './reextractions.ts'
import { createReindexes, type Reindexes } from './reindexes.ts'
import { createRetries, type Retries } from './retries.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { type CairnOptions, type CallOptions, createTransport, keyed, type Transport } from './transport.ts'
import type { Answer, Answered, ConsoleCode, Hits, Model, OwnUsage, Readiness, Search, UsageRange } from './types.ts'
import { createUploads, type Uploads } from './uploads.ts'
import { createVectors, type Vectors } from './vectors.ts'
import { createWaitFor, type WaitFor } from './wait-for.ts'

type SearchOf = Omit<Search, 'namespaces'> & {
  /** Default: all text namespaces; for a vector, all vector namespaces of its dimension. Found by one more request. */
  readonly namespaces?: Search['namespaces'] | undefined
}

/** Long, because a model may take minutes. */
const answerTimeoutMs = 300_000

/**
 * A client of one server with an API key, the admin key, or both. Request and response bodies have the field names of
 * the API. Calls that are safe to repeat are retried after transient failures; all other failures throw a
 * {@link CairnError}.
 *
 * @example
 * const cairn = new Cairn({ url: 'http://localhost:3000', apiKey: process.env.CAIRN_API_KEY })
 * await cairn.namespaces.create('notes')
 * await cairn.documents.upload('notes', [{ id: '1', text: 'Cairns mark a path.' }], { wait: true })
 * const { results } = await cairn.search({ query: 'What marks a path?', namespaces: ['notes'] })
 */
export class Cairn {
  /** Creates, lists and deletes namespaces: named sets of items that are searched together. */
  readonly namespaces: Namespaces
  /** Uploads, reads, pages through and deletes the documents of text namespaces. */
  readonly documents: Documents
  /** Uploads and deletes vectors that you computed, in vector namespaces. */
  readonly vectors: Vectors
  /** Uploads files to text namespaces, follows their processing, and reads their chunks. */
  readonly files: Files
  /** Reads the state of uploads of documents. */
  readonly uploads: Uploads
  /** Changes the model of a text namespace while it is searched. */
  readonly reindexes: Reindexes
  /** Extracts files again that were extracted by an earlier version. */
  readonly reextractions: Reextractions
  /** Results of searching namespaces by questions with known answers. */
  readonly evaluations: Evaluations
  /** Waits until an upload, a file or a deletion has ended. */
  readonly waitFor: WaitFor
  /** Operations for the operator, with the admin key. */
  readonly admin: Admin
  /** Retries failed items of a namespace or of an upload, or single documents. */
  readonly retry: Retries['retry']
  /** Yields the state of each document of an upload. */
  readonly documentsOfUpload: Retries['documents']
  /** Every operation of the API, typed, without the conveniences of this client. */
  readonly api: Transport['api']
  readonly #transport: Transport
  readonly #answerTimeoutMs: number

  /** Sends no request: a wrong URL or an unknown key fails the first call. */
  constructor(options: CairnOptions) {
    this.#transport = createTransport(options)
    this.#answerTimeoutMs = options.timeoutMs ?? answerTimeoutMs
    this.api = this.#transport.api
    this.waitFor = createWaitFor(this.#transport)
    this.namespaces = createNamespaces(this.#transport)
    this.documents = createDocuments(this.#transport, this.waitFor)
    this.vectors = createVectors(this.#transport)
    this.files = createFiles(this.#transport, this.documents, this.waitFor)
    this.uploads = createUploads(this.#transport)
    this.reindexes = createReindexes(this.#transport)
    this.reextractions = createReextractions(this.#transport)
    this.evaluations = createEvaluations(this.#transport)
    this.admin = createAdmin(this.#transport)
    const retries = createRetries(this.#transport)
    this.retry = retries.retry
    this.documentsOfUpload = retries.documents
  }

  /**
   * Searches the named namespaces, or all that the query fits, by default by meaning and by words. `results` are the
   * best hits, best first, with a `score` from 0 to 1; there may be fewer than `top_k`.
   *
   * @example
   * const { results } = await cairn.search({
   *   query: 'when do I get my money back?',
   *   namespaces: ['help'],
   *   top_k: 5,
   *   filter: { key: 'topic', eq: 'sales' },
   * })
   * for (const { id, score, text } of results) console.log(id, score, text)
   *
   * @throws {@link CairnError} `not_found` if a namespace does not exist, `invalid` if the query does not fit it.
   */
  async search(search: SearchOf, options?: CallOptions): Promise<Hits> {
    const namespaces = search.namespaces ?? (await this.#namespacesFor(search.query, options))
    return this.#transport.call('post', '/v1/search', { body: { ...search, namespaces } }, options)
  }

  /** Returns the namespaces of texts, or of vectors of the query's dimension. */
  async #namespacesFor(query: Search['query'], options?: CallOptions): Promise<string[]> {
    const [type, dimension] = typeof query === 'string' ? ['text', null] : ['vector', query.length]
    const all = await this.namespaces.list(options)
    const found = all.filter((one) => one.type === type && one.vector_dimension === dimension)
    const { namespacesPerSearch: max } = limits
    if (found.length === 0) throw new CairnError('not_found', `There is no ${type} namespace for the query yet`)
    if (found.length > max) throw new CairnError('invalid', `Name at most ${max} of the ${found.length} namespaces`)
    return found.map(({ namespace_name: name }) => name)
  }

  /**
   * Answers a question from `namespace`, from several `namespaces` by one search, or without both from all text
   * namespaces, up to 20. `sources` are the passages that the answer is from, each with its namespace; `answered` is
   * false if none answers the question. Retried only after a 429, which the server has not processed, because a model's
   * answer costs credits.
   *
   * @example
   * const { answer, sources } = await cairn.answer({ query: 'when do I get my money back?', namespace: 'help' })
   */
  answer(question: Omit<Answer, 'stream'>, options?: CallOptions): Promise<Answered> {
    const call = { timeoutMs: this.#answerTimeoutMs, ...options, repeat: 'once' } as const
    return this.#transport.call('post', '/v1/answer', { body: question }, call) as Promise<Answered>
  }

  /** Returns the usage of the key's account, by default of the last 30 days, by day. */
  usage(range: UsageRange = {}, options?: CallOptions): Promise<OwnUsage> {
    return this.#transport.call('get', '/v1/usage', { params: { query: range } }, options)
  }

  /** Lists the models that namespaces can have. */
  async models(options?: CallOptions): Promise<Model[]> {
    return (await this.#transport.call('get', '/v1/models', {}, options)).models
  }

  /** Creates a code that opens the console with the API key of this client, once and within ten minutes. */
  consoleCode(options?: CallOptions): Promise<ConsoleCode> {
    return this.#transport.call('post', '/v1/console-codes', {}, keyed(options))
  }

  /** Returns the readiness of the server and its dependencies. Needs no key; retried only after a 429. */
  async readiness(options?: CallOptions): Promise<Readiness> {
    try {
      return await this.#transport.call('get', '/readyz', {}, { ...options, repeat: 'once' })
    } catch (error) {
      const body = error instanceof CairnError && error.status === 503 ? error.body : undefined
      if (typeof body === 'object' && body !== null && 'dependencies' in body) return body as Readiness
      throw error
    }
  }

  /**
   * Yields the answer while it is generated: `meta`, `token` repeatedly, then `done` with the whole answer.
   *
   * @example
   * for await (const event of cairn.answerStream({ query: 'What marks a path?', namespace: 'notes' }))
   *   if (event.event === 'token') process.stdout.write(event.delta)
   */
  async *answerStream(
    question: Omit<Answer, 'stream' | 'structured_response'>,
    { signal, ...options }: CallOptions = {},
  ): AsyncGenerator<AnswerEvent> {
    const { api } = this.#transport
    const body = { ...question, stream: true } as const
    const timeoutMs = options.timeoutMs ?? this.#answerTimeoutMs
    yield* answerEvents(
      serverSentEvents(
        this.#transport,
        (opened) => api.POST('/v1/answer', { body, parseAs: 'stream', signal: opened }),
        { signal, timeoutMs, idleMs: timeoutMs, repeat: 'once' },
      ),
    )
  }

  /**
   * Yields events of the account's content, or of one namespace, as they happen. Reconnects after a broken connection
   * without repeating events. Yields `missed` if some events have expired meanwhile. Ends only when the signal is
   * aborted.
   *
   * @example
   * for await (const event of cairn.events({ namespace: 'notes', signal })) console.log(event)
   */
  events(options: EventOptions = {}): AsyncGenerator<ContentEvent> {
    return contentEvents(this.#transport, options)
  }
}

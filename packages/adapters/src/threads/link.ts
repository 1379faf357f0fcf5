import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import { type Answer, type FromThread, type ToThread, toError } from './messages.ts'

type ThreadOptions<News> = {
  readonly url: URL
  readonly workerData: unknown
  /** In error messages, such as `vector index`. */
  readonly owner: string
  readonly resourceLimits?: ResourceLimits
  readonly onNews?: (news: News) => void
  /** The thread ended by itself; news that it had not sent is lost. */
  readonly onCrash?: (cause: unknown) => void
}

type CallOptions = { readonly transfer?: readonly Transferable[]; readonly signal?: AbortSignal | undefined }

/**
 * Sends numbered requests. If the thread ends by itself, requests in progress fail and the next one starts a new
 * thread. The thread keeps the process alive only while requests are in progress.
 */
export class ThreadLink<Request, Notice = never, News = never> {
  readonly #options: ThreadOptions<News>
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  #lastId = 0
  #worker: Worker | undefined
  #closing: Promise<void> | undefined
  #outbox: ToThread<Request, Notice>[number][] = []
  #transfers: Transferable[] = []

  constructor(options: ThreadOptions<News>) {
    this.#options = options
  }

  start(): void {
    if (!this.#closing) this.#worker ??= this.#launch()
  }

  /**
   * Starts the thread if none runs. Rejects with the thread's error, `unavailable` if it ends first, or the reason of
   * `signal` as soon as it is aborted; the thread is notified of the abort.
   */
  call(request: Request, { transfer = [], signal }: CallOptions = {}): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#closing) return Promise.reject(new AppError('unavailable', `The ${this.#options.owner} is closed`))
    this.#worker ??= this.#launch()
    this.#worker.ref()
    this.#lastId += 1
    const id = this.#lastId
    const answer = Promise.withResolvers<unknown>()
    this.#pending.set(id, answer)
    this.#send({ id, request })
    this.#transfers.push(...transfer)
    if (!signal) return answer.promise
    const cancel = () => {
      this.#send({ cancel: id })
      this.#settle({ id }, signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
    return answer.promise.finally(() => signal.removeEventListener('abort', cancel))
  }

  /** Arrives before every later request. Dropped if no thread runs. */
  notify(notice: Notice): void {
    if (!this.#closing && this.#worker) this.#send({ notice })
  }

  /** Ends the thread after all earlier requests are answered. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  /** Messages of one turn of the event loop go together: waking a thread costs more than a small request. */
  #send(message: ToThread<Request, Notice>[number]): void {
    if (this.#outbox.push(message) === 1) setImmediate(() => this.#post())
  }

  #post(): void {
    if (this.#outbox.length > 0) this.#worker?.postMessage(this.#outbox, this.#transfers)
    this.#clearOutbox()
  }

  #clearOutbox(): void {
    this.#outbox = []
    this.#transfers = []
  }

  #settle({ id, value, failure }: Answer, reason: Error | undefined = failure && toError(failure)): void {
    const waiting = this.#pending.get(id)
    this.#pending.delete(id)
    if (reason) waiting?.reject(reason)
    else waiting?.resolve(value)
  }

  #launch(): Worker {
    const { url, workerData, resourceLimits = {}, onNews } = this.#options
    const worker = new Worker(url, { workerData, resourceLimits, execArgv: [] })
    worker.unref()
    let cause: unknown
    worker.on('message', (message: FromThread<News>) => {
      if (message.news !== undefined) onNews?.(message.news)
      for (const answer of message.answers) this.#settle(answer)
      if (this.#pending.size === 0) worker.unref()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#afterExit(cause))
    return worker
  }

  #afterExit(cause: unknown): void {
    const { owner, onCrash } = this.#options
    this.#worker = undefined
    this.#clearOutbox()
    for (const { reject } of this.#pending.values())
      reject(new AppError('unavailable', `A thread of the ${owner} ended`, { cause, retryAfterSeconds: 5 }))
    this.#pending.clear()
    if (!this.#closing) onCrash?.(cause)
  }

  async #end(): Promise<void> {
    if (!this.#worker) return
    const ended = new Promise<void>((resolve) => this.#worker?.once('exit', () => resolve()))
    this.#worker.ref()
    this.#send('close')
    this.#post()
    await ended
  }
}

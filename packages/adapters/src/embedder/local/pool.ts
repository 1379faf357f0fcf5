import { Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Call, Task } from './calls.ts'
import { createCallQueue } from './calls.ts'
import type { Answer, FromWorker, Kind, ToWorker } from './messages.ts'

export type PoolOptions = {
  /** Also used in messages: `embedder`, `reranker`. */
  readonly name: string
  /** Uses the messages of `messages.ts`. */
  readonly script: URL
  readonly workerData: object
  readonly workers: number
  /** Waiting texts of one kind; further calls are `unavailable`. An empty queue accepts any call. */
  readonly maxWaiting: number
  /** A thread without an answer for this long is replaced. Default 60,000. */
  readonly stuckAfterMs?: number
  readonly clock: Clock
  /** Called when the threads can't be started. */
  readonly onFailed: (reason: string) => void
}

type Thread = {
  readonly worker: Worker
  readonly held: Map<number, Task>
  ready: boolean
  progressMs: number
  watched: boolean
}

/** One text in advance; otherwise a thread would be idle for a round trip per text. */
const textsPerThread = 2
const maxAttempts = 3
const maxFailedStarts = 3

const queriesOf = (thread: Thread): number =>
  [...thread.held.values()].filter((task) => task.call.kind === 'query').length

const unavailable = (message: string) => new AppError('unavailable', message, { retryAfterSeconds: 1 })

/** Each thread holds one model. They start when no thread is free, and are replaced when they crash. */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #queue = createCallQueue()
  readonly #threads = new Set<Thread>()
  readonly #firstStart = Promise.withResolvers<void>()
  #nextId = 0
  #failedStarts = 0
  #failure: string | undefined
  #pausing = false
  #closed = false
  #closing: Promise<void> | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#firstStart.promise.catch(() => undefined)
  }

  /** Rejects if the first thread can't load the model. */
  start(): Promise<void> {
    if (this.#threads.size === 0) this.#startThread()
    return this.#firstStart.promise
  }

  run(kind: Kind, texts: readonly string[], signal?: AbortSignal): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      this.#checkAccepts(kind, texts)
      if (texts.length === 0) return resolve([])
      const giveUp = () => this.#settle(call, () => reject(signal?.reason))
      const done =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', giveUp)
          end(value)
        }
      const call: Call = {
        kind,
        texts,
        answers: [],
        next: 0,
        unanswered: texts.length,
        settled: false,
        resolve: done(resolve),
        reject: done(reject),
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#queue.add(call)
      this.#dispatch()
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  #checkAccepts(kind: Kind, texts: readonly string[]): void {
    const { name, maxWaiting } = this.#options
    if (this.#closed) throw unavailable(`The ${name} is closed`)
    if (this.#failure !== undefined) throw new AppError('conflict', this.#failure)
    const waiting = this.#queue.size(kind)
    if (texts.length > 0 && waiting > 0 && waiting + texts.length > maxWaiting)
      throw unavailable(`${waiting} texts wait for the ${name}`)
  }

  #settle(call: Call, how: () => void): void {
    if (call.settled) return
    call.settled = true
    this.#queue.drop(call)
    how()
  }

  #leastBusy(load: (thread: Thread) => number, limit: number): Thread | undefined {
    return [...this.#threads]
      .filter(
        (thread) =>
          thread.ready && load(thread) < limit && [...thread.held.values()].every((task) => task.attempts === 0),
      )
      .sort((a, b) => load(a) - load(b) || a.held.size - b.held.size)[0]
  }

  /** A query goes even to a busy thread, where it overtakes texts not yet started. */
  #dispatch(): void {
    if (this.#closed) return
    while (this.#queue.size('query') > 0) {
      const thread = this.#leastBusy(queriesOf, textsPerThread)
      const task = thread === undefined ? undefined : this.#queue.takeQuery()
      if (thread === undefined || task === undefined) break
      this.#assign(task, thread)
    }
    while (!this.#queue.isEmpty()) {
      // Alone, so that a crash affects no other text.
      const thread = this.#leastBusy((one) => one.held.size, this.#queue.nextIsSuspect() ? 1 : textsPerThread)
      const task = thread === undefined ? undefined : this.#queue.takeWork()
      if (thread === undefined || task === undefined) break
      this.#assign(task, thread)
    }
    const starting = [...this.#threads].some((thread) => !thread.ready)
    if (!this.#queue.isEmpty() && !starting && this.#threads.size < this.#options.workers && !this.#pausing)
      this.#startThread()
  }

  #assign(task: Task, thread: Thread): void {
    this.#nextId += 1
    if (thread.held.size === 0) thread.progressMs = this.#options.clock.monotonic()
    thread.held.set(this.#nextId, task)
    const { kind, texts } = task.call
    const message: ToWorker = { type: 'task', id: this.#nextId, kind, text: texts[task.index] ?? '' }
    thread.worker.postMessage(message)
    if (!thread.watched) void this.#watch(thread)
  }

  async #watch(thread: Thread): Promise<void> {
    const { clock, stuckAfterMs = 60_000 } = this.#options
    thread.watched = true
    while (this.#threads.has(thread) && thread.held.size > 0) {
      await clock.delay(stuckAfterMs / 4)
      if (thread.held.size > 0 && clock.monotonic() - thread.progressMs > stuckAfterMs)
        this.#removeThread(thread, 'no answer')
    }
    thread.watched = false
  }

  #answer(thread: Thread, id: number, value: Answer): void {
    const task = thread.held.get(id)
    thread.held.delete(id)
    thread.progressMs = this.#options.clock.monotonic()
    if (task === undefined || task.call.settled) return
    const { call } = task
    call.answers[task.index] = value
    call.unanswered -= 1
    if (call.unanswered === 0) this.#settle(call, () => call.resolve(call.answers))
  }

  /** Gives its texts to other threads. `culprit` is the text that crashed it, if known. */
  #removeThread(thread: Thread, reason: string, culprit?: number): void {
    if (!this.#threads.delete(thread)) return
    void thread.worker.terminate()
    for (const [id, task] of thread.held) {
      const attempts = task.attempts + (culprit === undefined || culprit === id ? 1 : 0)
      if (task.call.settled) continue
      if (attempts < maxAttempts) this.#queue.addAgain({ ...task, attempts })
      else
        this.#settle(task.call, () =>
          task.call.reject(new AppError('internal', `The ${this.#options.name} could not process a text: ${reason}`)),
        )
    }
    thread.held.clear()
    if (thread.ready) this.#dispatch()
    else void this.#startFailed(reason)
  }

  async #startFailed(reason: string): Promise<void> {
    this.#failedStarts += 1
    this.#firstStart.reject(new Error(reason))
    if (this.#closed) return
    if (this.#failedStarts >= maxFailedStarts && this.#threads.size === 0) {
      this.#failure = reason
      this.#options.onFailed(reason)
      this.#rejectQueued(new AppError('conflict', reason))
      return
    }
    this.#pausing = true
    await this.#options.clock.delay(Math.min(50 * 2 ** this.#failedStarts, 60_000))
    this.#pausing = false
    this.#dispatch()
  }

  #startThread(): void {
    const { name, script, workerData, clock } = this.#options
    const worker = new Worker(script, { name, workerData, execArgv: [] })
    const thread: Thread = { worker, held: new Map(), ready: false, progressMs: clock.monotonic(), watched: false }
    this.#threads.add(thread)
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') {
        thread.ready = true
        this.#failedStarts = 0
        this.#firstStart.resolve()
      } else if (message.type === 'done') this.#answer(thread, message.id, message.answer)
      else this.#removeThread(thread, message.reason, message.type === 'broken' ? message.id : undefined)
      this.#dispatch()
    })
    worker.on('error', (error) => this.#removeThread(thread, error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => this.#removeThread(thread, 'the thread ended'))
  }

  async #stop(): Promise<void> {
    const { name, clock } = this.#options
    this.#closed = true
    this.#rejectQueued(unavailable(`The ${name} is closing`))
    const ends = [...this.#threads].map(
      ({ worker }) =>
        new Promise<void>((resolve) => {
          worker.once('exit', () => resolve())
          worker.postMessage({ type: 'stop' } satisfies ToWorker)
        }),
    )
    const stopped = new AbortController()
    await Promise.race([Promise.all(ends), clock.delay(5_000, stopped.signal)])
    stopped.abort()
    for (const thread of this.#threads) this.#removeThread(thread, 'closed')
    this.#rejectQueued(unavailable(`The ${name} is closed`))
  }

  #rejectQueued(error: AppError): void {
    for (const call of this.#queue.calls()) this.#settle(call, () => call.reject(error))
  }
}

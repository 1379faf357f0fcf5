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
  /** A thread without an answer for this long is replaced. */
  readonly stuckAfterMs: number
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

/** Each thread holds one model. They start when no thread is free, and are replaced when they crash. */
export const workerPool = (options: PoolOptions) => {
  const { name, clock } = options
  const queue = createCallQueue()
  const threads = new Set<Thread>()
  const firstStart = Promise.withResolvers<void>()
  let nextId = 0
  let failedStarts = 0
  let failure: string | undefined
  let pausing = false
  let closed = false
  let closing: Promise<void> | undefined
  firstStart.promise.catch(() => undefined)
  const unavailable = (message: string) => new AppError('unavailable', message, { retryAfterSeconds: 1 })
  const settle = (call: Call, how: () => void): void => {
    if (call.settled) return
    call.settled = true
    queue.drop(call)
    how()
  }

  const leastBusy = (load: (thread: Thread) => number, limit: number): Thread | undefined =>
    [...threads]
      .filter(
        (thread) =>
          thread.ready && load(thread) < limit && [...thread.held.values()].every((task) => task.attempts === 0),
      )
      .sort((a, b) => load(a) - load(b) || a.held.size - b.held.size)[0]
  const queriesOf = (thread: Thread): number =>
    [...thread.held.values()].filter((task) => task.call.kind === 'query').length
  /** A query goes even to a busy thread, where it overtakes texts not yet started. */
  const dispatch = (): void => {
    if (closed) return
    while (queue.size('query') > 0) {
      const thread = leastBusy(queriesOf, textsPerThread)
      const task = thread === undefined ? undefined : queue.takeQuery()
      if (thread === undefined || task === undefined) break
      assign(task, thread)
    }
    while (!queue.isEmpty()) {
      // Alone, so that a crash affects no other text.
      const thread = leastBusy((one) => one.held.size, queue.nextIsSuspect() ? 1 : textsPerThread)
      const task = thread === undefined ? undefined : queue.takeWork()
      if (thread === undefined || task === undefined) break
      assign(task, thread)
    }
    const starting = [...threads].some((thread) => !thread.ready)
    if (!queue.isEmpty() && !starting && threads.size < options.workers && !pausing) startThread()
  }

  const assign = (task: Task, thread: Thread): void => {
    nextId += 1
    if (thread.held.size === 0) thread.progressMs = clock.monotonic()
    thread.held.set(nextId, task)
    const message: ToWorker = {
      type: 'task',
      id: nextId,
      kind: task.call.kind,
      text: task.call.texts[task.index] ?? '',
    }
    thread.worker.postMessage(message)
    if (!thread.watched) void watch(thread)
  }

  const watch = async (thread: Thread): Promise<void> => {
    thread.watched = true
    while (threads.has(thread) && thread.held.size > 0) {
      await clock.delay(options.stuckAfterMs / 4)
      if (thread.held.size > 0 && clock.monotonic() - thread.progressMs > options.stuckAfterMs)
        removeThread(thread, 'no answer')
    }
    thread.watched = false
  }

  const answer = (thread: Thread, id: number, value: Answer): void => {
    const task = thread.held.get(id)
    thread.held.delete(id)
    thread.progressMs = clock.monotonic()
    if (task === undefined || task.call.settled) return
    const { call } = task
    call.answers[task.index] = value
    call.unanswered -= 1
    if (call.unanswered === 0) settle(call, () => call.resolve(call.answers))
  }

  /** Gives its texts to other threads. `culprit` is the text that crashed it, if known. */
  const removeThread = (thread: Thread, reason: string, culprit?: number): void => {
    if (!threads.delete(thread)) return
    void thread.worker.terminate()
    for (const [id, task] of thread.held) {
      const attempts = task.attempts + (culprit === undefined || culprit === id ? 1 : 0)
      if (task.call.settled) continue
      if (attempts < maxAttempts) queue.addAgain({ ...task, attempts })
      else
        settle(task.call, () =>
          task.call.reject(new AppError('internal', `The ${name} could not process a text: ${reason}`)),
        )
    }
    thread.held.clear()
    if (thread.ready) dispatch()
    else void startFailed(reason)
  }

  const startFailed = async (reason: string): Promise<void> => {
    failedStarts += 1
    firstStart.reject(new Error(reason))
    if (closed) return
    if (failedStarts >= maxFailedStarts && threads.size === 0) {
      failure = reason
      options.onFailed(reason)
      for (const call of queue.calls()) settle(call, () => call.reject(new AppError('conflict', reason)))
      return
    }
    pausing = true
    await clock.delay(Math.min(50 * 2 ** failedStarts, 60_000))
    pausing = false
    dispatch()
  }

  const startThread = (): void => {
    const worker = new Worker(options.script, { name, workerData: options.workerData, execArgv: [] })
    const thread: Thread = { worker, held: new Map(), ready: false, progressMs: clock.monotonic(), watched: false }
    threads.add(thread)
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') {
        thread.ready = true
        failedStarts = 0
        firstStart.resolve()
      } else if (message.type === 'done') answer(thread, message.id, message.answer)
      else removeThread(thread, message.reason, message.type === 'broken' ? message.id : undefined)
      dispatch()
    })
    worker.on('error', (error) => removeThread(thread, error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => removeThread(thread, 'the thread ended'))
  }

  const close = async (): Promise<void> => {
    closed = true
    for (const call of queue.calls()) settle(call, () => call.reject(unavailable(`The ${name} is closing`)))
    const ends = [...threads].map(
      (thread) =>
        new Promise<void>((resolve) => {
          thread.worker.once('exit', () => resolve())
          thread.worker.postMessage({ type: 'stop' } satisfies ToWorker)
        }),
    )
    const stopped = new AbortController()
    await Promise.race([Promise.all(ends), clock.delay(5_000, stopped.signal)])
    stopped.abort()
    for (const thread of threads) removeThread(thread, 'closed')
    for (const call of queue.calls()) settle(call, () => call.reject(unavailable(`The ${name} is closed`)))
  }

  return {
    /** Rejects if the first thread can't load the model. */
    start: (): Promise<void> => {
      if (threads.size === 0) startThread()
      return firstStart.promise
    },
    run: (kind: Kind, texts: readonly string[], signal?: AbortSignal) =>
      new Promise<Answer[]>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (closed) return reject(unavailable(`The ${name} is closed`))
        if (failure !== undefined) return reject(new AppError('conflict', failure))
        if (texts.length === 0) return resolve([])
        const waiting = queue.size(kind)
        if (waiting > 0 && waiting + texts.length > options.maxWaiting)
          return reject(unavailable(`${waiting} texts wait for the ${name}`))
        const giveUp = () => settle(call, () => reject(signal?.reason))
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
        queue.add(call)
        dispatch()
      }),
    close: () => (closing ??= close()),
  }
}

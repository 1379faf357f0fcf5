import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import { type Answer, type FromThread, type ToThread, toError } from './messages.ts'

/**
 * Sends numbered requests. If the thread ends by itself, requests in progress fail and the next one starts a new
 * thread. The thread keeps the process alive only while requests are in progress.
 */
export const createThreadLink = <Request, Notice = never, News = never>(options: {
  readonly url: URL
  readonly workerData: unknown
  /** In error messages, such as `vector index`. */
  readonly owner: string
  readonly resourceLimits?: ResourceLimits
  readonly onNews?: (news: News) => void
  /** The thread ended by itself; news that it had not sent is lost. */
  readonly onCrash?: (cause: unknown) => void
}) => {
  const { url, workerData, owner, resourceLimits = {} } = options
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  let worker: Worker | undefined
  let closing: Promise<void> | undefined
  let outbox: ToThread<Request, Notice>[number][] = []
  let transfers: Transferable[] = []

  const post = () => {
    if (outbox.length > 0) worker?.postMessage(outbox, transfers)
    outbox = []
    transfers = []
  }
  /** Messages of one turn of the event loop go together: waking a thread costs more than a small request. */
  const send = (message: ToThread<Request, Notice>[number]) => {
    if (outbox.push(message) === 1) setImmediate(post)
  }

  const settle = ({ id, value, failure }: Answer, reason: Error | undefined = failure && toError(failure)) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (reason) waiting?.reject(reason)
    else waiting?.resolve(value)
  }

  const launch = (): Worker => {
    const started = new Worker(url, { workerData, resourceLimits, execArgv: [] })
    started.unref()
    let cause: unknown
    started.on('message', (message: FromThread<News>) => {
      if (message.news !== undefined) options.onNews?.(message.news)
      for (const answer of message.answers) settle(answer)
      if (pending.size === 0) started.unref()
    })
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', () => {
      worker = undefined
      outbox = []
      transfers = []
      for (const { reject } of pending.values())
        reject(new AppError('unavailable', `A thread of the ${owner} ended`, { cause, retryAfterSeconds: 5 }))
      pending.clear()
      if (!closing) options.onCrash?.(cause)
    })
    return started
  }

  const close = async () => {
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker?.once('exit', () => resolve()))
    worker.ref()
    send('close')
    post()
    await ended
  }

  return {
    start: (): void => {
      if (!closing) worker ??= launch()
    },
    /**
     * Starts the thread if none runs. Rejects with the thread's error, `unavailable` if it ends first, or the reason of
     * `signal` as soon as it is aborted; the thread is notified of the abort.
     */
    call: (
      request: Request,
      {
        transfer = [],
        signal,
      }: { readonly transfer?: readonly Transferable[]; readonly signal?: AbortSignal | undefined } = {},
    ): Promise<unknown> => {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (closing) return Promise.reject(new AppError('unavailable', `The ${owner} is closed`))
      worker ??= launch()
      worker.ref()
      lastId += 1
      const id = lastId
      const answer = Promise.withResolvers<unknown>()
      pending.set(id, answer)
      send({ id, request })
      transfers.push(...transfer)
      if (!signal) return answer.promise
      const cancel = () => {
        send({ cancel: id })
        settle({ id }, signal.reason)
      }
      signal.addEventListener('abort', cancel, { once: true })
      return answer.promise.finally(() => signal.removeEventListener('abort', cancel))
    },
    /** Arrives before every later request. Dropped if no thread runs. */
    notify: (notice: Notice): void => {
      if (!closing && worker) send({ notice })
    },
    /** Ends the thread after all earlier requests are answered. Idempotent. */
    close: (): Promise<void> => (closing ??= close()),
  }
}

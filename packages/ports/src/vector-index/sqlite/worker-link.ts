import { type Transferable, Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import type { Failure } from './messages.ts'

/** A message from a thread; `news` is delivered before the answers. */
export type WorkerMessage<News> = { readonly answers: readonly Answer[]; readonly news?: News }
export type Answer = { readonly call: number; readonly value?: unknown; readonly failure?: Failure }
export type WorkerCall<Request> = { readonly call: number; readonly request: Request }

export type WorkerLink<Request, Notice> = {
  /** Starts the thread ahead of its first request. */
  start(): void
  /**
   * Sends a request; starts the thread if none runs. Rejects with the thread's AppError, or `unavailable` if the thread
   * ends first.
   */
  call(request: Request, transfer?: readonly Transferable[]): Promise<unknown>
  /** Sends a notice that arrives before every later request; dropped while no thread runs. */
  notify(notice: Notice): void
  /** Ends the thread after all earlier requests are answered. Idempotent. */
  close(): Promise<void>
}

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/**
 * Links to a worker thread by numbered requests. If the thread ends by itself, requests in progress fail and the next
 * request starts a new one. It keeps the process alive only while requests are in progress.
 */
export const createWorkerLink = <Request, Notice, News = never>(options: {
  readonly url: URL
  readonly workerData: unknown
  readonly onNews?: (news: News) => void
  /** Called when the thread ended by itself; its unsent news is lost. */
  readonly onCrash?: () => void
}): WorkerLink<Request, Notice> => {
  const pending = new Map<number, Pending>()
  let calls = 0
  let worker: Worker | undefined
  let closing: Promise<void> | undefined

  const settle = ({ call, value, failure }: Answer): void => {
    const waiting = pending.get(call)
    pending.delete(call)
    if (failure) waiting?.reject(new AppError(failure.code, failure.message))
    else waiting?.resolve(value)
  }

  const launch = (): Worker => {
    const started = new Worker(options.url, { workerData: options.workerData, execArgv: [] })
    started.unref()
    let cause: unknown
    started.on('message', (message: WorkerMessage<News>) => {
      if (message.news !== undefined) options.onNews?.(message.news)
      for (const answer of message.answers) settle(answer)
      if (pending.size === 0) started.unref()
    })
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', () => {
      worker = undefined
      for (const { reject } of pending.values())
        reject(new AppError('unavailable', 'A thread of the vector index ended', { cause }))
      pending.clear()
      if (!closing) options.onCrash?.()
    })
    return started
  }

  const close = async (): Promise<void> => {
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker?.once('exit', () => resolve()))
    worker.ref()
    worker.postMessage('close')
    await ended
  }

  return {
    start: () => {
      if (!closing) worker ??= launch()
    },
    call: (request, transfer = []) => {
      if (closing) return Promise.reject(new AppError('unavailable', 'The vector index is closed'))
      worker ??= launch()
      const to = worker
      const call = ++calls
      return new Promise((resolve, reject) => {
        pending.set(call, { resolve, reject })
        to.ref()
        to.postMessage({ call, request } satisfies WorkerCall<Request>, transfer)
      })
    },
    notify: (notice) => {
      if (!closing) worker?.postMessage({ notice })
    },
    close: () => (closing ??= close()),
  }
}

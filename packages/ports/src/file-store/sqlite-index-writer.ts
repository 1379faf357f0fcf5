import { Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import type { IndexAnswer, IndexOperation, IndexReport, IndexRequest, IndexResult } from './sqlite-index-worker.ts'

/** A failed write; `unsettled`: it may still have taken effect. */
export type FailedWrite = { readonly failed: AppError; readonly unsettled: boolean }
export type IndexWriter = {
  /** Resolves when the commit is durable or has failed. */
  run(operation: IndexOperation): Promise<IndexResult | FailedWrite>
  /** Closes the file after all earlier operations. */
  close(): Promise<void>
}

type Outcome = IndexResult | FailedWrite
type Thread = {
  readonly send: (operation: IndexRequest['operation']) => Promise<Outcome>
  readonly ended: Promise<void>
}

const failure = (message: string, unsettled: boolean, cause?: unknown): FailedWrite => ({
  failed: new AppError('unavailable', `The index of the file store can't be written: ${message}`, {
    cause,
    retryAfterSeconds: 5,
  }),
  unsettled,
})

const startThread = (file: string, onEnd: () => void): Thread => {
  const waiting = new Map<number, (outcome: Outcome) => void>()
  let lastId = 0
  let end: FailedWrite | undefined
  let outbox: IndexRequest[] = []
  const worker = new Worker(new URL('./sqlite-index-worker.ts', import.meta.url), {
    name: 'file-index',
    workerData: { file },
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
  })
  const settle = (id: number, outcome: Outcome) => {
    const resolve = waiting.get(id)
    waiting.delete(id)
    resolve?.(outcome)
  }
  const fail = (outcome: FailedWrite) => {
    end ??= outcome
    onEnd()
    for (const id of [...waiting.keys()]) settle(id, end)
  }
  const answered = ({ id, result, fault }: IndexAnswer) =>
    settle(id, fault ? failure(fault.message, fault.unsettled) : (result ?? { unneeded: [] }))
  worker.on('message', (report: IndexReport) => {
    if ('answers' in report) report.answers.forEach(answered)
    else fail(failure(report.refused, false))
  })
  worker.on('error', (cause) => fail(failure('its thread failed', true, cause)))
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(failure('its thread has ended', true))
      resolve()
    })
  })
  const post = () => {
    worker.postMessage(outbox)
    outbox = []
  }
  return {
    ended,
    send: (operation) =>
      new Promise((resolve) => {
        if (end) return resolve(end)
        const id = ++lastId
        waiting.set(id, resolve)
        // Sends the operations of one turn of the event loop together: waking a thread costs more than an operation.
        if (outbox.push({ id, operation }) === 1) setImmediate(post)
      }),
  }
}

/** Creates the writer. Its thread starts on first use; a failed thread is replaced by the next operation. */
export const createIndexWriter = (file: string): IndexWriter => {
  let thread: Thread | undefined
  const running = () => {
    if (thread) return thread
    const started = startThread(file, () => {
      if (thread === started) thread = undefined
    })
    thread = started
    return started
  }
  return {
    run: (operation) => running().send(operation),
    close: async () => {
      const last = thread
      if (!last) return
      await last.send('close')
      await last.ended
    },
  }
}

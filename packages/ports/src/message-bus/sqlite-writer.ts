import { Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import type { BusAnswer, BusFault, BusOperation, BusReport, BusRequest, BusResults } from './sqlite-worker.ts'

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
type Thread = { readonly send: (operation: BusRequest['operation']) => Promise<unknown>; readonly ended: Promise<unknown> }

const toError = ({ code, message }: BusFault) => new AppError(code, message)

const startThread = (file: string, onEnd: () => void): Thread => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let end: Error | undefined
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    name: 'message-bus',
    workerData: { file },
    // Enough for a batch of large publishes; the default would let the thread grow with the machine's memory.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
  })
  let outbox: BusRequest[] = []
  const post = () => {
    worker.postMessage(outbox)
    outbox = []
  }
  const fail = (error: Error) => {
    end ??= error
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    onEnd()
  }
  const settle = ({ id, value, fault }: BusAnswer) => {
    const caller = waiting.get(id)
    waiting.delete(id)
    if (fault) caller?.reject(toError(fault))
    else caller?.resolve(value)
  }
  worker.on('message', (report: BusReport) => {
    if ('answers' in report) report.answers.forEach(settle)
    else if ('refused' in report) fail(toError(report.refused))
  })
  worker.on('error', (cause) => fail(new AppError('unavailable', 'the thread of the message bus failed', { cause })))
  const ended = new Promise((resolve) => {
    worker.on('exit', () => {
      fail(new AppError('unavailable', 'the thread of the message bus has ended'))
      resolve(undefined)
    })
  })
  return {
    ended,
    send: (operation) =>
      new Promise((resolve, reject) => {
        if (end) return reject(end)
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        // Operations of one turn of the event loop go together: to wake a thread costs more than an operation.
        if (outbox.push({ id, operation } as BusRequest) === 1) setImmediate(post)
      }),
  }
}

/** Operations for the thread that owns the write connection; each resolves when its commit is done. */
export type BusWriter = {
  run<O extends BusOperation>(operation: O): Promise<BusResults[O['kind']]>
  /** After everything asked before. */
  close(): Promise<void>
}

/** The thread starts on first use; one that failed is replaced on the next. */
export const createBusWriter = (file: string): BusWriter => {
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
    run: (operation) => running().send(operation) as Promise<never>,
    close: async () => {
      const last = thread
      if (!last) return
      await last.send('close')
      await last.ended
    },
  }
}

import { Worker } from 'node:worker_threads'
import { clientLeft } from '@cairn/runtime/client-left'
import { createFairSlots } from '@cairn/runtime/fair-slots'

export type ToHold = { readonly schema: object; readonly value: unknown }

/** `unusable`: it is no JSON Schema, refers to nothing, or to itself without an end. `late`: to tell takes longer than it may. */
export type Held = { readonly outcome: 'fits' | 'unusable' | 'late' } | { readonly outcome: 'faults'; readonly faults: readonly string[] }

/** A few lines of a schema can double the work with each of them, or with each level of the value. */
const withinMs = 1_000
const startsWithinMs = 10_000
const memoryMegabytes = 128
/** Each thread may take a core for as long as it has, so an account has one. */
const threads = createFairSlots({ size: 2, perOwner: 1, waitingPerOwner: 16, waiting: 64, what: 'structured answers are being checked' })

/** For whom it is done. Aborted: nobody waits for it any more. */
export type Asker = { readonly accountId: string; readonly signal: AbortSignal }

const holdInThread = (given: ToHold, signal: AbortSignal): Promise<Held> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./schema-thread.ts', import.meta.url), {
      workerData: given,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      thread.removeAllListeners()
      // What it dies of on its way out is of no interest any more.
      thread.on('error', () => undefined)
      void thread.terminate()
      settle()
    }
    const giveUp = () => end(() => reject(clientLeft()))
    signal.addEventListener('abort', giveUp, { once: true })
    const late = () => end(() => resolve({ outcome: 'late' }))
    let timer = setTimeout(() => end(() => reject(new Error('the thread that checks schemas did not start'))), startsWithinMs)
    thread.on('message', (message: 'begun' | Held) => {
      if (message !== 'begun') return end(() => resolve(message))
      clearTimeout(timer)
      timer = setTimeout(late, withinMs)
    })
    thread.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') late()
      else end(() => reject(error))
    })
  })

/**
 * Whether a value is as a schema of somebody else's wants it. Never takes long, nor the event loop's time, nor goes on once its client
 * has left. AppError `limited` or `unavailable` where too many wait.
 */
export const holdAgainstSchema = async (schema: object, value: unknown, { accountId, signal }: Asker): Promise<Held> => {
  const giveBack = await threads.take(accountId, signal)
  try {
    return await holdInThread({ schema, value }, signal)
  } finally {
    giveBack()
  }
}

/** Checks that run, and that wait. */
export const schemaChecks = threads.counts

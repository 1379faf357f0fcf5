import { Worker } from 'node:worker_threads'
import { clientLeft } from '@cairn/runtime/http/client-left'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { slots } from '../slots.ts'

export type SchemaCheck = { readonly schema: object; readonly value: unknown }

/** `unusable`: no JSON Schema, or references are missing or infinitely recursive. `late`: too much time or memory. */
export type CheckResult =
  | { readonly outcome: 'fits' | 'unusable' | 'late' }
  | { readonly outcome: 'faults'; readonly faults: readonly string[] }

/** A few lines of a schema can double the work with each line, or with each level of the value. */
const withinMs = 1_000
const startsWithinMs = 10_000
const memoryMegabytes = 128
const threads = new FairSlots(slots.schemaChecks)

/** `signal` is aborted when the client disconnects. */
export type Requester = { readonly accountId: string; readonly signal: AbortSignal }

const checkInThread = (check: SchemaCheck, signal: AbortSignal): Promise<CheckResult> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./schema-thread.ts', import.meta.url), {
      workerData: check,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      thread.removeAllListeners()
      // Errors of a thread that is being terminated don't matter.
      thread.on('error', () => undefined)
      void thread.terminate()
      settle()
    }
    const cancel = () => end(() => reject(clientLeft()))
    signal.addEventListener('abort', cancel, { once: true })
    const late = () => end(() => resolve({ outcome: 'late' }))
    let timer = setTimeout(
      () => end(() => reject(new Error('the thread that checks schemas did not start'))),
      startsWithinMs,
    )
    thread.on('message', (message: 'begun' | CheckResult) => {
      if (message !== 'begun') return end(() => resolve(message))
      clearTimeout(timer)
      timer = setTimeout(late, withinMs)
    })
    thread.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') late()
      else end(() => reject(error))
    })
  })

/** Checks off the event loop, for a limited time, until the client disconnects. AppError `limited` or `unavailable`. */
export const checkAgainstSchema = async (
  schema: object,
  value: unknown,
  { accountId, signal }: Requester,
): Promise<CheckResult> => {
  const release = await threads.take(accountId, signal)
  try {
    return await checkInThread({ schema, value }, signal)
  } finally {
    release()
  }
}

export const schemaChecks = () => threads.counts()

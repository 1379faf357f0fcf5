import { Worker } from 'node:worker_threads'
import { createSlots } from '@cairn/runtime/slots'

export type ToHold = { readonly schema: object; readonly value: unknown }

/** `unusable`: it is no JSON Schema, refers to nothing, or to itself without an end. `late`: to tell takes longer than it may. */
export type Held = { readonly outcome: 'fits' | 'unusable' | 'late' } | { readonly outcome: 'faults'; readonly faults: readonly string[] }

/** A few lines of a schema can double the work with each of them, or with each level of the value. */
const withinMs = 1_000
const startsWithinMs = 10_000
const memoryMegabytes = 128
/** Each may take a core for as long as it has. */
const threads = createSlots(2)

const holdInThread = (given: ToHold): Promise<Held> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./schema-thread.ts', import.meta.url), {
      workerData: given,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      thread.removeAllListeners()
      // What it dies of on its way out is of no interest any more.
      thread.on('error', () => undefined)
      void thread.terminate()
      settle()
    }
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

/** Whether a value is as a schema of somebody else's wants it. Never takes long, nor the event loop's time. */
export const holdAgainstSchema = async (schema: object, value: unknown): Promise<Held> => {
  const giveBack = await threads.take()
  try {
    return await holdInThread({ schema, value })
  } finally {
    giveBack()
  }
}

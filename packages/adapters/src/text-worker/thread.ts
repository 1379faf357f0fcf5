// Runs in its own thread: computes over long texts of users, which would occupy the event loop.
import { parentPort } from 'node:worker_threads'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import type { TextRequest } from '../text-worker.ts'
import { type Call, type FromThread, type ToThread, toFailure } from '../threads/messages.ts'

const answer = async ({ id, request: { task, input } }: Call<TextRequest>): Promise<FromThread> => {
  try {
    const compute = directTextWorker[task] as (...values: readonly unknown[]) => Promise<unknown>
    return { answers: [{ id, value: await compute(...input) }] }
  } catch (error) {
    return { answers: [{ id, failure: toFailure(error) }] }
  }
}

parentPort?.on('message', async (messages: ToThread<TextRequest>) => {
  for (const message of messages) {
    if (message === 'close') parentPort?.close()
    else if ('request' in message) parentPort?.postMessage(await answer(message))
  }
})

// A thread of the text worker that ends at a text which begins with "crash "; the path that follows counts the times.
import { appendFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { TextRequest } from '../text-worker.ts'
import type { ToThread } from '../threads/messages.ts'

parentPort?.on('message', (messages: ToThread<TextRequest>) => {
  for (const message of messages) {
    if (message === 'close') parentPort?.close()
    if (typeof message === 'string' || !('request' in message)) continue
    const [command, path = ''] = String(message.request.input[0]).split(' ')
    if (command === 'crash') {
      appendFileSync(path, '.')
      process.exit(1)
    }
    parentPort?.postMessage({ answers: [{ id: message.id, value: [{ start: 0, end: 1 }] }] })
  }
})

import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { type Call, type FromThread, type ToThread, toFailure } from './messages.ts'

export type Writer<Request, News = never> = {
  /**
   * Runs calls in one transaction and answers each once. `next` returns the next queued call, including those that
   * arrive meanwhile, or undefined; its first call never returns undefined. The writer sets the limits of a
   * transaction.
   */
  commit(next: () => Call<Request> | undefined): FromThread<News>
  close(): void
}

/**
 * Message loop of a thread that owns the write connection of a file. Calls queued during a commit form the next
 * transaction (group commit without a timer), so that many small writes share one wait for the disk. The first call
 * opens the file; if that fails, the queued calls fail and the next one tries again.
 */
export const runWriter = <Request, News = never>(open: () => Writer<Request, News>): void => {
  if (!parentPort) throw new Error('This file is the entry of a worker thread')
  const port = parentPort
  const queued: Call<Request>[] = []
  let writer: Writer<Request, News> | undefined
  let closing = false

  const receive = (messages: ToThread<Request> = []) => {
    for (const message of messages)
      if (message === 'close') closing = true
      else if ('request' in message) queued.push(message)
  }
  const next = () => {
    if (queued.length === 0) receive(receiveMessageOnPort(port)?.message)
    return queued.shift()
  }
  const commit = (): FromThread<News> => {
    try {
      writer ??= open()
    } catch (error) {
      const failure = toFailure(error)
      return { answers: queued.splice(0).map(({ id }) => ({ id, failure })) }
    }
    return writer.commit(next)
  }

  port.on('message', (messages: ToThread<Request>) => {
    receive(messages)
    while (queued.length > 0) port.postMessage(commit())
    if (!closing) return
    writer?.close()
    port.close()
  })
}

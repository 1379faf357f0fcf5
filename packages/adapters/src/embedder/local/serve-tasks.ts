import { setImmediate as turn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { Answer, FromWorker, Kind, ToWorker } from './messages.ts'
import { kinds } from './messages.ts'

type Task = Extract<ToWorker, { type: 'task' }>

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs one task at a time, the most urgent kind first. Yields between tasks, so that a new query is received. */
export const serveTasks = async (load: () => Promise<(task: Task) => Answer | Promise<Answer>>): Promise<void> => {
  if (parentPort === null) throw new Error('a thread of a pool runs in a worker thread only')
  const port = parentPort
  const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer])
  const serve = (answerTo: Awaited<ReturnType<typeof load>>): void => {
    const waiting: Record<Kind, Task[]> = { query: [], tokens: [], document: [] }
    let isRunning = false
    let isStopping = false
    const next = (): Task | undefined => {
      const kind = kinds.find((one) => waiting[one].length > 0)
      return kind === undefined ? undefined : waiting[kind].shift()
    }

    const run = async (): Promise<void> => {
      isRunning = true
      for (let task = next(); task !== undefined; task = next()) {
        try {
          const answer = await answerTo(task)
          post({ type: 'done', id: task.id, answer }, [answer.buffer])
        } catch (error) {
          post({ type: 'broken', id: task.id, reason: reasonOf(error) })
          return port.close()
        }
        await turn()
      }
      isRunning = false
      if (isStopping) port.close()
    }

    port.on('message', (message: ToWorker) => {
      if (message.type === 'stop') {
        isStopping = true
        if (!isRunning) port.close()
        return
      }
      waiting[message.kind].push(message)
      if (!isRunning) void run()
    })
  }

  try {
    serve(await load())
    post({ type: 'ready' })
  } catch (error) {
    post({ type: 'unusable', reason: reasonOf(error) })
  }
}

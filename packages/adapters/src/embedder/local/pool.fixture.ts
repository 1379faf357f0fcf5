import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './messages.ts'

/** Stand-in for the thread that runs the model. Each text tells the stand-in how to handle it. */
const port = parentPort
if (port === null) throw new Error('a worker thread only')
const { modelDir } = workerData as { readonly modelDir: string }
const post = (message: FromWorker): void => port.postMessage(message)
const held: number[] = []

/** Whether this is the first call with this name, across all threads. */
const firstTime = (name: string): boolean => {
  const mark = join(modelDir, name)
  if (existsSync(mark)) return false
  writeFileSync(mark, '')
  return true
}

const answer = (id: number, text: string): void =>
  post({ type: 'done', id, answer: Float32Array.of(text.length, threadId) })

port.on('message', (message: ToWorker) => {
  if (message.type === 'stop') return port.close()
  const { id, text, kind } = message
  const [what, name] = text.split(':')
  const now = name === undefined || firstTime(name)
  if (what === 'hold') return void held.push(id)
  if (what === 'hang' && now) return
  if (what === 'exit' && now) process.exit(1)
  if (what === 'throw' && now) throw new Error('out of memory')
  if (what === 'break' && now) return post({ type: 'broken', id, reason: 'the runtime failed' })
  answer(id, text)
  if (kind === 'query') for (const other of held.splice(0)) answer(other, 'hold')
})

const passing = join(modelDir, 'unusable-once')
if (existsSync(join(modelDir, 'unusable')) || existsSync(passing)) {
  rmSync(passing, { force: true })
  port.removeAllListeners('message')
  post({ type: 'unusable', reason: 'no such model' })
} else post({ type: 'ready' })

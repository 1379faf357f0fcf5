import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { FromWorker, Kind, ToWorker, WorkerData } from './messages.ts'
import { kinds } from './messages.ts'
import { openWordPieces } from './word-pieces.ts'

if (parentPort === null) throw new Error('worker.ts runs in a worker thread only')
const port = parentPort
const { modelDir, dimension, window, pooling, prefixes } = workerData as WorkerData

const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer])
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The functions of this thread, which share one tokenizer. */
type Model = {
  embed(text: string, kind: 'query' | 'document'): Promise<Float32Array<ArrayBuffer>>
  starts(text: string): Uint32Array<ArrayBuffer>
}

/**
 * One session, one thread, one text at a time: measured faster than batches, which are padded to their longest text.
 */
const loadModel = async (): Promise<Model> => {
  const pieces = openWordPieces(modelDir)
  const session = await InferenceSession.create(join(modelDir, 'onnx', 'model_quantized.onnx'), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Texts differ in length, so a stored memory pattern hardly ever fits and only uses memory.
    enableMemPattern: false,
  })
  const output = session.outputNames.includes('last_hidden_state')
    ? 'last_hidden_state'
    : (session.outputNames[0] ?? '')

  const embed = async (text: string, kind: 'query' | 'document'): Promise<Float32Array<ArrayBuffer>> => {
    const ids = BigInt64Array.from(
      [pieces.special.first, ...pieces.ids(prefixes[kind] + text, window), pieces.special.last],
      BigInt,
    )
    const shape = [1, ids.length]
    const inputs = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    }
    const modelInputs = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name))
    const results = await session.run(Object.fromEntries(modelInputs))
    return poolTokens(results[output], ids.length)
  }

  // A file that loads but does not embed must fail here.
  await embed('A short text.', 'document')
  return { embed, starts: pieces.starts }
}

/** Returns the mean over the tokens (nothing is padded, so the mask is all ones) or the first token's vector, at unit length. */
const poolTokens = (hidden: Tensor | undefined, tokens: number): Float32Array<ArrayBuffer> => {
  const values = hidden?.data
  if (!(values instanceof Float32Array) || values.length !== tokens * dimension) {
    throw new Error(`the model answers ${hidden?.type} [${hidden?.dims}], not float32 [1,${tokens},${dimension}]`)
  }
  const sum = new Float64Array(dimension)
  const end = pooling === 'cls' ? dimension : values.length
  for (let at = 0; at < end; at += dimension) {
    for (let d = 0; d < dimension; d += 1) sum[d] = (sum[d] ?? 0) + (values[at + d] ?? Number.NaN)
  }
  const length = Math.hypot(...sum)
  if (!Number.isFinite(length) || length === 0) throw new Error('the model answers a vector without a direction')
  return Float32Array.from(sum, (value) => value / length)
}

/** Runs waiting texts, the most urgent first. Between two texts the event loop turns, so that a new query gets in. */
const serve = (model: Model): void => {
  type Task = Extract<ToWorker, { type: 'task' }>
  const waiting: Record<Kind, Task[]> = { query: [], tokens: [], document: [] }
  let running = false
  let stopping = false

  const next = (): Task | undefined => {
    const kind = kinds.find((one) => waiting[one].length > 0)
    return kind === undefined ? undefined : waiting[kind].shift()
  }

  const run = async (): Promise<void> => {
    running = true
    for (let task = next(); task !== undefined; task = next()) {
      try {
        const answer = task.kind === 'tokens' ? model.starts(task.text) : await model.embed(task.text, task.kind)
        post({ type: 'done', id: task.id, answer }, [answer.buffer])
      } catch (error) {
        post({ type: 'broken', id: task.id, reason: reasonOf(error) })
        return port.close()
      }
      await turn()
    }
    running = false
    if (stopping) port.close()
  }

  port.on('message', (message: ToWorker) => {
    if (message.type === 'stop') {
      stopping = true
      if (!running) port.close()
      return
    }
    waiting[message.kind].push(message)
    if (!running) void run()
  })
}

try {
  serve(await loadModel())
  post({ type: 'ready' })
} catch (error) {
  post({ type: 'unusable', reason: reasonOf(error) })
}

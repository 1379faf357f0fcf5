import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { fingerprintAgreement, fingerprintText } from './fingerprint.ts'
import type { FromWorker, Kind, ToWorker, WorkerData } from './messages.ts'
import { kinds } from './messages.ts'
import { openWordPieces } from './word-pieces.ts'

if (parentPort === null) throw new Error('worker.ts runs in a worker thread only')
const port = parentPort
const { modelDir, maxTokens, dimension } = workerData as WorkerData

const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, [...transfer])
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What this thread answers with: both from the same tokenizer. */
type Model = {
  embed(text: string): Promise<Float32Array<ArrayBuffer>>
  starts(text: string): Uint32Array<ArrayBuffer>
}

/** One session, one thread, one text at a time: measured faster than batches, which are padded to their longest text. */
const loadModel = async (): Promise<Model> => {
  const pieces = openWordPieces(modelDir)
  const session = await InferenceSession.create(join(modelDir, 'onnx', 'model_quantized.onnx'), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Texts differ in length, so a remembered memory pattern hardly ever fits and only holds memory.
    enableMemPattern: false,
  })
  const output = session.outputNames.includes('last_hidden_state') ? 'last_hidden_state' : (session.outputNames[0] ?? '')

  const embed = async (text: string): Promise<Float32Array<ArrayBuffer>> => {
    const ids = BigInt64Array.from([pieces.special.first, ...pieces.ids(text, maxTokens), pieces.special.last], BigInt)
    const shape = [1, ids.length]
    const inputs = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    }
    const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name))
    const results = await session.run(Object.fromEntries(wanted))
    return meanOfUnitLength(results[output], ids.length)
  }

  const agreement = fingerprintAgreement(await embed(fingerprintText))
  if (agreement < 0.85) throw new Error(`the model is not all-MiniLM-L6-v2 (it agrees in ${Math.round(agreement * 100)} % of the signs)`)
  return { embed, starts: pieces.starts }
}

/** Mean over the tokens (nothing is padded, so the mask is all ones), then length 1. */
const meanOfUnitLength = (hidden: Tensor | undefined, tokens: number): Float32Array<ArrayBuffer> => {
  const values = hidden?.data
  if (!(values instanceof Float32Array) || values.length !== tokens * dimension) {
    throw new Error(`the model answers ${hidden?.type} [${hidden?.dims}], not float32 [1,${tokens},${dimension}]`)
  }
  const mean = new Float64Array(dimension)
  for (let at = 0; at < values.length; at += dimension) {
    for (let d = 0; d < dimension; d += 1) mean[d] = (mean[d] ?? 0) + (values[at + d] ?? Number.NaN)
  }
  const length = Math.hypot(...mean)
  if (!Number.isFinite(length) || length === 0) throw new Error('the model answers a vector without a direction')
  return Float32Array.from(mean, (value) => value / length)
}

/** Runs what waits, the most urgent first. The turn of the event loop between two texts lets in a query that came meanwhile. */
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
        const answer = task.kind === 'tokens' ? model.starts(task.text) : await model.embed(task.text)
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

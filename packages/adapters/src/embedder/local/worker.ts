import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { Tensor } from 'onnxruntime-node'
import type { WorkerData } from './messages.ts'
import { openModel } from './open-model.ts'
import { serveTasks } from './serve-tasks.ts'
import { openTokens } from './tokens.ts'

const { modelDir, dimension, window, pooling, prefixes } = workerData as WorkerData

/** Returns the mean of the tokens' vectors (nothing is padded, so the mask is all ones) or the first, at length 1. */
const poolTokens = (hidden: Tensor | undefined, count: number): Float32Array<ArrayBuffer> => {
  const values = hidden?.data
  if (!(values instanceof Float32Array) || values.length !== count * dimension) {
    throw new Error(`the model answers ${hidden?.type} [${hidden?.dims}], not float32 [1,${count},${dimension}]`)
  }
  const sum = new Float64Array(dimension)
  const end = pooling === 'cls' ? dimension : values.length
  for (let index = 0; index < end; index += dimension) {
    for (let d = 0; d < dimension; d += 1) sum[d] = (sum[d] ?? 0) + (values[index + d] ?? Number.NaN)
  }
  const length = Math.hypot(...sum)
  if (!Number.isFinite(length) || length === 0) throw new Error('the model answers a vector without a direction')
  return Float32Array.from(sum, (value) => value / length)
}

await serveTasks(async () => {
  const tokens = openTokens(modelDir)
  const run = await openModel(join(modelDir, 'onnx', 'model_quantized.onnx'))
  const { first, last } = tokens.special
  const embed = async (text: string, kind: 'query' | 'document'): Promise<Float32Array<ArrayBuffer>> => {
    const ids = [first, ...tokens.ids(prefixes[kind] + text, window), last]
    return poolTokens(await run(ids), ids.length)
  }
  // A file that loads but does not embed must fail here.
  await embed('A short text.', 'document')
  return ({ kind, text }) => (kind === 'tokens' ? tokens.starts(text) : embed(text, kind))
})

import { AppError } from '@cairn/contracts/errors'
import { type ModelServer, sendToModel } from '../../model-server.ts'

export type RequestOptions = ModelServer & {
  readonly model: string
  readonly dimension: number
  readonly sendDimension: boolean
}

/**
 * `refused`: the server rejects these texts (or their number). `unusable`: it can't be reached, or the key, URL, model
 * or dimension must be changed.
 */
export type Reply = { readonly vectors: Float32Array[] } | { readonly refused: string } | { readonly unusable: string }

/** A double in full precision, a comma and a line break. */
const bytesPerNumber = 40
const bytesBesideVectors = 64 * 1024

export const sendTexts = async (
  options: RequestOptions,
  texts: readonly string[],
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Reply> => {
  const { model, dimension, sendDimension } = options
  const body = { model, input: texts, encoding_format: 'float', ...(sendDimension ? { dimensions: dimension } : {}) }
  const maxBytes = bytesBesideVectors + texts.length * dimension * bytesPerNumber
  const reply = await sendToModel(options, body, { maxBytes, deadlineMs, signal })
  return 'answer' in reply ? readVectors(reply.answer, texts.length, dimension) : reply
}

const wrong = (what: string) => new AppError('internal', `The embedding server's answer can't be used: ${what}`)

const otherDimension = (items: readonly unknown[], dimension: number): number | undefined =>
  items
    .map((item) => (item as { readonly embedding?: unknown } | null)?.embedding)
    .filter(Array.isArray)
    .find(({ length }) => length !== dimension)?.length

/** Returns the vectors in the order of the texts, at length 1. AppError `internal` for an invalid response. */
const readVectors = (body: string, count: number, dimension: number): Exclude<Reply, { readonly refused: string }> => {
  const items = dataOf(body)
  const other = otherDimension(items, dimension)
  if (other !== undefined) {
    const fault = `The embedding server answers with vectors of ${other} numbers where ${dimension} are configured`
    return { unusable: `${fault}: correct CAIRN_OPENAI_DIMENSION or CAIRN_OPENAI_MODEL` }
  }
  if (items.length !== count) throw wrong(`${items.length} vectors for ${count} texts`)
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count }, () => undefined)
  for (const [position, item] of items.entries()) {
    const { index = position, embedding } = (item ?? {}) as { readonly index?: unknown; readonly embedding?: unknown }
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw wrong(`the index ${String(index)}`)
    if (vectors[index] !== undefined) throw wrong(`the index ${index} twice`)
    vectors[index] = unitVector(embedding)
  }
  return { vectors: vectors.map((vector) => vector ?? new Float32Array()) }
}

const dataOf = (body: string): readonly unknown[] => {
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown }
    if (Array.isArray(data)) return data
  } catch (cause) {
    throw new AppError('internal', "The embedding server's answer is not JSON", { cause })
  }
  throw wrong('it has no list `data`')
}

const unitVector = (values: unknown): Float32Array => {
  if (!Array.isArray(values)) throw wrong('an `embedding` is no list of numbers')
  let square = 0
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) throw wrong('a number that is not finite')
    square += value * value
  }
  if (square === 0 || !Number.isFinite(square)) throw wrong('a vector without a direction')
  const length = Math.sqrt(square)
  return Float32Array.from(values as number[], (value) => value / length)
}

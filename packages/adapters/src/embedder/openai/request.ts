import { type ModelServer, sendToModel } from '../../model-server.ts'
import { readVectors } from './read-answer.ts'

export type RequestOptions = ModelServer & {
  readonly model: string
  readonly dimension: number
  readonly sendDimension: boolean
}

/**
 * `refused`: the server rejects these texts (or their number). `unusable`: it can't be reached, or key, address, model
 * or dimension must be changed.
 */
export type Reply = { readonly vectors: Float32Array[] } | { readonly refused: string } | { readonly unusable: string }

/** A double in full precision, its comma and a line of its own. */
const bytesPerNumber = 40
const bytesBesideVectors = 64 * 1024

/** Sends one request, with the retries of `sendToModel`. */
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

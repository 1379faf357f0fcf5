import { buildEdgeChunk, type EdgeChunk, edgeItemId } from '@cairn/contracts/documents/edge-chunk'
import { isAppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import type { EdgeEmbedder, EdgeItem } from './port.ts'

/** Few enough that cancellation takes effect soon. */
const textsAtOnce = 64

export type PlacedChunk = { readonly chunk: EdgeChunk /** Text as stored. */; readonly text: string }

export const placed = (chunk: EdgeChunk): PlacedChunk => ({ chunk, text: buildEdgeChunk(chunk) })

/** Embeds the body, which has the content; the whole text if that can't be embedded (punctuation only). */
const embedOne = async (
  embedder: EdgeEmbedder,
  { chunk, text }: PlacedChunk,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  try {
    return await embedder.embed([chunk.body], { kind: 'document', signal })
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return embedder.embed([text], { kind: 'document', signal })
  }
}

const vectorsOf = async (
  embedder: EdgeEmbedder,
  some: readonly PlacedChunk[],
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  try {
    const bodies = some.map(({ chunk }) => chunk.body)
    return await embedder.embed(bodies, { kind: 'document', signal })
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    const vectors: Float32Array[] = []
    for (const one of some) vectors.push(...(await embedOne(embedder, one, signal)))
    return vectors
  }
}

export const embedChunks = async (
  embedder: EdgeEmbedder,
  chunks: readonly PlacedChunk[],
  signal: AbortSignal,
): Promise<EdgeItem[]> => {
  const items: EdgeItem[] = []
  for (const some of slices(chunks, textsAtOnce)) {
    signal.throwIfAborted()
    const vectors = await vectorsOf(embedder, some, signal)
    for (const [index, { chunk, text }] of some.entries())
      items.push({ id: edgeItemId(chunk), text, vector: vectors[index] as Float32Array })
  }
  return items
}

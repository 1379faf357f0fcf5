import { chunkItemId, parseChunkItemId } from '@cairn/contracts/chunk-ids'
import { limits } from '@cairn/contracts/limits'
import { cutForModel, inCodePoints, type Stretch } from '@cairn/domain/cut-passages'
import type { Metadata } from '@cairn/domain/metadata'
import { isFileVersion } from '@cairn/domain/metadata/records'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { SearchHit } from './search-namespaces.ts'

type Located = Pick<SearchHit, 'text' | 'point' | 'embedding'>

/**
 * Returns for each hit the best-scoring passage: offsets into its text in Unicode code points, end exclusive. The text
 * is cut again in the same way as for indexing. A hit has no passage if it has no text, or if no model is available to
 * cut it. Long texts beyond a total length have none either, because cutting 50,000 characters takes a tenth of a
 * second.
 */
export const highlightsOf = async (embedders: Embedders, hits: readonly Located[]): Promise<Stretch[][]> => {
  let remaining: number = limits.highlightedLength
  const located = hits.map(({ text, point, embedding }) => {
    const embedder = embedding === null || text === '' ? undefined : embedders.of(embedding)
    // A token has at least one character.
    const isShort = embedder !== undefined && text.length <= embedder.maxTokens
    if (embedder && !isShort) remaining -= text.length
    return { text, passage: point.passage, isShort, embedder: isShort || remaining >= 0 ? embedder : undefined }
  })
  return Promise.all(
    located.map(async ({ text, passage, isShort, embedder }) => {
      if (!embedder) return []
      const [tokens = new Uint32Array()] = isShort ? [] : await embedder.tokens([text])
      const found = cutForModel(text, tokens, embedder.maxTokens)[passage]
      return found ? [inCodePoints(text, found)] : []
    }),
  )
}

type Neighbor = { readonly id: string; readonly text: string }
type Context = { readonly before: readonly Neighbor[]; readonly after: readonly Neighbor[] }

/**
 * Returns for each hit up to `count` chunks before and after it in its file, in reading order; none for other items.
 */
export const contextOf = async (
  { chunks }: Pick<Metadata, 'chunks'>,
  hits: readonly Located[],
  count: number,
): Promise<Context[]> => {
  const neighbors = hits.map(({ point: { itemId, version } }) => {
    const chunk = isFileVersion(version) ? parseChunkItemId(itemId) : undefined
    const at = (offset: number) =>
      chunk && chunk.index + offset >= 0
        ? [{ version, itemId: chunkItemId(chunk.idBase, chunk.index + offset), offset }]
        : []
    const offsets = Array.from({ length: count }, (_, index) => index + 1)
    return [...offsets.toReversed().map((offset) => -offset), ...offsets].flatMap(at)
  })
  const found = await chunks.get(neighbors.flat())
  const texts = new Map(found.map(({ version, itemId, body }) => [`${version} ${itemId}`, body.text]))
  return neighbors.map((around) => {
    const existing = around.flatMap(({ version, itemId, offset }) => {
      const text = texts.get(`${version} ${itemId}`)
      return text === undefined ? [] : [{ offset, neighbor: { id: itemId, text } }]
    })
    const side = (isWanted: (offset: number) => boolean) =>
      existing.flatMap(({ offset, neighbor }) => (isWanted(offset) ? [neighbor] : []))
    return { before: side((offset) => offset < 0), after: side((offset) => offset > 0) }
  })
}

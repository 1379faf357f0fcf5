import { chunkItemId, parseChunkItemId } from '@cairn/contracts/documents/chunk-ids'
import { atOnce } from '@cairn/contracts/flow/at-once'
import type { Place } from '@cairn/contracts/http/places'
import { limits } from '@cairn/contracts/limits'
import { isFileVersion } from '@cairn/domain/files/record'
import { inCodePoints, type Stretch, windowOf } from '@cairn/domain/text/cut-passages'
import type { GatewayPorts } from '../deps.ts'
import type { GatedStore } from '../gate.ts'
import { placesOf } from './hit-places.ts'
import type { SearchHit } from './search-namespaces.ts'

/** Long texts of one response cut at once, so that others are cut in between. */
const cutAtOnce = 2

type Located = Pick<SearchHit, 'text' | 'point' | 'embedding'>

/**
 * Cuts a hit's text again as for indexing, in UTF-16 units. Undefined without a text or a model, and for long texts
 * beyond a total length: cutting 50,000 characters takes a tenth of a second.
 */
export const bestPassagesOf = async (
  { embedders, textWorker }: Pick<GatewayPorts, 'embedders' | 'textWorker'>,
  hits: readonly Located[],
  signal: AbortSignal,
): Promise<(Stretch | undefined)[]> => {
  let remaining: number = limits.highlightedLength
  const located = hits.map(({ text, point, embedding }) => {
    const embedder = embedding === null || text === '' ? undefined : embedders.of(embedding)
    // A token has at least one character.
    const isShort = embedder !== undefined && text.length <= embedder.maxTokens
    if (embedder && !isShort) remaining -= text.length
    return { text, point, isShort, embedder: isShort || remaining >= 0 ? embedder : undefined }
  })
  return atOnce(cutAtOnce, located, async ({ text, point, isShort, embedder }) => {
    if (!embedder) return undefined
    const [tokens = new Uint32Array()] = isShort ? [] : await embedder.tokens([text])
    const turn = { caller: point.namespaceId, signal }
    return (await textWorker.cut(text, tokens, windowOf(embedder), turn))[point.passage]
  })
}

/** `highlights`: offsets in Unicode code points, end exclusive. */
export const highlightsOf = async (
  deps: Parameters<typeof bestPassagesOf>[0],
  hits: readonly (Located & Pick<SearchHit, 'metadata' | 'file'>)[],
  signal: AbortSignal,
): Promise<{ readonly highlights: Stretch[]; readonly places: Place[] }[]> => {
  const passages = await bestPassagesOf(deps, hits, signal)
  return hits.map((hit, index) => ({
    highlights: passages[index] ? [inCodePoints(hit.text, passages[index])] : [],
    places: placesOf(hit, passages[index]),
  }))
}

type Neighbor = { readonly id: string; readonly text: string }
type Context = { readonly before: readonly Neighbor[]; readonly after: readonly Neighbor[] }

/** Returns up to `count` chunks on each side in the file, in reading order; none for other items. */
export const contextOf = async (
  { chunks }: Pick<GatedStore, 'chunks'>,
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

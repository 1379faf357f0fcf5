import { checkEdgeItems } from '@cairn/contracts/documents/edge-rules'
import { edgeDeleteBody, type edgeOperations, edgeSearchBody, edgeUploadBody } from '@cairn/contracts/http/edge'
import { limits } from '@cairn/contracts/limits'
import { labelOf, scoreOf } from '@cairn/contracts/text/labels'
import type { EdgeState, EdgeStore } from '@cairn/domain/ports/edge-store'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import { parse } from '@cairn/runtime/http/parse'

export type EdgeResponse<N extends Exclude<keyof typeof edgeOperations, 'answerStream'>> = ResponseBody<
  (typeof edgeOperations)[N],
  200
>
type EdgeHit = EdgeResponse<'search'>['results'][number]

const viewOf = ({ shape }: EdgeState) => ({
  dimension: shape?.dimension ?? null,
  store_mode: shape?.mode ?? null,
  embedding_model: shape?.embeddingModel ?? null,
})
const capacityOf = ({ items, maxItems }: EdgeState) => ({
  items,
  max_items: maxItems,
  remaining: Math.max(0, maxItems - items),
})

type SearchOptions = {
  readonly top_k: number
  readonly kiosk_mode: boolean
  /** Published score; applied in kiosk mode. */
  readonly threshold?: number | undefined
}

export const findHits = async (
  store: Pick<EdgeStore, 'search'>,
  vector: Float32Array,
  { top_k: topK, kiosk_mode: isKiosk, threshold = 0 }: SearchOptions,
): Promise<EdgeHit[]> => {
  const hits = await store.search({ vector, limit: Math.min(topK, limits.topK) })
  return hits
    .map(({ id, text, score }) => ({
      id,
      score: scoreOf(score),
      label: labelOf(scoreOf(score)),
      ...(text !== '' && { text }),
    }))
    .filter(({ score }) => !isKiosk || score >= threshold)
}

/** Operations take request bodies; an invalid one throws an AppError. */
export const createEdge = (store: EdgeStore) => ({
  health: async (): Promise<EdgeResponse<'health'>> => {
    const state = await store.state()
    return { status: 'ok', ...viewOf(state), ...capacityOf(state) }
  },
  export: async (): Promise<EdgeResponse<'export'>> => {
    const state = await store.state()
    const items = (await store.texts()).map((text) => ({ text }))
    return { status: 'ok', ...viewOf(state), item_count: items.length, items }
  },
  upload: async (body: unknown): Promise<EdgeResponse<'upload'>> => {
    const { store_mode: mode, embedding_model: model, items: sent } = parse(edgeUploadBody, body)
    const { dimension, items } = checkEdgeItems(sent, mode)
    const state = await store.upload(
      { mode, dimension, embeddingModel: mode === 'text' ? (model ?? null) : null },
      items,
    )
    return { status: 'success', total: items.length, ...capacityOf(state) }
  },
  search: async (body: unknown): Promise<EdgeResponse<'search'>> => {
    const sent = parse(edgeSearchBody, body)
    return { results: await findHits(store, sent.query, sent) }
  },
  deleteItems: async (body: unknown): Promise<EdgeResponse<'deleteItems'>> => {
    const { removed, absent } = await store.remove(parse(edgeDeleteBody, body).ids)
    return { status: 'success', deleted: removed.length, not_found_ids: absent }
  },
  clear: async (): Promise<EdgeResponse<'clear'>> => {
    await store.clear()
    return { status: 'success', message: 'The store is empty; the next upload fixes its mode and dimension' }
  },
})

export type Edge = ReturnType<typeof createEdge>

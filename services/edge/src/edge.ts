import { checkEdgeItems } from '@cairn/contracts/edge-rules'
import { edgeDeleteBody, edgeSearchBody, edgeUploadBody } from '@cairn/contracts/http/edge'
import { labelOf, type ScoreLabel, scoreOf } from '@cairn/contracts/labels'
import { limits } from '@cairn/contracts/limits'
import type { EdgeState, EdgeStore, StoreMode } from '@cairn/domain/ports/edge-store'
import { parse } from '@cairn/runtime/parse'

export type StoreView = {
  readonly dimension: number | null
  readonly store_mode: StoreMode | null
  /** Null in a vector store. */
  readonly embedding_model: string | null
}
export type CapacityView = { readonly items: number; readonly max_items: number; readonly remaining: number }
/** `text` is present if the item has one. */
export type EdgeHit = {
  readonly id: string
  readonly score: number
  readonly label: ScoreLabel
  readonly text?: string
}

/** The operations of the store by their request bodies. AppError for an invalid body. */
export type Edge = {
  health(): Promise<{ readonly status: 'ok' } & StoreView & CapacityView>
  export(): Promise<
    {
      readonly status: 'ok'
      readonly item_count: number
      readonly items: readonly { readonly text: string }[]
    } & StoreView
  >
  upload(body: unknown): Promise<{ readonly status: 'success'; readonly total: number } & CapacityView>
  search(body: unknown): Promise<{ readonly results: readonly EdgeHit[] }>
  deleteItems(
    body: unknown,
  ): Promise<{ readonly status: 'success'; readonly deleted: number; readonly not_found_ids: readonly string[] }>
  clear(): Promise<{ readonly status: 'success'; readonly message: string }>
}

const viewOf = ({ shape }: EdgeState): StoreView => ({
  dimension: shape?.dimension ?? null,
  store_mode: shape?.mode ?? null,
  embedding_model: shape?.embeddingModel ?? null,
})
const capacityOf = ({ items, maxItems }: EdgeState): CapacityView => ({
  items,
  max_items: maxItems,
  remaining: Math.max(0, maxItems - items),
})

/** `threshold`: minimum of the published score. */
type SearchOptions = { readonly topK: number; readonly threshold: number }

/** Returns the best hits in the form of the API. */
export const findHits = async (
  store: Pick<EdgeStore, 'search'>,
  vector: Float32Array,
  { topK, threshold }: SearchOptions,
): Promise<EdgeHit[]> => {
  const hits = await store.search({ vector, limit: Math.min(topK, limits.topK) })
  return hits
    .map(({ id, text, score }) => ({
      id,
      score: scoreOf(score),
      label: labelOf(scoreOf(score)),
      ...(text !== '' && { text }),
    }))
    .filter(({ score }) => score >= threshold)
}

export const thresholdOf = ({
  kiosk_mode,
  threshold,
}: {
  readonly kiosk_mode: boolean
  readonly threshold?: number | undefined
}): number => (kiosk_mode ? (threshold ?? 0) : 0)

export const createEdge = (store: EdgeStore): Edge => ({
  health: async () => {
    const state = await store.state()
    return { status: 'ok', ...viewOf(state), ...capacityOf(state) }
  },
  export: async () => {
    const state = await store.state()
    const items = (await store.texts()).map((text) => ({ text }))
    return { status: 'ok', ...viewOf(state), item_count: items.length, items }
  },
  upload: async (body) => {
    const { store_mode: mode, embedding_model: model, items: sent } = parse(edgeUploadBody, body)
    const { dimension, items } = checkEdgeItems(sent, mode)
    const state = await store.upload(
      { mode, dimension, embeddingModel: mode === 'text' ? (model ?? null) : null },
      items,
    )
    return { status: 'success', total: items.length, ...capacityOf(state) }
  },
  search: async (body) => {
    const sent = parse(edgeSearchBody, body)
    return { results: await findHits(store, sent.query, { topK: sent.top_k, threshold: thresholdOf(sent) }) }
  },
  deleteItems: async (body) => {
    const { removed, absent } = await store.remove(parse(edgeDeleteBody, body).ids)
    return { status: 'success', deleted: removed.length, not_found_ids: absent }
  },
  clear: async () => {
    await store.clear()
    return { status: 'success', message: 'The store is empty; the next upload fixes its mode and dimension' }
  },
})

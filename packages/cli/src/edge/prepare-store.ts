import { AppError } from '@cairn/contracts/errors'
import type { EdgeEmbedder, EdgeShape, EdgeStore } from './port.ts'

/** Items of a store that are not from the source. */
export type OnOthers = 'refuse' | 'merge' | 'replace'
export type StoredChunks = ReadonlyMap<string, ReadonlySet<number>>

type Prepared = { readonly shape: EdgeShape; readonly stored: StoredChunks }

const checkShape = (name: string, { mode, model, dimension }: EdgeShape, embedder: EdgeEmbedder): void => {
  if (mode === 'vector')
    throw new AppError(
      'conflict',
      `The edge store at ${name} holds vectors, not texts: empty it (--replace), or choose another one with --edge`,
    )
  const ours = embedder.model
  if ((model !== null && model !== ours.model) || (dimension !== null && dimension !== ours.dimension))
    throw new AppError(
      'conflict',
      `The edge store at ${name} was filled with the model ${model} (${dimension} dimensions), but this command uses ${ours.model} (${ours.dimension}): change CAIRN_EMBEDDER, or empty the store (--replace)`,
    )
}

/**
 * Throws, before anything is fetched or written, for another kind of store, or items from elsewhere: `merge` keeps
 * them, `replace` empties a store with such items or of another model.
 */
export const prepareStore = async (options: {
  readonly store: EdgeStore
  readonly embedder: EdgeEmbedder
  readonly isOurs: (docId: string, index: number) => boolean
  /** Completes "items that are not …". */
  readonly origin: string
  readonly onOthers: OnOthers
}): Promise<Prepared> => {
  const { store, embedder, isOurs, origin, onOthers } = options
  const shape = await store.shape()
  if (onOthers !== 'replace') checkShape(store.name, shape, embedder)
  const stored: StoredChunks = shape.items === 0 ? new Map() : await store.chunks()
  const ours = [...stored].flatMap(([docId, indexes]) => [...indexes].filter((index) => isOurs(docId, index))).length
  // Includes items without a readable block, whose origin is unknown.
  const others = shape.items - ours
  if (others > 0 && onOthers === 'refuse')
    throw new AppError(
      'conflict',
      `The edge store at ${store.name} holds ${others} items that are not ${origin}: --merge keeps them, --replace removes them`,
    )
  const { model, dimension } = embedder.model
  const hasOtherModel = shape.mode !== null && (shape.model !== model || shape.dimension !== dimension)
  if (onOthers !== 'replace' || (others === 0 && !hasOtherModel)) return { shape, stored }
  await store.clear()
  return { shape: await store.shape(), stored: new Map() }
}

import { type Embedder, type Embedders, identityOf, modelName } from '@cairn/domain/ports/embedder'

export type EmbeddersOptions = {
  /** For new namespaces. */
  readonly current: Embedder
  /** For new namespaces while `current` is `failed`. */
  readonly fallback?: Embedder
  /** Other embedders that clients may choose, for a new namespace or a reindex. */
  readonly choices?: readonly Embedder[]
}

/** Throws if two embedders have the same model identity. */
export const embedders = ({ current, fallback, choices = [] }: EmbeddersOptions): Embedders => {
  const all = [...new Set([current, ...(fallback === undefined ? [] : [fallback]), ...choices])]
  const byName = new Map(all.map((embedder) => [modelName(embedder.model), embedder]))
  const byModel = new Map(all.map((embedder) => [identityOf(embedder.model), embedder]))
  if (byModel.size < all.length)
    throw new Error(`two embedders for one of the models ${[...byModel.keys()].join(', ')}`)
  return {
    current: () => (fallback !== undefined && current.status().state === 'failed' ? fallback : current),
    named: (name) => byName.get(name),
    names: () => [...byName.keys()],
    of: (model) => byModel.get(identityOf(model)),
    close: async () => {
      await Promise.all(all.map((embedder) => embedder.close()))
    },
  }
}

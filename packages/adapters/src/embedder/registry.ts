import { type Embedder, type Embedders, identityOf, modelName } from '@cairn/domain/ports/embedder'

export type EmbeddersOptions = {
  /** Serves new namespaces. */
  readonly current: Embedder
  /** Serves new namespaces instead while `current` is `failed`. */
  readonly fallback?: Embedder
  /** Further ones that may have filled namespaces. */
  readonly others?: readonly Embedder[]
  /** Further ones that new namespaces may choose; `current` and `fallback` may be chosen, too. */
  readonly choices?: readonly Embedder[]
}

/** Creates the registry of a process's embedders, by the identity of their model. Throws when two are equal. */
export const embedders = ({ current, fallback, others = [], choices = [] }: EmbeddersOptions): Embedders => {
  const chosen = [...new Set([current, ...(fallback === undefined ? [] : [fallback]), ...choices])]
  const all = [...new Set([...chosen, ...others])]
  const byName = new Map(chosen.map((embedder) => [modelName(embedder.model), embedder]))
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

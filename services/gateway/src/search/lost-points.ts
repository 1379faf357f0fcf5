import type { Metadata } from '@cairn/ports/metadata/port'
import type { Item, Namespace } from '@cairn/ports/metadata/records'
import type { Space, VectorIndex } from '@cairn/ports/vector-index/port'

type Deps = { readonly metadata: Metadata; readonly vectors: VectorIndex }

/** Enough to meet one that is indexed, unless nearly all are new. */
const looked = 20

const hasPoints = ({ indexed }: Item): boolean => indexed !== null && indexed.passages > 0

/**
 * Whether the index has no point of a namespace although items of it are indexed: it was emptied, and has to be rebuilt.
 * An indexed item has points for as long as it is indexed, so one that is indexed before and after the look decides it.
 */
export const hasLostPoints = async (
  { metadata, vectors }: Deps,
  space: Space,
  { id, itemCount }: Pick<Namespace, 'id' | 'itemCount'>,
): Promise<boolean> => {
  if (itemCount === 0) return false
  const page = await metadata.items.page(id, { limit: looked })
  const before = page.find(hasPoints)
  if (!before || (await vectors.count(space, id)) > 0) return false
  const [after] = await metadata.items.get(id, [before.id])
  return after?.indexed?.version === before.indexed?.version
}

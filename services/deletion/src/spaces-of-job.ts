import type { Deletion } from '@cairn/domain/items/record'
import { allSpacesOf } from '@cairn/domain/namespaces/embedding-space'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'

/** Reads both records: a reindex may have begun after the deletion, and the namespace's may be gone. */
export const spacesOfJob = async (
  { store }: { readonly store: Store },
  job: Pick<Deletion, 'namespaceId' | 'space' | 'otherSpaces'>,
): Promise<readonly EmbeddingSpace[]> => {
  const namespace = await store.namespaces.get(job.namespaceId)
  const all = [...(namespace ? allSpacesOf(namespace) : []), ...(job.otherSpaces ?? []), job.space]
  return [...new Map(all.map((space) => [space.key, space])).values()]
}

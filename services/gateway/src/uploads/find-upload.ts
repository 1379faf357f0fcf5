import { notFound } from '@cairn/contracts/api/failures'
import type { IndexJob } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Store } from '@cairn/domain/store'

/** Throws AppError `notFound`, which reveals nothing about other accounts. */
export const findUpload = async (store: Store, namespace: Namespace, id: string): Promise<IndexJob> => {
  const job = await store.uploads.get(id)
  if (job?.namespaceId !== namespace.id) throw notFound('upload')
  return job
}

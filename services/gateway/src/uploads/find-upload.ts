import { notFound } from '@cairn/contracts/failures'
import type { IndexJob } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Metadata } from '@cairn/domain/store'

/** Returns an upload of the namespace. AppError `notFound` reveals nothing about other accounts. */
export const findUpload = async (metadata: Metadata, namespace: Namespace, id: string): Promise<IndexJob> => {
  const job = await metadata.uploads.get(id)
  if (job?.namespaceId !== namespace.id) throw notFound('upload')
  return job
}

import { notFound } from '@cairn/contracts/failures'
import type { Metadata } from '@cairn/domain/metadata'
import type { IndexJob, Namespace } from '@cairn/domain/metadata/records'

/** Returns an upload of the namespace. AppError `notFound` reveals nothing about other accounts. */
export const findUpload = async (metadata: Metadata, namespace: Namespace, id: string): Promise<IndexJob> => {
  const job = await metadata.uploads.get(id)
  if (job?.namespaceId !== namespace.id) throw notFound('upload')
  return job
}

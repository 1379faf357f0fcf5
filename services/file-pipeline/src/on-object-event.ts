import type { Envelope } from '@cairn/contracts/events'
import { namespaceOfKey, partsOfKey } from '@cairn/domain/object-keys'
import * as z from 'zod'
import { type ReconcileDeps, reconcileUpload } from './reconcile-uploads.ts'

/** What S3 and its likes tell of a new object; only the key is of use, form-encoded as they send it. */
const notification = z.object({ Records: z.array(z.object({ s3: z.object({ object: z.object({ key: z.string() }) }) })) })

/** Keys in a message of the store; none in one that is something else, for it is only a hint. */
export const keysIn = (raw: unknown): string[] => {
  if (typeof raw !== 'string') return []
  try {
    return notification.parse(JSON.parse(raw)).Records.map(({ s3 }) => decodeURIComponent(s3.object.key.replaceAll('+', ' ')))
  } catch {
    return []
  }
}

/** Looks at once for what the store says has arrived; what is missed here, the sweeps find. */
export const onObjectEvent = (deps: ReconcileDeps) => {
  const reconcile = reconcileUpload(deps)
  return async ({ data }: Envelope): Promise<void> => {
    for (const key of keysIn(data)) {
      const { namespaceId, fileName } = partsOfKey(deps.files, key)
      const namespace = await namespaceOfKey(deps.metadata, deps.files, key)
      // Late for a namespace that was deleted; without the hint a re-check of the deletion finds it.
      if (!namespace && namespaceId !== undefined && (await deps.metadata.namespaces.isRetired(namespaceId))) await deps.files.remove([key])
      const grant = namespace && (await deps.metadata.grants.get(namespace.id, fileName))
      if (grant) await reconcile(grant)
    }
  }
}

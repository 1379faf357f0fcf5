import type { Envelope } from '@cairn/contracts/events'
import { namespaceOfKey, partsOfKey } from '@cairn/domain/files/object-keys'
import * as z from 'zod'
import { type ReconcileDeps, reconcileUpload } from './reconcile-uploads.ts'

/** Event of an S3-compatible store. The key is form-encoded. */
const notification = z.object({
  Records: z.array(z.object({ s3: z.object({ object: z.object({ key: z.string() }) }) })),
})

/** Returns none for any other message, since messages are only hints. */
export const keysIn = (raw: unknown): string[] => {
  if (typeof raw !== 'string') return []
  try {
    return notification
      .parse(JSON.parse(raw))
      .Records.map(({ s3 }) => decodeURIComponent(s3.object.key.replaceAll('+', ' ')))
  } catch {
    return []
  }
}

/** Sweeps find objects that this check misses. */
export const onObjectEvent = (deps: ReconcileDeps) => {
  const reconcile = reconcileUpload(deps)
  return async ({ data }: Envelope): Promise<void> => {
    for (const key of keysIn(data)) {
      const { namespaceId, fileName } = partsOfKey(deps.files, key)
      const namespace = await namespaceOfKey(deps.store, deps.files, key)
      // The object arrived after its namespace was deleted; without the event, a re-check of the deletion finds it.
      if (!namespace && namespaceId !== undefined && (await deps.store.namespaces.isRetired(namespaceId)))
        await deps.files.remove([key])
      const grant = namespace && (await deps.store.grants.get(namespace.id, fileName))
      if (grant) await reconcile(grant)
    }
  }
}

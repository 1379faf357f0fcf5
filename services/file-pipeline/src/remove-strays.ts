import type { OpenMultipart } from '@cairn/ports/file-store/port'
import { isOwned, openGrantOf, partsOfKey } from '@cairn/runtime/object-keys'
import type { PipelineDeps } from './deps.ts'

const objectsAtOnce = 500
/** A direct upload has its grant before its object; what is younger may still be on its way to being known. */
const youngestMs = 3_600_000

type StrayDeps = Pick<PipelineDeps, 'metadata' | 'files' | 'clock' | 'log'>

/** Whether whoever sends the parts can still complete the upload. */
const isGranted = async ({ metadata }: StrayDeps, { key, uploadId }: OpenMultipart): Promise<boolean> =>
  (await openGrantOf(metadata, partsOfKey(key)))?.uploadId === uploadId

/**
 * Uploads in parts that no grant has: what a crash between the store and the record has left. A form that goes to the store in parts has
 * none either, and takes minutes at most.
 */
const removeStrayUploads = async (deps: StrayDeps, signal: AbortSignal): Promise<number> => {
  const { files, clock, log } = deps
  let removed = 0
  for (const upload of await files.openMultiparts('')) {
    if (signal.aborted) break
    if (clock.now() - upload.startedAt < youngestMs || (await isGranted(deps, upload))) continue
    await files.abortMultipart(upload.key, upload.uploadId)
    const { accountId, namespaceName } = partsOfKey(upload.key)
    log.warn({ accountId, namespaceName }, 'an upload in parts of nobody was removed')
    removed += 1
  }
  return removed
}

/**
 * Objects of no living namespace: late ones of a namespace that is gone, and whatever else nobody has a grant or a record of; then uploads
 * in parts of nobody. Walks the whole store, slowly; resolves to the number removed.
 */
export const removeStrays =
  (deps: StrayDeps) =>
  async (signal: AbortSignal): Promise<number> => {
    const { metadata, files, clock, log } = deps
    let removed = 0
    for (let after: string | undefined; !signal.aborted; ) {
      const page = await files.list({ prefix: '', limit: objectsAtOnce, ...(after === undefined ? {} : { after }) })
      for (const { key, modifiedAt } of page) {
        if (signal.aborted || clock.now() - modifiedAt < youngestMs) continue
        const parts = partsOfKey(key)
        if (await isOwned(metadata, parts)) continue
        await files.remove([key])
        const { accountId, namespaceName } = parts
        log.warn({ accountId, namespaceName }, 'an object of nobody was removed')
        removed += 1
      }
      after = page.at(-1)?.key
      if (page.length < objectsAtOnce) break
    }
    return removed + (await removeStrayUploads(deps, signal))
  }

import { isOwned, partsOfKey } from '@cairn/runtime/object-keys'
import type { PipelineDeps } from './deps.ts'

const objectsAtOnce = 500
/** A direct upload has its grant before its object; what is younger may still be on its way to being known. */
const youngestMs = 3_600_000

/**
 * Objects of no living namespace: late ones of a namespace that is gone, and whatever else nobody has a grant or a record of. Walks the
 * whole store, slowly; resolves to the number removed.
 */
export const removeStrays =
  ({ metadata, files, clock, log }: Pick<PipelineDeps, 'metadata' | 'files' | 'clock' | 'log'>) =>
  async (signal: AbortSignal): Promise<number> => {
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
    return removed
  }

import { isDeepStrictEqual } from 'node:util'
import { extractionVersion, isOutdated } from '@cairn/domain/files/extraction-version'
import { type FileRecord, fileVersionPrefix } from '@cairn/domain/files/record'
import type { Namespace, Reextraction } from '@cairn/domain/namespaces/record'
import type { PipelineDeps } from './deps.ts'
import type { ReconcileDeps } from './reconcile-uploads.ts'

export type ReextractDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'ids' | 'log'> &
  Pick<ReconcileDeps, 'send'>

const namespacesPerPage = 100
const filesPerPage = 100
/** Files per namespace at once, so that new uploads are processed in between. */
const maxUnderWay = 4
const pauseMs = 250

type Outcome = 'extracted' | 'failed' | 'withoutBytes' | 'underWay' | 'nothing'

const hasBytes = async ({ files }: ReextractDeps, { key, live, object, bytesRemovedAt }: FileRecord) =>
  live?.etag === object.etag && !bytesRemovedAt && (await files.head(key))?.etag === object.etag

/** Starts processing the file if it is outdated and idle. */
const meet = async (deps: ReextractDeps, file: FileRecord, { id }: Reextraction): Promise<Outcome> => {
  const { store, clock, ids, send } = deps
  if (file.state !== 'completed' && file.state !== 'failed') return 'underWay'
  const isOwn = file.correlationId === id
  if (!isOutdated(file)) return isOwn ? 'extracted' : 'nothing'
  // Even if a process of an earlier version has read it: otherwise re-extraction during an upgrade would never end.
  if (isOwn) return 'failed'
  if (!(await hasBytes(deps, file))) return 'withoutBytes'
  const cause = { correlationId: id, traceparent: null }
  const version = ids.next(fileVersionPrefix)
  const change = { from: file.version, version, options: file.options, at: clock.now(), ...cause }
  if (await store.files.reprocess(file.id, change))
    await send({ namespaceId: file.namespaceId, fileId: file.id }, cause)
  // If the file was changed meanwhile, another process handles or deletes it.
  return 'underWay'
}

/** Starts files until enough are under way, and counts those that are done. Resolves to whether there is more to do. */
const advance = async (
  deps: ReextractDeps,
  namespace: Namespace,
  reextraction: Reextraction,
  signal: AbortSignal,
): Promise<boolean> => {
  const { store, clock, log } = deps
  const counts = { extracted: 0, failed: 0, withoutBytes: 0 }
  const underWay: string[] = []
  let { cursor } = reextraction
  const count = async (file: FileRecord) => {
    const outcome = await meet(deps, file, reextraction)
    if (outcome === 'underWay') underWay.push(file.id)
    else if (outcome !== 'nothing') counts[outcome] += 1
  }
  for (const file of await store.files.many(reextraction.underWay)) await count(file)
  let isAtEnd = false
  if (underWay.length < maxUnderWay) {
    const page = await store.files.page(namespace.id, { after: cursor, limit: filesPerPage })
    for (const file of page) {
      if (underWay.length >= maxUnderWay || signal.aborted) break
      await count(file)
      cursor = file.name
    }
    isAtEnd = page.length < filesPerPage && cursor === (page.at(-1)?.name ?? cursor)
  }
  const next: Reextraction = {
    ...reextraction,
    cursor,
    underWay,
    extracted: reextraction.extracted + counts.extracted,
    failed: reextraction.failed + counts.failed,
    withoutBytes: reextraction.withoutBytes + counts.withoutBytes,
    endedAt: isAtEnd && underWay.length === 0 ? clock.now() : null,
  }
  if (isDeepStrictEqual(next, reextraction)) return false
  const isChanged = await store.namespaces.changeReextraction(namespace.id, next)
  if (isChanged && next.endedAt !== null) {
    const { extracted, failed, withoutBytes } = next
    const outcome = { extracted, failed, withoutBytes, extractionVersion }
    log.info({ namespace: namespace.id, reextraction: next.id, ...outcome }, 'files extracted again')
  }
  return isChanged && next.endedAt === null
}

/**
 * Each step may be repeated, also from an earlier cursor, because a file's outcome is read from its record. `range` is
 * for `runTask`: it resolves to a cursor as long as it makes progress.
 */
export const createReextractTask = (deps: ReextractDeps) => ({
  hasWork: async (): Promise<boolean> => (await deps.store.namespaces.reextracting({ limit: 1 })).length > 0,
  range: async (_cursor: string | null, signal: AbortSignal): Promise<string | null> => {
    let isMore = false
    for (let after = ''; !signal.aborted; ) {
      const page = await deps.store.namespaces.reextracting({ after, limit: namespacesPerPage })
      for (const namespace of page) {
        const { reextraction, state } = namespace
        if (!reextraction || state !== 'active' || signal.aborted) continue
        try {
          isMore = (await advance(deps, namespace, reextraction, signal)) || isMore
        } catch (error) {
          // An error in one namespace must not block the others.
          deps.log.warn({ err: error, namespace: namespace.id }, 're-extraction failed, will be retried')
        }
      }
      const last = page.at(-1)?.reextractionId
      if (page.length < namespacesPerPage || !last) break
      after = last
    }
    if (isMore) await deps.clock.delay(pauseMs, signal)
    return isMore ? 'more' : null
  },
})

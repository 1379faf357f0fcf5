import { classify } from '@cairn/domain/jobs/job-error'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Clock } from '@cairn/domain/ports/clock'
import { lexemesVersion } from '@cairn/domain/text/lexemes-version'
import type { Logger } from '@cairn/runtime/process/logger'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { IndexDeps } from './deps.ts'
import { vectorsOfPoints } from './embed-items.ts'
import { PointRewriter } from './rewrite-points.ts'

export type RenewDeps = Omit<IndexDeps, 'clock'> & { readonly clock: Clock; readonly log: Pick<Logger, 'info'> }

/** Behind an item or a chunk of the namespace, or at its end. */
type Place = { readonly namespaceId: string; readonly of: 'items' | 'chunks' | 'end'; readonly after: string }

const itemsAtOnce = 25
const namespacesAtOnce = 100
/** For a model that is being opened. */
const modelWaitMs = 60_000
/** After each range, so that a pass never keeps a machine busy. */
const pauseMs = 20

/** Writes one by one where the model rejects a text, whose points stay as they are. */
const writeAccepted = async <S>(
  sources: readonly S[],
  write: (some: readonly S[]) => Promise<unknown>,
): Promise<void> => {
  try {
    await write(sources)
    return
  } catch (error) {
    if (classify(error).kind !== 'permanent') throw error
  }
  if (sources.length > 1) for (const one of sources) await writeAccepted([one], write)
}

/**
 * Renews one range, for `runTask`, of points with an earlier version's lexemes; repeatable. Vectors are read from the
 * index; only a lost point is embedded again, and logged. A namespace whose model is away, or with a reindex, is left
 * to a later pass. Until then its queries have the lexemes of both versions.
 */
export const renewPointsRange =
  ({ store, vectors, embedders, textWorker, clock, log }: RenewDeps) =>
  async (cursor: string | null, signal: AbortSignal): Promise<string | null> => {
    const steps: JobSteps = { step: (_name, call) => retryUnavailable(clock, () => call(signal), signal) }

    const isOutdated = ({ state, type, lexemes, reindex }: Namespace): boolean =>
      state === 'active' && !reindex && type === 'text' && lexemes < lexemesVersion

    /** Opens a model that is opened on first use. */
    const isReady = async ({ embedding }: Namespace): Promise<boolean> => {
      if (!embedding) return true
      const embedder = embedders.of(embedding)
      if (embedder?.status().state === 'loading')
        await Promise.race([embedder.settled(), clock.delay(modelWaitMs, signal)])
      return embedder?.status().state === 'ready'
    }

    const nextNamespace = async (after: string): Promise<Namespace | undefined> => {
      for (let last = after; ; ) {
        signal.throwIfAborted()
        const page = await store.namespaces.page({ after: last, limit: namespacesAtOnce })
        for (const namespace of page) if (isOutdated(namespace) && (await isReady(namespace))) return namespace
        if (page.length < namespacesAtOnce) return undefined
        last = page.at(-1)?.id ?? last
      }
    }

    const renew = async (namespace: Namespace, place: Place): Promise<Place> => {
      const { id: namespaceId } = namespace
      const counts = { reused: 0, embedded: 0 }
      const known = { ...vectorsOfPoints(vectors, { space: embeddingSpaceOf(namespace), namespaceId }), counts }
      const rewriter = new PointRewriter({ store, vectors, embedders, textWorker }, steps, known)
      const page = { after: place.after, limit: itemsAtOnce }
      const renewed = async <S>(sources: readonly S[], write: (some: readonly S[]) => Promise<unknown>) => {
        await writeAccepted(sources, write)
        const { embedded } = counts
        if (embedded > 0)
          log.info({ namespace: namespaceId, passages: embedded }, 'points without a usable vector were embedded')
      }
      if (place.of === 'items') {
        const items = await store.items.page(namespaceId, page)
        await renewed(items, (some) => rewriter.ofItems(namespace, some))
        const last = items.at(-1)
        return last && items.length === itemsAtOnce
          ? { ...place, after: last.id }
          : { ...place, of: 'chunks', after: '' }
      }
      const chunks = await store.chunks.page(namespaceId, page)
      await renewed(chunks, (some) => rewriter.ofChunks(namespace, some))
      const last = chunks.at(-1)
      if (last && chunks.length >= itemsAtOnce) return { ...place, after: last.itemId }
      await store.namespaces.setPointsRenewed(namespaceId)
      log.info({ namespace: namespaceId }, 'points renewed')
      return { ...place, of: 'end' }
    }

    const place = cursor === null ? undefined : (JSON.parse(cursor) as Place)
    const current = place && place.of !== 'end' ? await store.namespaces.get(place.namespaceId) : undefined
    if (place && current && isOutdated(current) && (await isReady(current))) {
      const next = await renew(current, place)
      await clock.delay(pauseMs, signal)
      return JSON.stringify(next)
    }
    const namespace = await nextNamespace(place?.namespaceId ?? '')
    return namespace ? JSON.stringify({ namespaceId: namespace.id, of: 'items', after: '' } satisfies Place) : null
  }

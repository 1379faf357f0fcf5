import { embeddingSpaceOf } from '@cairn/domain/embedding-space'
import { classify } from '@cairn/domain/job-error'
import type { JobSteps } from '@cairn/domain/job-run'
import { lexemesVersion } from '@cairn/domain/lexemes-version'
import type { Namespace } from '@cairn/domain/metadata/records'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Logger } from '@cairn/runtime/logger'
import { retryUnavailable } from '@cairn/runtime/retry'
import type { IndexDeps } from './deps.ts'
import { keptVectors } from './kept-vectors.ts'
import { rewritePoints } from './rewrite-points.ts'

export type RenewDeps = Omit<IndexDeps, 'clock'> & { readonly clock: Clock; readonly log: Pick<Logger, 'info'> }

/** Position of a pass: behind an item or a chunk of the namespace, or at its end. */
type Place = { readonly namespaceId: string; readonly of: 'items' | 'chunks' | 'end'; readonly after: string }

const itemsAtOnce = 25
const namespacesAtOnce = 100
/** Pause after each range, so that a pass never keeps a machine busy. */
const pauseMs = 20

/** Writes points again, one by one where the model rejects a text. The points of a rejected text stay as they are. */
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
 * Renews one range of the points that an earlier version of Cairn has written: those with other lexemes, or without the
 * fields of their metadata. Their vectors are read from the index, so nothing is embedded; the model is only needed to
 * cut texts into passages, and a namespace whose model is away, or that is being reindexed, is left to a later pass.
 * Until its points are renewed, queries of a namespace have the lexemes of both versions. For `runTask`; a range may be
 * repeated.
 */
export const renewPointsRange =
  ({ metadata, vectors, embedders, clock, log }: RenewDeps) =>
  async (cursor: string | null, signal: AbortSignal): Promise<string | null> => {
    const steps: JobSteps = { step: (_name, call) => retryUnavailable(clock, () => call(signal), signal) }

    const isRenewable = ({ state, type, lexemes = 1, hasFields, reindex, embedding }: Namespace): boolean =>
      state === 'active' &&
      !reindex &&
      ((type === 'text' && lexemes < lexemesVersion) || !hasFields) &&
      (!embedding || embedders.of(embedding)?.status().state === 'ready')

    const nextNamespace = async (after: string): Promise<Namespace | undefined> => {
      for (let last = after; ; ) {
        signal.throwIfAborted()
        const page = await metadata.namespaces.page({ after: last, limit: namespacesAtOnce })
        const found = page.find(isRenewable)
        if (found || page.length < namespacesAtOnce) return found
        last = page.at(-1)?.id ?? last
      }
    }

    const renew = async (namespace: Namespace, place: Place): Promise<Place> => {
      const { id: namespaceId } = namespace
      const known = { kept: keptVectors(), vectors, space: embeddingSpaceOf(namespace), namespaceId }
      const { ofItems, ofChunks } = rewritePoints({ metadata, vectors, embedders }, steps, known)
      const page = { after: place.after, limit: itemsAtOnce }
      if (place.of === 'items') {
        const items = await metadata.items.page(namespaceId, page)
        await writeAccepted(items, (some) => ofItems(namespace, some))
        const last = items.at(-1)
        return last && items.length === itemsAtOnce
          ? { ...place, after: last.id }
          : { ...place, of: 'chunks', after: '' }
      }
      const chunks = await metadata.chunks.page(namespaceId, page)
      await writeAccepted(chunks, (some) => ofChunks(namespace, some))
      const last = chunks.at(-1)
      if (last && chunks.length >= itemsAtOnce) return { ...place, after: last.itemId }
      await metadata.namespaces.setPointsRenewed(namespaceId)
      log.info({ namespace: namespaceId }, 'points renewed')
      return { ...place, of: 'end' }
    }

    const place = cursor === null ? undefined : (JSON.parse(cursor) as Place)
    const current = place && place.of !== 'end' ? await metadata.namespaces.get(place.namespaceId) : undefined
    if (place && current && isRenewable(current)) {
      const next = await renew(current, place)
      await clock.delay(pauseMs, signal)
      return JSON.stringify(next)
    }
    const namespace = await nextNamespace(place?.namespaceId ?? '')
    return namespace ? JSON.stringify({ namespaceId: namespace.id, of: 'items', after: '' } satisfies Place) : null
  }

import { slices } from '@cairn/contracts/flow/slices'
import type { Passages } from '@cairn/domain/items/record'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf, passagesIn } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { PointAddress } from '@cairn/domain/ports/vector-index'
import { filesOf } from '@cairn/runtime/jobs/files-of'
import type { Logger } from '@cairn/runtime/process/logger'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { IndexDeps } from './deps.ts'
import { PointRewriter } from './rewrite-points.ts'

export type IndexAuditDeps = IndexDeps & { readonly log: Pick<Logger, 'warn'> }

/** `left`: items of the namespace so far whose missing points could not be written. */
type Place = {
  readonly namespaceId: string
  readonly of: 'items' | 'chunks' | 'end'
  readonly after: string
  readonly left: number
}
type Indexed = Omit<PointAddress, 'passage' | 'namespaceId'> & Passages

const readAtOnce = 200
const rewrittenAtOnce = 25
/** After each range, so that an audit never keeps a machine busy. */
const pauseMs = 20

/**
 * Audits one range: looks up the points of items and published chunks in the searched space (a reindex completes the
 * second one itself), and writes missing ones again from the record store. A namespace is marked while it lacks points,
 * and its searches say so.
 */
class IndexAudit {
  readonly #deps: IndexAuditDeps
  readonly #signal: AbortSignal
  readonly #steps: JobSteps
  readonly #rewriter: PointRewriter

  constructor(deps: IndexAuditDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#signal = signal
    this.#steps = { step: (_name, call) => retryUnavailable(deps.clock, () => call(signal), signal) }
    this.#rewriter = new PointRewriter(deps, this.#steps)
  }

  async placeAt(cursor: string | null): Promise<Place | undefined> {
    const place = cursor === null ? undefined : (JSON.parse(cursor) as Place)
    if (place && place.of !== 'end') return place
    const [next] = await this.#deps.store.namespaces.page({ after: place?.namespaceId ?? '', limit: 1 })
    return next && { namespaceId: next.id, of: 'items', after: '', left: 0 }
  }

  /** Advances the pass; a small namespace takes one range. */
  async advance(place: Place): Promise<Place> {
    const { namespaces, indexAudit } = this.#deps.store
    const namespace = await namespaces.get(place.namespaceId)
    if (namespace?.state !== 'active') return { ...place, of: 'end' }
    const audited = await (place.of === 'items'
      ? this.#auditItems(namespace, place.after)
      : this.#auditChunks(namespace, place.after))
    const left = place.left + audited.left
    if (audited.next !== undefined) return { ...place, after: audited.next, left }
    if (place.of === 'items') return this.advance({ ...place, of: 'chunks', after: '', left })
    if (left === 0 && (await namespaces.get(namespace.id))?.lostPointsAt) await indexAudit.markLost(namespace.id, null)
    return { ...place, of: 'end', left }
  }

  /** Reads items again before reporting a gap: those indexed in the meantime have other points. */
  async #auditItems(namespace: Namespace, after: string) {
    const { indexAudit, items: stored } = this.#deps.store
    const page = await indexAudit.items(namespace.id, { after, limit: readAtOnce })
    const indexedOf = (items: readonly (typeof page)[number][]) =>
      items.flatMap(({ id: itemId, indexed }) => (indexed ? [{ itemId, ...indexed }] : []))
    const suspects = (await this.#withoutPoints(namespace, indexedOf(page))).map(({ itemId }) => itemId)
    const items = suspects.length === 0 ? [] : await stored.get(namespace.id, suspects)
    const missing = new Set((await this.#withoutPoints(namespace, indexedOf(items))).map(({ itemId }) => itemId))
    const left = await this.#rewrite(
      namespace,
      items.filter(({ id }) => missing.has(id)),
      (some) => this.#rewriter.ofItems(namespace, some),
    )
    return { left, next: page.length < readAtOnce ? undefined : page.at(-1)?.id }
  }

  async #auditChunks(namespace: Namespace, after: string) {
    const { store } = this.#deps
    const page = await store.indexAudit.chunks(namespace.id, { after, limit: readAtOnce })
    const files = await filesOf(store, page)
    const published = page.flatMap(({ passages, second, ...chunk }) =>
      passages !== null && files.get(chunk.fileId)?.live?.version === chunk.version
        ? [{ ...chunk, passages, ...(second && { second }) }]
        : [],
    )
    const missing = await this.#withoutPoints(namespace, published)
    const left = await this.#rewrite(namespace, missing, async (some) =>
      this.#rewriter.ofChunks(namespace, await store.chunks.get(some)),
    )
    return { left, next: page.length < readAtOnce ? undefined : page.at(-1)?.itemId }
  }

  async #withoutPoints<I extends Indexed>({ id: namespaceId, ...of }: Namespace, indexed: readonly I[]): Promise<I[]> {
    const space = embeddingSpaceOf(of)
    const addresses = indexed.flatMap((one) =>
      Array.from({ length: passagesIn(one, space) }, (_, passage): PointAddress => {
        const { itemId, version } = one
        return { namespaceId, itemId, version, passage }
      }),
    )
    const missing = await this.#steps.step('index', () => this.#deps.vectors.missing(space, addresses))
    const missingKeys = new Set(missing.map(({ itemId, version }) => `${version} ${itemId}`))
    return indexed.filter(({ itemId, version }) => missingKeys.has(`${version} ${itemId}`))
  }

  /** Resolves to the number of items whose model is not ready. Rejects if the model rejects an item. */
  async #rewrite<L>(
    namespace: Namespace,
    missing: readonly L[],
    write: (some: readonly L[]) => Promise<unknown>,
  ): Promise<number> {
    if (missing.length === 0) return 0
    const { store, embedders, clock, log } = this.#deps
    log.warn({ namespace: namespace.id, items: missing.length }, 'points missing from the index')
    if (!namespace.lostPointsAt) await store.indexAudit.markLost(namespace.id, clock.now())
    const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
    if (namespace.embedding && embedder?.status().state !== 'ready') return missing.length
    for (const some of slices(missing, rewrittenAtOnce)) {
      this.#signal.throwIfAborted()
      await write(some)
    }
    return 0
  }
}

/** For `runTask`. Rejects when an engine is unavailable or the model rejects an item; the range may be repeated. */
export const auditIndexRange =
  (deps: IndexAuditDeps) =>
  async (cursor: string | null, signal: AbortSignal): Promise<string | null> => {
    const audit = new IndexAudit(deps, signal)
    const place = await audit.placeAt(cursor)
    if (!place) return null
    const next = JSON.stringify(await audit.advance(place))
    await deps.clock.delay(pauseMs, signal)
    return next
  }

import { isDeadFileVersion, isFileVersion } from '@cairn/domain/files/record'
import { isDead } from '@cairn/domain/items/record'
import { formerSpacesOf, spacesOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Clock } from '@cairn/domain/ports/clock'
import type { EmbeddingSpace, PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { fileIdsOf } from '@cairn/runtime/jobs/files-of'
import type { Logger } from '@cairn/runtime/process/logger'
import { oneByOne } from '@cairn/runtime/throttles/one-by-one'
import { countContent } from './count-content.ts'

type Deps = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

const pointsAtOnce = 200
/** Leaves capacity for other work. */
const pauseMs = 20

const fileStates = async (store: Store, chunks: readonly { readonly fileId: string }[]) =>
  new Map((await store.files.latestStates(fileIdsOf(chunks))).map((current) => [current.id, current]))

/** Points of chunks depend on their file; a chunk is written before its points, so points without one are dead. */
const deadOf = async (store: Store, namespaceId: string, points: readonly PointAddress[]): Promise<PointAddress[]> => {
  const ofItems = points.filter(({ version }) => !isFileVersion(version))
  const itemIds = [...new Set(ofItems.map(({ itemId }) => itemId))]
  const states = new Map((await store.items.latestStates(namespaceId, itemIds)).map((current) => [current.id, current]))
  const ofChunks = points.filter(({ version }) => isFileVersion(version))
  const chunks = await store.chunks.latestWithoutBodies(ofChunks)
  const fileIds = new Map(chunks.map(({ itemId, version, fileId }) => [`${version} ${itemId}`, fileId]))
  const files = await fileStates(store, chunks)
  const isDeadChunk = ({ itemId, version }: PointAddress) =>
    isDeadFileVersion(files.get(fileIds.get(`${version} ${itemId}`) ?? ''), version)
  return [
    ...ofItems.filter(({ itemId, version }) => isDead(states.get(itemId), version)),
    ...ofChunks.filter(isDeadChunk),
  ]
}

/** A worker may write after losing its lease and after the removal. */
const removeDeadChunks = async (store: Store, namespaceId: string, signal: AbortSignal): Promise<void> => {
  for (let after = ''; !signal.aborted; ) {
    const page = await store.chunks.page(namespaceId, { after, limit: pointsAtOnce })
    const files = await fileStates(store, page)
    await store.chunks.remove(page.filter(({ fileId, version }) => isDeadFileVersion(files.get(fileId), version)))
    const last = page.at(-1)
    if (page.length < pointsAtOnce || !last) return
    after = last.itemId
  }
}

const removeDeadPoints = async (
  { store, vectors, clock }: Deps,
  namespaceId: string,
  space: EmbeddingSpace,
  signal: AbortSignal,
): Promise<number> => {
  let removed = 0
  for (let after: PointAddress | undefined; !signal.aborted; ) {
    const points = await vectors.list(space, {
      namespaceIds: [namespaceId],
      limit: pointsAtOnce,
      ...(after ? { after } : {}),
    })
    const dead = new Map(
      (await deadOf(store, namespaceId, points)).map((point) => [`${point.version} ${point.itemId}`, point]),
    )
    removed += await vectors.removeVersions(space, [...dead.values()])
    after = points.at(-1)
    if (points.length < pointsAtOnce) break
    await clock.delay(pauseMs, signal)
  }
  return removed
}

/** A late writer may have left points in spaces of former reindexes. */
const removeFromFormerSpaces = async (
  { store, vectors, clock }: Deps,
  namespaceId: string,
  signal: AbortSignal,
): Promise<number> => {
  let removed = 0
  while (!signal.aborted) {
    // Before each removal: a new reindex may use a former space again.
    const namespace = await store.namespaces.get(namespaceId)
    let removedNow = 0
    for (const space of namespace?.state === 'active' ? formerSpacesOf(namespace) : [])
      removedNow += await vectors.removeNamespace(space, namespaceId, pointsAtOnce)
    if (removedNow === 0) break
    removed += removedNow
    await clock.delay(pauseMs, signal)
  }
  return removed
}

/** Removes leftovers of a writer that lost its lease. Lists points before it reads items: safe at any time. */
export const auditNamespace =
  (deps: Deps) =>
  async (namespace: Namespace, signal: AbortSignal): Promise<number> => {
    let removed = 0
    for (const space of spacesOf(namespace)) removed += await removeDeadPoints(deps, namespace.id, space, signal)
    if (formerSpacesOf(namespace).length > 0) removed += await removeFromFormerSpaces(deps, namespace.id, signal)
    await removeDeadChunks(deps.store, namespace.id, signal)
    return removed
  }

/** Attempts to count an account while it has no open operations. */
const sumTries = 20
const sumAgainMs = 50

/** An operation that stalled for too long lost its entry. */
const auditAccount = async ({ store, clock, log }: Deps, id: string, signal: AbortSignal): Promise<void> => {
  for (let left = sumTries; left > 0 && !signal.aborted; left -= 1) {
    const result = await store.sumAccount(id)
    if (result.outcome === 'counted' && result.off > 0)
      log.warn({ accountId: id, off: result.off }, 'account counters corrected')
    if (result.outcome !== 'busy') return
    await clock.delay(sumAgainMs, signal)
  }
}

const pageSize = 100
/** A cursor holds the kind and the last id of the previous range. */
const kinds = ['namespaces', 'accounts'] as const

/**
 * Audits one range for `runTask`: namespaces, then accounts. A failed one is logged and does not block the next; after
 * three failures in a row, the range rejects.
 */
export const auditRange =
  (deps: Deps, observe: (audited: { readonly removed: number }) => void = () => undefined) =>
  async (cursor: string | null, signal: AbortSignal): Promise<string | null> => {
    const { store, clock, log } = deps
    const audit = auditNamespace(deps)
    const count = countContent(deps)
    const [kind = '', after = ''] = cursor?.split(' ') ?? [kinds[0]]
    const pass = oneByOne()
    const run = (id: string, work: () => Promise<unknown>): Promise<void> =>
      pass.run(async () => {
        try {
          await work()
        } catch (error) {
          log.warn({ err: error, id }, 'audit failed')
          throw error
        }
      })
    const page = kind === 'accounts' ? await store.accounts.page({ after, limit: pageSize }) : []
    for (const { id } of page) await run(id, () => auditAccount(deps, id, signal))
    const namespaces = kind === 'namespaces' ? await store.namespaces.page({ after, limit: pageSize }) : []
    for (const namespace of namespaces) {
      if (signal.aborted) break
      if (namespace.state !== 'active') continue
      await run(namespace.id, async () => {
        const removed = await audit(namespace, signal)
        const off = await count(namespace.id, signal)
        if (removed > 0) log.warn({ namespaceId: namespace.id, removed }, 'dead points removed')
        if (off) log.warn({ namespaceId: namespace.id, off }, 'item count corrected')
        observe({ removed })
      })
      await clock.delay(pauseMs, signal)
    }
    const read = [...page, ...namespaces]
    const last = read.at(-1)
    if (last && read.length === pageSize) return `${kind} ${last.id}`
    return kind === 'namespaces' ? 'accounts ' : null
  }

export const auditAll =
  (deps: Deps) =>
  async (signal: AbortSignal): Promise<{ readonly namespaces: number; readonly removed: number }> => {
    let [namespaces, removed] = [0, 0]
    const range = auditRange(deps, (audited) => {
      namespaces += 1
      removed += audited.removed
    })
    for (let cursor: string | null = null; !signal.aborted; ) {
      cursor = await range(cursor, signal)
      if (cursor === null) break
    }
    return { namespaces, removed }
  }

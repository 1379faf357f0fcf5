import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/ports/clock/port'
import { type Chunk, type Item, isDead, isDeadFileVersion, type Namespace } from '@cairn/ports/metadata/records'
import { filesOf } from '@cairn/runtime/files-of'
import { pointsOf } from '@cairn/runtime/index-items'
import type { Steps } from '@cairn/runtime/jobs'
import type { Logger } from '@cairn/runtime/logger'
import { retryUnavailable } from '@cairn/runtime/retry'
import { spaceOf } from '@cairn/runtime/space-of'
import type { IndexDeps } from './deps.ts'
import { embedItems } from './embed-items.ts'

export type RebuildDeps = Omit<IndexDeps, 'clock'> & { readonly clock: Clock; readonly log: Pick<Logger, 'info' | 'warn'> }

/** What was written. `skipped` namespaces are those of a model this process does not have, or being deleted. */
export type Rebuilt = { readonly namespaces: number; readonly items: number; readonly points: number; readonly skipped: readonly string[] }

const itemsAtOnce = 25
const namespacesAtOnce = 100

/** An item as search has it: the indexed body under the indexed version. */
const asIndexed = (item: Item): Item[] =>
  item.indexed ? [{ ...item, version: item.indexed.version, body: item.indexed.body ?? item.body }] : []

/**
 * Writes the points of everything that is indexed anew, from the items alone: for an index that was emptied or lost. It may run
 * while the services do, and may be repeated: points have the same addresses, and those of a version that died meanwhile are
 * removed again. Points that should not be there are the audit's work.
 */
export const rebuildIndex =
  ({ metadata, vectors, embedders, clock, log }: RebuildDeps) =>
  async (only: readonly string[] = []): Promise<Rebuilt> => {
    const steps: Steps = { step: (_name, call) => retryUnavailable(clock, () => call(new AbortController().signal)) }
    const skipped: string[] = []
    const met = new Set<string>()
    let [namespaces, items, points] = [0, 0, 0]

    const rebuild = async (namespace: Namespace, page: readonly Item[]) => {
      const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
      const space = spaceOf(namespace)
      const indexed = page.flatMap(asIndexed)
      if (indexed.length === 0) return
      const entries = await embedItems(steps, indexed, embedder)
      const written = entries.flatMap(pointsOf)
      await steps.step('index', () => vectors.upsert(space, written))
      // What was overwritten or deleted since it was read has dead points again, of our own making.
      const heads = new Map(
        (
          await steps.step('read', () =>
            metadata.items.heads(
              namespace.id,
              indexed.map(({ id }) => id),
            ),
          )
        ).map((head) => [head.id, head]),
      )
      for (const { id: itemId, version } of indexed) {
        if (isDead(heads.get(itemId), version)) {
          await steps.step('index', () => vectors.removeVersion(space, { namespaceId: namespace.id, itemId, version }))
        }
      }
      items += indexed.length
      points += written.length
    }

    /** Chunks of files as they are seen; those that are being read are written by the reading. */
    const rebuildChunks = async (namespace: Namespace, page: readonly Chunk[]) => {
      const space = spaceOf(namespace)
      const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
      const readFiles = () => steps.step('read', () => filesOf(metadata, page))
      const before = await readFiles()
      const seen = page.filter(({ fileId, version }) => before.get(fileId)?.live?.version === version)
      if (seen.length === 0) return
      const asItems = seen.map(({ namespaceId, itemId: id, version, body }) => ({ namespaceId, id, version, body }))
      const written = (await embedItems(steps, asItems, embedder)).flatMap(pointsOf)
      await steps.step('index', () => vectors.upsert(space, written))
      const after = await readFiles()
      for (const { fileId, itemId, version } of seen) {
        if (isDeadFileVersion(after.get(fileId), version))
          await steps.step('index', () => vectors.removeVersion(space, { namespaceId: namespace.id, itemId, version }))
      }
      items += seen.length
      points += written.length
    }

    const rebuildAll = async (namespace: Namespace) => {
      const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
      await embedder?.settled()
      if (namespace.state !== 'active' || (namespace.embedding && embedder?.status().state !== 'ready')) {
        skipped.push(namespace.id)
        log.warn({ namespace: namespace.id, state: namespace.state }, 'namespace left out')
        return
      }
      await steps.step('ensure', () => vectors.ensure(spaceOf(namespace)))
      for (let after = ''; ; ) {
        const page = await steps.step('read', () =>
          metadata.items.page(namespace.id, { limit: itemsAtOnce, ...(after === '' ? {} : { after }) }),
        )
        await rebuild(namespace, page)
        const last = page.at(-1)
        if (!last || page.length < itemsAtOnce) break
        after = last.id
      }
      for (let after = ''; ; ) {
        const page = await steps.step('read', () => metadata.chunks.page(namespace.id, { after, limit: itemsAtOnce }))
        await rebuildChunks(namespace, page)
        const last = page.at(-1)
        if (!last || page.length < itemsAtOnce) break
        after = last.itemId
      }
      namespaces += 1
      log.info({ namespace: namespace.id, items, points }, 'namespace rebuilt')
    }

    for (let after = ''; ; ) {
      const page = await steps.step('read', () => metadata.namespaces.page({ limit: namespacesAtOnce, ...(after === '' ? {} : { after }) }))
      for (const namespace of page) {
        if (only.length > 0 && !only.includes(namespace.id)) continue
        met.add(namespace.id)
        await rebuildAll(namespace)
      }
      const last = page.at(-1)
      if (!last || page.length < namespacesAtOnce) break
      after = last.id
    }
    const missing = only.filter((id) => !met.has(id))
    if (missing.length > 0)
      throw new AppError('notFound', `There is no namespace of the id ${missing.join(', ')}; ids, not names, are asked for.`)
    return { namespaces, items, points, skipped }
  }

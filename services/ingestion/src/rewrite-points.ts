import { embeddingSpaceOf } from '@cairn/domain/embedding-space'
import { type IndexedPassage, pointsOf } from '@cairn/domain/index-items'
import type { JobSteps } from '@cairn/domain/job-run'
import { type Chunk, type Item, isDead, isDeadFileVersion, type Namespace } from '@cairn/ports/metadata/records'
import { filesOf } from '@cairn/runtime/files-of'
import type { IndexDeps } from './deps.ts'
import { embedItems } from './embed-items.ts'

/** Numbers of rewritten items and of their points. */
export type Rewritten = { readonly items: number; readonly points: number }

const nothing: Rewritten = { items: 0, points: 0 }

/** Returns an item in the form that search uses: the indexed body under the indexed version. */
const asIndexed = (item: Item): Item[] =>
  item.indexed ? [{ ...item, version: item.indexed.version, body: item.indexed.body ?? item.body }] : []

/**
 * Writes the points of indexed items again, from the bodies in the metadata store. Statuses don't change. May run
 * beside the services and may be repeated: points have the same addresses, and those of a version that died meanwhile
 * are removed again.
 */
export const rewritePoints = ({ metadata, vectors, embedders }: Omit<IndexDeps, 'clock'>, steps: JobSteps) => {
  const embedderOf = ({ embedding }: Namespace) => (embedding ? embedders.of(embedding) : undefined)

  const ofItems = async (namespace: Namespace, items: readonly Item[]): Promise<Rewritten> => {
    const { id: namespaceId } = namespace
    const space = embeddingSpaceOf(namespace)
    const indexed = items.flatMap(asIndexed)
    if (indexed.length === 0) return nothing
    const entries = await embedItems(steps, indexed, embedderOf(namespace))
    const written = entries.flatMap((entry) => pointsOf(entry, namespace.language))
    await steps.step('index', () => vectors.upsert(space, written))
    // Items overwritten or deleted since they were read have dead points again, just written here.
    const ids = indexed.map(({ id }) => id)
    const states = new Map(
      (await steps.step('read', () => metadata.items.latestStates(namespaceId, ids))).map((current) => [
        current.id,
        current,
      ]),
    )
    const dead = indexed
      .filter(({ id, version }) => isDead(states.get(id), version))
      .map(({ id, version }) => ({ namespaceId, itemId: id, version }))
    await steps.step('index', () => vectors.removeVersions(space, dead))
    await recordPassages(namespace, entries)
    return { items: indexed.length, points: written.length }
  }

  /**
   * Records the number of passages. With another model or limit there may be fewer passages than recorded, and each
   * audit would report the others as missing.
   */
  const recordPassages = async (
    namespace: Namespace,
    entries: readonly { readonly item: Item; readonly passages: readonly IndexedPassage[] }[],
  ): Promise<void> => {
    for (const { item, passages } of entries) {
      const { id: itemId, namespaceId, version, indexed } = item
      const { length: fromPassage } = passages
      if (indexed?.passages === fromPassage) continue
      await steps.step('mark', () =>
        metadata.indexAudit.setPassages(namespaceId, itemId, { version, passages: fromPassage }),
      )
      await steps.step('index', () =>
        vectors.removeVersions(embeddingSpaceOf(namespace), [{ namespaceId, itemId, version, fromPassage }]),
      )
    }
  }

  /** Rewrites published chunks. The job of a file that is being processed writes its other chunks. */
  const ofChunks = async (namespace: Namespace, chunks: readonly Chunk[]): Promise<Rewritten> => {
    const { id: namespaceId } = namespace
    const space = embeddingSpaceOf(namespace)
    const readFiles = () => steps.step('read', () => filesOf(metadata, chunks))
    const before = await readFiles()
    const published = chunks.filter(({ fileId, version }) => before.get(fileId)?.live?.version === version)
    if (published.length === 0) return nothing
    const asItems = published.map(({ itemId: id, version, body }) => ({ namespaceId, id, version, body }))
    const entries = await embedItems(steps, asItems, embedderOf(namespace))
    const written = entries.flatMap((entry) => pointsOf(entry, namespace.language))
    await steps.step('index', () => vectors.upsert(space, written))
    const after = await readFiles()
    const dead = published
      .filter(({ fileId, version }) => isDeadFileVersion(after.get(fileId), version))
      .map(({ itemId, version }) => ({ namespaceId, itemId, version }))
    await steps.step('index', () => vectors.removeVersions(space, dead))
    for (const [index, { itemId, version, passages }] of published.entries()) {
      const fromPassage = entries[index]?.passages.length ?? 0
      if (passages === fromPassage) continue
      await steps.step('mark', () => metadata.chunks.markIndexed(version, [{ itemId, passages: fromPassage }]))
      await steps.step('index', () => vectors.removeVersions(space, [{ namespaceId, itemId, version, fromPassage }]))
    }
    return { items: published.length, points: written.length }
  }

  return { ofItems, ofChunks }
}

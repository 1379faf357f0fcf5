import { type Chunk, isDeadFileVersion } from '@cairn/domain/files/record'
import { type Item, isDead, type Passages } from '@cairn/domain/items/record'
import { type Indexable, type IndexedPassage, writePoints } from '@cairn/domain/items/write-points'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf, withPassages } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { fileIdsOf } from '@cairn/runtime/jobs/files-of'
import type { IndexDeps } from './deps.ts'
import type { Target } from './embed-for-spaces.ts'
import { embedItems, type KnownVectors } from './embed-items.ts'

export type Rewritten = { readonly items: number; readonly points: number }

const nothing: Rewritten = { items: 0, points: 0 }

const isSame = (a: Passages, b: Passages): boolean =>
  a.passages === b.passages && a.second?.space === b.second?.space && a.second?.passages === b.second?.passages

/** Returns the indexed body under the indexed version; nothing if the item is not indexed. */
const asIndexed = (item: Item): Item[] =>
  item.indexed ? [{ ...item, version: item.indexed.version, body: item.indexed.body ?? item.body }] : []

/**
 * Writes the points of indexed content from the record store; statuses don't change. May run while the services run,
 * and be repeated: points keep their addresses, and those of a version that died in the meantime are removed again.
 * `known`: looked up before texts are embedded; absent: all are embedded.
 */
export const rewritePoints = (
  { store, vectors, embedders, textWorker }: Omit<IndexDeps, 'clock'>,
  steps: JobSteps,
  known?: KnownVectors,
) => {
  const embed = <I extends Indexable>(items: readonly I[], embedder: Embedder | undefined) =>
    embedItems(steps, items, { embedder, textWorker }, known)

  const searched = (namespace: Namespace): Target => ({
    space: embeddingSpaceOf(namespace),
    embedder: namespace.embedding ? embedders.of(namespace.embedding) : undefined,
  })

  const ofItems = async (
    namespace: Namespace,
    items: readonly Item[],
    { space, embedder }: Target = searched(namespace),
  ): Promise<Rewritten> => {
    const { id: namespaceId } = namespace
    const indexed = items.flatMap(asIndexed)
    if (indexed.length === 0) return nothing
    const entries = await embed(indexed, embedder)
    const points = await writePoints({ vectors, textWorker }, steps, { space, entries }, namespace.language)
    // The upsert has also written points of items overwritten or deleted since they were read.
    const ids = indexed.map(({ id }) => id)
    const states = new Map(
      (await steps.step('read', () => store.items.latestStates(namespaceId, ids))).map((current) => [
        current.id,
        current,
      ]),
    )
    const dead = indexed
      .filter(({ id, version }) => isDead(states.get(id), version))
      .map(({ id, version }) => ({ namespaceId, itemId: id, version }))
    await steps.step('index', () => vectors.removeVersions(space, dead))
    await recordPassages(namespace, space, entries)
    return { items: indexed.length, points }
  }

  /** Another model or limit may yield fewer passages: each audit would report the difference as missing. */
  const recordPassages = async (
    namespace: Namespace,
    space: EmbeddingSpace,
    entries: readonly { readonly item: Item; readonly passages: readonly IndexedPassage[] }[],
  ): Promise<void> => {
    for (const { item, passages } of entries) {
      const { id: itemId, namespaceId, version, indexed } = item
      const { length: fromPassage } = passages
      if (!indexed) continue
      const recorded = withPassages(indexed, embeddingSpaceOf(namespace), space, fromPassage)
      if (isSame(indexed, recorded)) continue
      await steps.step('mark', () => store.indexAudit.setPassages(namespaceId, itemId, { version, ...recorded }))
      await steps.step('index', () => vectors.removeVersions(space, [{ namespaceId, itemId, version, fromPassage }]))
    }
  }

  /** Leaves out dead file versions, and chunks not indexed yet, which jobs write. */
  const ofChunks = async (
    namespace: Namespace,
    chunks: readonly Chunk[],
    { space, embedder }: Target = searched(namespace),
  ): Promise<Rewritten> => {
    const { id: namespaceId } = namespace
    const readFiles = async () => {
      const states = await steps.step('read', () => store.files.latestStates(fileIdsOf(chunks)))
      return new Map(states.map((file) => [file.id, file]))
    }
    const before = await readFiles()
    const alive = chunks.flatMap(({ passages, ...chunk }) =>
      passages === null || isDeadFileVersion(before.get(chunk.fileId), chunk.version) ? [] : [{ ...chunk, passages }],
    )
    if (alive.length === 0) return nothing
    const asItems = alive.map(({ itemId: id, version, body }) => ({ namespaceId, id, version, body }))
    const entries = await embed(asItems, embedder)
    const points = await writePoints({ vectors, textWorker }, steps, { space, entries }, namespace.language)
    const after = await readFiles()
    const dead = alive
      .filter(({ fileId, version }) => isDeadFileVersion(after.get(fileId), version))
      .map(({ itemId, version }) => ({ namespaceId, itemId, version }))
    await steps.step('index', () => vectors.removeVersions(space, dead))
    for (const [index, chunk] of alive.entries()) {
      const { itemId, version } = chunk
      const fromPassage = entries[index]?.passages.length ?? 0
      const { passages, second } = chunk
      const former = { passages, ...(second && { second }) }
      const recorded = withPassages(former, embeddingSpaceOf(namespace), space, fromPassage)
      if (isSame(former, recorded)) continue
      await steps.step('mark', () => store.chunks.markIndexed(version, [{ itemId, ...recorded }]))
      await steps.step('index', () => vectors.removeVersions(space, [{ namespaceId, itemId, version, fromPassage }]))
    }
    return { items: alive.length, points }
  }

  return { ofItems, ofChunks }
}

import { type Chunk, isDeadFileVersion } from '@cairn/domain/files/record'
import { type Item, isDead, type Passages } from '@cairn/domain/items/record'
import { type Indexable, type IndexedPassage, writePoints } from '@cairn/domain/items/write-points'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf, withPassages } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
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

type RewriteDeps = Omit<IndexDeps, 'clock'>

/**
 * Writes the points of indexed content from the record store; statuses don't change. May run while the services run,
 * and be repeated: points keep their addresses, and those of a version that died in the meantime are removed again.
 */
export class PointRewriter {
  readonly #deps: RewriteDeps
  readonly #steps: JobSteps
  readonly #known: KnownVectors | undefined

  /** `known`: looked up before texts are embedded; absent: all are embedded. */
  constructor(deps: RewriteDeps, steps: JobSteps, known?: KnownVectors) {
    this.#deps = deps
    this.#steps = steps
    this.#known = known
  }

  async ofItems(
    namespace: Namespace,
    items: readonly Item[],
    target: Target = this.#searched(namespace),
  ): Promise<Rewritten> {
    const { store } = this.#deps
    const indexed = items.flatMap(asIndexed)
    if (indexed.length === 0) return nothing
    const { entries, points } = await this.#write(namespace, indexed, target)
    // The upsert has also written points of items overwritten or deleted since they were read.
    const ids = indexed.map(({ id }) => id)
    const states = await this.#steps.step('read', () => store.items.latestStates(namespace.id, ids))
    const current = new Map(states.map((item) => [item.id, item]))
    await this.#remove(
      target.space,
      indexed.filter(({ id, version }) => isDead(current.get(id), version)),
    )
    for (const { item, passages } of entries) {
      const { id, namespaceId, version, indexed: former } = item
      if (former)
        await this.#record(namespace, target.space, { item, passages, former }, (recorded) =>
          store.indexAudit.setPassages(namespaceId, id, { version, ...recorded }),
        )
    }
    return { items: indexed.length, points }
  }

  /** Leaves out dead file versions, and chunks not indexed yet, which jobs write. */
  async ofChunks(
    namespace: Namespace,
    chunks: readonly Chunk[],
    target: Target = this.#searched(namespace),
  ): Promise<Rewritten> {
    const before = await this.#filesOf(chunks)
    const alive = chunks.flatMap(({ itemId: id, namespaceId, fileId, version, body, passages, second }) =>
      passages === null || isDeadFileVersion(before.get(fileId), version)
        ? []
        : [{ namespaceId, id, fileId, version, body, former: { passages, ...(second && { second }) } }],
    )
    if (alive.length === 0) return nothing
    const { entries, points } = await this.#write(namespace, alive, target)
    const after = await this.#filesOf(chunks)
    await this.#remove(
      target.space,
      alive.filter(({ fileId, version }) => isDeadFileVersion(after.get(fileId), version)),
    )
    for (const { item, passages } of entries)
      await this.#record(namespace, target.space, { item, passages, former: item.former }, (recorded) =>
        this.#deps.store.chunks.markIndexed(item.version, [{ itemId: item.id, ...recorded }]),
      )
    return { items: alive.length, points }
  }

  #searched(namespace: Namespace): Target {
    const { embedding } = namespace
    return { space: embeddingSpaceOf(namespace), embedder: embedding ? this.#deps.embedders.of(embedding) : undefined }
  }

  async #write<I extends Indexable>(namespace: Namespace, items: readonly I[], { space, embedder }: Target) {
    const { vectors, textWorker } = this.#deps
    const entries = await embedItems(this.#steps, items, { embedder, textWorker }, this.#known)
    const points = await writePoints({ vectors, textWorker }, this.#steps, { space, entries }, namespace.language)
    return { entries, points }
  }

  async #filesOf(chunks: readonly Chunk[]) {
    const states = await this.#steps.step('read', () => this.#deps.store.files.latestStates(fileIdsOf(chunks)))
    return new Map(states.map((file) => [file.id, file]))
  }

  async #remove(space: EmbeddingSpace, dead: readonly Indexable[]): Promise<void> {
    const versions = dead.map(({ namespaceId, id: itemId, version }) => ({ namespaceId, itemId, version }))
    await this.#steps.step('index', () => this.#deps.vectors.removeVersions(space, versions))
  }

  /** Another model or limit may yield fewer passages: each audit would report the difference as missing. */
  async #record(
    namespace: Namespace,
    space: EmbeddingSpace,
    written: { readonly item: Indexable; readonly passages: readonly IndexedPassage[]; readonly former: Passages },
    mark: (recorded: Passages) => Promise<unknown>,
  ): Promise<void> {
    const { item, passages, former } = written
    const { namespaceId, id: itemId, version } = item
    const { length: fromPassage } = passages
    const recorded = withPassages(former, embeddingSpaceOf(namespace), space, fromPassage)
    if (isSame(former, recorded)) return
    await this.#steps.step('mark', () => mark(recorded))
    const rest = [{ namespaceId, itemId, version, fromPassage }]
    await this.#steps.step('index', () => this.#deps.vectors.removeVersions(space, rest))
  }
}

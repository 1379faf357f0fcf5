import { slices } from '@cairn/contracts/flow/slices'
import type { Chunk } from '@cairn/domain/files/record'
import type { Item, Passages } from '@cairn/domain/items/record'
import { classify } from '@cairn/domain/jobs/job-error'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf, passagesIn, withPassages } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { EmbeddingSpace, ItemVersion, PointAddress } from '@cairn/domain/ports/vector-index'
import type { IndexDeps } from './deps.ts'
import { type Target, targetsOf } from './embed-for-spaces.ts'
import { PointRewriter } from './rewrite-points.ts'

/** `rejected`: only the model of this space rejects these items or chunks. */
export type Filled = { readonly written: number; readonly rejected: number }

type Source<S> = { readonly source: S; readonly version: ItemVersion; readonly recorded: Passages }

/** For one kind of source; `record`: a rejected one. */
type Writer<S> = {
  readonly write: (sources: readonly S[], target: Target) => Promise<unknown>
  readonly record: (version: ItemVersion, recorded: Passages) => Promise<void>
}

const rewrittenAtOnce = 25

/** Returns the passages recorded for a space, else undefined. After a flip, the other count is the former model's. */
const recordedIn = (namespace: Namespace, space: EmbeddingSpace, recorded: Passages): number | undefined => {
  const searched = embeddingSpaceOf(namespace).key
  const isKnown =
    space.key === searched ||
    recorded.second?.space === space.key ||
    (namespace.reindex?.flippedAt != null && recorded.second?.space === searched)
  const count = isKnown ? passagesIn(recorded, space) : undefined
  // An earlier reindex to this model may have rejected what the model accepts now.
  return count === 0 && space.key !== searched && namespace.reindex?.phase === 'filling' ? undefined : count
}

const keyOf = ({ itemId, version }: Pick<ItemVersion, 'itemId' | 'version'>): string => `${version} ${itemId}`

/** Writes points to the spaces that lack them. Items that a model rejects are recorded as having no passages. */
export class SpaceFiller {
  readonly #deps: Omit<IndexDeps, 'clock'>
  readonly #steps: JobSteps
  readonly #rewriter: PointRewriter

  constructor(deps: Omit<IndexDeps, 'clock'>, steps: JobSteps) {
    this.#deps = deps
    this.#steps = steps
    this.#rewriter = new PointRewriter(deps, steps)
  }

  /** Leaves out items without an indexed version. Default: all spaces that writers fill. */
  ofItems(
    namespace: Namespace,
    items: readonly Item[],
    targets = targetsOf(namespace, this.#deps.embedders),
  ): Promise<Filled> {
    const sources = items.flatMap((source) => {
      const { id: itemId, namespaceId, indexed } = source
      return indexed ? [{ source, version: { namespaceId, itemId, version: indexed.version }, recorded: indexed }] : []
    })
    return this.#fill(namespace, targets, sources, {
      write: (some, target) => this.#rewriter.ofItems(namespace, some, target),
      record: ({ namespaceId, itemId, version }, { passages, second }) =>
        this.#steps.step('mark', () =>
          this.#deps.store.indexAudit.setPassages(namespaceId, itemId, {
            version,
            passages,
            ...(second && { second }),
          }),
        ),
    })
  }

  /** Leaves out chunks without points. */
  ofChunks(
    namespace: Namespace,
    chunks: readonly Chunk[],
    targets = targetsOf(namespace, this.#deps.embedders),
  ): Promise<Filled> {
    const sources = chunks.flatMap((source) => {
      const { itemId, namespaceId, version, passages, second } = source
      return passages === null
        ? []
        : [{ source, version: { namespaceId, itemId, version }, recorded: { passages, ...(second && { second }) } }]
    })
    return this.#fill(namespace, targets, sources, {
      write: (some, target) => this.#rewriter.ofChunks(namespace, some, target),
      record: ({ itemId, version }, recorded) =>
        this.#steps.step('mark', () => this.#deps.store.chunks.markIndexed(version, [{ itemId, ...recorded }])),
    })
  }

  async #fill<S>(
    namespace: Namespace,
    targets: readonly Target[],
    sources: readonly Source<S>[],
    writer: Writer<S>,
  ): Promise<Filled> {
    let [written, rejected] = [0, 0]
    for (const target of targets) {
      const filled = await this.#fillSpace(namespace, target, sources, writer)
      written += filled.written
      rejected += filled.rejected
    }
    return { written, rejected }
  }

  async #fillSpace<S>(
    namespace: Namespace,
    target: Target,
    sources: readonly Source<S>[],
    { write, record }: Writer<S>,
  ): Promise<Filled> {
    const { space } = target
    const searched = embeddingSpaceOf(namespace)
    const isFound = ({ recorded }: Source<S>) => space.key !== searched.key && passagesIn(recorded, searched) > 0
    let rejected = sources.filter(
      (source) => isFound(source) && recordedIn(namespace, space, source.recorded) === 0,
    ).length
    let written = 0
    const writeAccepted = async (some: readonly Source<S>[]): Promise<void> => {
      try {
        await write(
          some.map(({ source }) => source),
          target,
        )
        written += some.length
        return
      } catch (error) {
        if (classify(error).kind !== 'permanent') throw error
      }
      const [only] = some
      if (some.length > 1) for (const one of some) await writeAccepted([one])
      else if (only) {
        await record(only.version, withPassages(only.recorded, searched, space, 0))
        if (isFound(only)) rejected += 1
      }
    }
    const lacking = await this.#lackingOf(namespace, space, sources)
    for (const some of slices(lacking, rewrittenAtOnce)) await writeAccepted(some)
    return { written, rejected }
  }

  async #lackingOf<S>(namespace: Namespace, space: EmbeddingSpace, sources: readonly Source<S>[]) {
    const addresses = sources.flatMap(({ version, recorded }) =>
      Array.from(
        { length: recordedIn(namespace, space, recorded) ?? 0 },
        (_, passage): PointAddress => ({ ...version, passage }),
      ),
    )
    const found = await this.#steps.step('index', () => this.#deps.vectors.missing(space, addresses))
    const missing = new Set(found.map(keyOf))
    return sources.filter(
      ({ version, recorded }) => recordedIn(namespace, space, recorded) === undefined || missing.has(keyOf(version)),
    )
  }
}

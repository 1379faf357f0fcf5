import { bestOfBoth } from '@cairn/adapters/vector-index/best-of-both'
import { lengthOf, scoreWords, type Words, wordsFrom } from '@cairn/adapters/vector-index/bm25'
import { compareText } from '@cairn/domain/items/documents'
import type {
  EmbeddingSpace,
  ItemVersion,
  Point,
  PointAddress,
  PointFilter,
  VectorHit,
  VectorIndex,
  WordHit,
} from '@cairn/domain/ports/vector-index'
import { type EngineCallOptions, engineCall } from './faults.ts'
import type { Actor } from './scheduler.ts'

export type Vectors = {
  /** The index without turns and faults, for the checker. */
  readonly bare: VectorIndex
  /** Whether such a point exists in any embedding space. */
  has(address: PointAddress): boolean
  /** Returns the index as seen by one actor. */
  connect(actor: Actor): VectorIndex
}

const keyOf = ({ namespaceId, itemId, version, passage }: PointAddress): string =>
  `${namespaceId} ${itemId} ${version} ${passage}`

const compareAddresses = (a: PointAddress, b: PointAddress): number =>
  compareText(a.namespaceId, b.namespaceId) ||
  compareText(a.itemId, b.itemId) ||
  compareText(a.version, b.version) ||
  a.passage - b.passage

const passes = (point: Point, filter: PointFilter | undefined): boolean =>
  !filter ||
  (filter.terms.every((term) => point.terms.includes(term)) && filter.words.every((word) => point.words.includes(word)))

const cosine = (a: Float32Array, b: Float32Array): number => {
  let dot = 0
  let left = 0
  let right = 0
  for (let index = 0; index < a.length; index += 1) {
    const [x, y] = [a[index] as number, b[index] as number]
    dot += x * y
    left += x * x
    right += y * y
  }
  return dot / Math.sqrt(left * right)
}

/** Returns the words of a query with the statistics of one namespace's points. */
const wordsOf = (points: readonly Point[], lexemes: Uint32Array): Words => {
  const lengths = points.map((point) => lengthOf(point.lexemes?.counts ?? new Uint8Array()))
  const averageLength = lengths.reduce((sum, length) => sum + length, 1) / points.length
  const having = (lexeme: number) => points.filter((point) => point.lexemes?.ids.includes(lexeme)).length
  return wordsFrom(
    [...lexemes].map((lexeme) => [lexeme, having(lexeme)] as const),
    { points: points.length, averageLength },
  )
}

const addressOf = ({ namespaceId, itemId, version, passage }: PointAddress): PointAddress => ({
  namespaceId,
  itemId,
  version,
  passage,
})

/**
 * Creates an in-memory vector index. Every call is one step, except that `removeVersions` has a step per version and,
 * with `pointTurns`, `upsert` has a step per point.
 */
export const createVectors = (
  options: Omit<EngineCallOptions, 'patienceMs'> & { readonly pointTurns: boolean; readonly onWrite: () => void },
): Vectors => {
  const spaces = new Map<string, Map<string, Point>>()
  const pointsOf = (space: EmbeddingSpace): Map<string, Point> => {
    const points = spaces.get(space.key) ?? new Map<string, Point>()
    spaces.set(space.key, points)
    return points
  }
  const isSameVersion = (one: ItemVersion, { namespaceId, itemId, version }: Point): boolean =>
    one.namespaceId === namespaceId && one.itemId === itemId && one.version === version
  const inNamespaces = (
    space: EmbeddingSpace,
    namespaceIds: readonly string[],
    filter: PointFilter | undefined,
  ): Point[] =>
    [...pointsOf(space).values()].filter((point) => namespaceIds.includes(point.namespaceId) && passes(point, filter))
  const remove = (space: EmbeddingSpace, points: readonly Point[]): number => {
    for (const point of points) pointsOf(space).delete(keyOf(point))
    return points.length
  }

  const bare: VectorIndex = {
    system: 'simulated',
    ensure: async () => undefined,
    upsert: async (space, points) => {
      for (const point of points) pointsOf(space).set(keyOf(point), point)
    },
    search: async (space, { namespaceIds, vector, filter, except = [], limit }) =>
      inNamespaces(space, namespaceIds, filter)
        .filter((point) => !except.some((one) => isSameVersion(one, point)))
        .map((point): VectorHit => ({ ...addressOf(point), score: cosine(point.vector, vector) }))
        .sort((a, b) => b.score - a.score || compareAddresses(a, b))
        .slice(0, limit),
    searchWords: async (space, { namespaceIds, vector, lexemes, filter, except = [], limit }) => {
      const hits = namespaceIds.flatMap((namespaceId) => {
        const words = wordsOf(inNamespaces(space, [namespaceId], undefined), lexemes)
        return inNamespaces(space, [namespaceId], filter)
          .filter((point) => !except.some((one) => isSameVersion(one, point)))
          .map((point): WordHit => {
            const own = point.lexemes && { ...point.lexemes, length: lengthOf(point.lexemes.counts) }
            return {
              ...addressOf(point),
              ...scoreWords(words, own),
              ...(vector ? { cosine: cosine(point.vector, vector) } : {}),
            }
          })
      })
      return bestOfBoth(hits, limit)
    },
    frequencies: async (space, { namespaceIds, lexemes }) => {
      const points = inNamespaces(space, namespaceIds, undefined)
      const has = (lexeme: number) => points.filter((point) => point.lexemes?.ids.includes(lexeme)).length
      return { points: points.length, of: Array.from(lexemes, has) }
    },
    list: async (space, { namespaceIds, filter, after, limit }) =>
      inNamespaces(space, namespaceIds, filter)
        .filter((point) => !after || compareAddresses(point, after) > 0)
        .sort(compareAddresses)
        .slice(0, limit)
        .map(addressOf),
    missing: async (space, addresses) => addresses.filter((address) => !pointsOf(space).has(keyOf(address))),
    vectorsOf: async (space, namespaceId, terms) =>
      terms.map((term) => inNamespaces(space, [namespaceId], { terms: [term], words: [] })[0]?.vector),
    removeVersions: async (space, targets) =>
      remove(
        space,
        [...pointsOf(space).values()].filter((point) =>
          targets.some(
            ({ namespaceId, itemId, version, fromPassage = 0 }) =>
              point.namespaceId === namespaceId &&
              point.itemId === itemId &&
              point.version === version &&
              point.passage >= fromPassage,
          ),
        ),
      ),
    removeNamespace: async (space, namespaceId, limit) =>
      remove(space, inNamespaces(space, [namespaceId], undefined).slice(0, limit)),
    count: async (space, namespaceId) => inNamespaces(space, [namespaceId], undefined).length,
    close: async () => undefined,
  }

  return {
    bare,
    has: (address) => spaces.values().some((points) => points.has(keyOf(address))),
    connect: (actor) => {
      const stepped = <T>(label: string, writes: boolean, work: () => Promise<T>): Promise<T> => {
        const call = engineCall(actor, options)
        return call.answer(call.step(label, writes).then(work))
      }
      return {
        system: bare.system,
        ensure: (space) => stepped('vectors: ensure', false, () => bare.ensure(space)),
        upsert: (space, points) => {
          const call = engineCall(actor, options)
          const work = async () => {
            const slices = options.pointTurns ? points.map((point) => [point]) : [points]
            for (const slice of slices) {
              await call.step(
                `vectors: upsert ${slice.map(({ itemId, version, passage }) => `${itemId}@${version}#${passage}`).join(' ')}`,
                true,
              )
              await bare.upsert(space, slice)
            }
          }
          return call.answer(work())
        },
        search: (space, query) => stepped('vectors: search', false, () => bare.search(space, query)),
        searchWords: (space, query) => stepped('vectors: search words', false, () => bare.searchWords(space, query)),
        frequencies: (space, query) => stepped('vectors: frequencies', false, () => bare.frequencies(space, query)),
        list: (space, listing) => stepped('vectors: list', false, () => bare.list(space, listing)),
        missing: (space, addresses) => stepped('vectors: missing', false, () => bare.missing(space, addresses)),
        vectorsOf: (space, namespaceId, terms) =>
          stepped('vectors: reuse', false, () => bare.vectorsOf(space, namespaceId, terms)),
        removeVersions: async (space, targets) => {
          let removed = 0
          for (const target of targets)
            removed += await stepped(`vectors: remove ${target.itemId}@${target.version}`, true, () => {
              options.onWrite()
              return bare.removeVersions(space, [target])
            })
          return removed
        },
        removeNamespace: (space, namespaceId, limit) =>
          stepped(`vectors: remove of ${namespaceId}`, true, () => bare.removeNamespace(space, namespaceId, limit)),
        count: (space, namespaceId) => stepped('vectors: count', false, () => bare.count(space, namespaceId)),
        close: bare.close,
      }
    },
  }
}

import { AppError, isAppError } from '@cairn/contracts/errors'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { checkDimension } from '../check-input.ts'
import type { Qdrant } from './client.ts'
import { sparseVector } from './points.ts'

/**
 * If at most this number of points pass a filter, Qdrant compares all of them, which is exact and takes about 20 ms at
 * 384 dimensions; otherwise it searches the namespace's graph. Each segment decides by its own estimate, so a search of
 * a whole collection may compare more.
 */
const comparedPoints = 100_000
const bytesPerNumber = 4

/** `int8`: vectors are also kept in memory as bytes, a quarter of the size; the full vectors stay on disk. */
export type Quantization = 'none' | 'int8'

export const int8: Schemas['ScalarQuantization'] = { scalar: { type: 'int8', always_ram: true } }

/** `on_disk`: read through the page cache, like the payload indexes. */
export const sparseParams: Schemas['SparseVectorParams'] = { index: { on_disk: true } }

/** Creates no graph over all points, because every search names namespaces: only they have graphs. */
const paramsOf = ({ dimension }: EmbeddingSpace, quantization: Quantization): Schemas['CreateCollection'] => ({
  vectors: { size: dimension, distance: 'Cosine' },
  sparse_vectors: { [sparseVector]: sparseParams },
  hnsw_config: {
    m: 0,
    payload_m: 16,
    full_scan_threshold: Math.ceil((comparedPoints * dimension * bytesPerNumber) / 1_024),
  },
  on_disk_payload: true,
  ...(quantization === 'int8' ? { quantization_config: int8 } : {}),
})

type PayloadIndex = Schemas['KeywordIndexParams'] | Schemas['IntegerIndexParams'] | Schemas['FloatIndexParams']
export type PayloadIndexes = Readonly<Record<string, PayloadIndex>>

/** Only the index on namespaces is kept in memory; the others are read through the page cache. */
const indexes: PayloadIndexes = {
  namespace_id: { type: 'keyword', is_tenant: true },
  item_id: { type: 'keyword', on_disk: true, enable_hnsw: false },
  item_version: { type: 'keyword', on_disk: true, enable_hnsw: false },
  terms: { type: 'keyword', on_disk: true, enable_hnsw: false },
  words: { type: 'keyword', on_disk: true, enable_hnsw: false },
  order: { type: 'integer', lookup: false, range: true, on_disk: true, enable_hnsw: false },
  lexemes: { type: 'integer', lookup: true, range: false, on_disk: true, enable_hnsw: false },
  'fields[].k': { type: 'keyword', on_disk: true, enable_hnsw: false },
  'fields[].t': { type: 'keyword', on_disk: true, enable_hnsw: false },
  'fields[].n': { type: 'float', on_disk: true, enable_hnsw: false },
  'fields[].d': { type: 'float', on_disk: true, enable_hnsw: false },
}

/** With `wait`, Qdrant responds when the write is applied or when it has stopped waiting. */
export const confirm = ({ status }: Schemas['UpdateResult']): void => {
  if (status !== 'completed')
    throw new AppError('unavailable', `Qdrant has not carried out a write in time (${status})`, {
      retryAfterSeconds: 1,
    })
}

/** AppError `conflict` if Cairn did not create the collection. */
export const dimensionOf = (name: string, { config }: Schemas['CollectionInfo']): number => {
  const vectors = config.params.vectors as Schemas['VectorParams'] | undefined
  if (vectors?.distance !== 'Cosine')
    throw new AppError('conflict', `The collection ${name} of Qdrant was not created by Cairn`)
  return vectors.size
}

/** AppError `conflict` if a field has an index of another type. */
export const missingIndexes = (
  name: string,
  { payload_schema: existing }: Schemas['CollectionInfo'],
  required: PayloadIndexes,
) =>
  Object.entries(required).flatMap(([field_name, field_schema]) => {
    const found = existing[field_name]?.data_type
    if (found === field_schema.type) return []
    if (found !== undefined)
      throw new AppError('conflict', `The collection ${name} of Qdrant has another index on ${field_name}: ${found}`)
    return [{ field_name, field_schema, wait: true }]
  })

/** All collections whose names begin with the prefix. */
export async function* installedCollections({ request }: Pick<Qdrant, 'request'>, prefix: string) {
  const { collections } = await request((client) => client.getCollections())
  for (const { name } of collections)
    if (name.startsWith(prefix)) yield { name, info: await request((client) => client.getCollection(name)) }
}

export const hasSparseVector = ({ config }: Schemas['CollectionInfo']): boolean =>
  config.params.sparse_vectors?.[sparseVector] !== undefined

/** Needs Qdrant 1.18. */
export const addSparseVector = async (request: Qdrant['request'], name: string): Promise<void> =>
  confirm(await request((client) => client.createVectorName(name, sparseVector, { sparse: {} }, { wait: true })))

export class Collections {
  readonly #qdrant: Qdrant
  readonly #prefix: string
  readonly #quantization: Quantization
  readonly #dimensions = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<boolean>>()

  constructor(qdrant: Qdrant, prefix: string, quantization: Quantization) {
    this.#qdrant = qdrant
    this.#prefix = prefix
    this.#quantization = quantization
  }

  /** Returns `nothing` if the collection does not exist. */
  async read<T>(space: EmbeddingSpace, nothing: T, query: (name: string) => Promise<T>): Promise<T> {
    const found = await this.#inCollection(space, false, query)
    return found ? found.answer : nothing
  }

  /** Creates the collection if it is missing, even if it was removed meanwhile. */
  async write(space: EmbeddingSpace, send: (name: string) => Promise<void>): Promise<void> {
    if ((await this.#inCollection(space, true, send)) ?? (await this.#inCollection(space, true, send))) return
    throw new AppError(
      'unavailable',
      `The collection ${this.#nameOf(space)} of Qdrant is removed as soon as it is created`,
      {
        retryAfterSeconds: 1,
      },
    )
  }

  async #describe(name: string): Promise<Schemas['CollectionInfo'] | undefined> {
    try {
      return await this.#qdrant.request((client) => client.getCollection(name))
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined
      throw error
    }
  }

  /** Unless another process has created it meanwhile. */
  async #create(name: string, space: EmbeddingSpace): Promise<void> {
    try {
      await this.#qdrant.request((client) => client.createCollection(name, paramsOf(space, this.#quantization)))
    } catch (error) {
      if ((await this.#describe(name)) === undefined) throw error
    }
  }

  /**
   * Returns whether the collection exists. If it is empty, creates missing indexes and the sparse vector, which takes
   * no time then; in collections with points, `setup` creates them.
   */
  async #complete(name: string): Promise<boolean> {
    const info = await this.#describe(name)
    if (!info) return false
    const dimension = dimensionOf(name, info)
    if (!info.points_count) {
      if (!hasSparseVector(info)) await addSparseVector(this.#qdrant.request, name)
      for (const index of missingIndexes(name, info, indexes))
        confirm(await this.#qdrant.request((client) => client.createPayloadIndex(name, index)))
    }
    this.#dimensions.set(name, dimension)
    return true
  }

  async #completeOrCreate(name: string, space: EmbeddingSpace): Promise<boolean> {
    if (await this.#complete(name)) return true
    await this.#create(name, space)
    return this.#complete(name)
  }

  /** Combines concurrent calls. */
  async #once(what: string, run: () => Promise<boolean>): Promise<boolean> {
    const running = this.#underWay.get(what) ?? run().finally(() => this.#underWay.delete(what))
    this.#underWay.set(what, running)
    return running
  }

  async #ensureCollection(space: EmbeddingSpace, creates: boolean): Promise<boolean> {
    const name = this.#nameOf(space)
    if (!this.#dimensions.has(name)) {
      const found = creates
        ? await this.#once(`create ${name}`, () => this.#completeOrCreate(name, space))
        : await this.#once(name, () => this.#complete(name))
      if (!found) return false
    }
    const dimension = this.#dimensions.get(name)
    if (dimension !== undefined) checkDimension(space, dimension)
    return true
  }

  /** Returns undefined if the collection does not exist, or was removed meanwhile. */
  async #inCollection<T>(
    space: EmbeddingSpace,
    creates: boolean,
    query: (name: string) => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    try {
      return (await this.#ensureCollection(space, creates)) ? { answer: await query(this.#nameOf(space)) } : undefined
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error
      this.#dimensions.delete(this.#nameOf(space))
      return undefined
    }
  }

  #nameOf({ key }: EmbeddingSpace): string {
    return `${this.#prefix}${key}`
  }
}

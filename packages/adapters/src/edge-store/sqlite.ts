import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { groupDigits } from '@cairn/contracts/text/group-digits'
import type { EdgeItem, EdgeState, EdgeStore, StoreShape } from '@cairn/domain/ports/edge-store'
import type { EmbeddingSpace, Point } from '@cairn/domain/ports/vector-index'
import { toUnitQuery } from '../vector-index/check-input.ts'
import type { WriteRequest } from '../vector-index/sqlite/messages.ts'
import { PointSearch } from '../vector-index/sqlite/point-search.ts'
import { PointReads } from '../vector-index/sqlite/reads.ts'
import { createSliceTurns } from '../vector-index/sqlite/time-slices.ts'
import { createVectorCache, type VectorCache } from '../vector-index/sqlite/vector-cache.ts'
import { PointWrites, type Written } from '../vector-index/sqlite/writes.ts'
import { packPoints } from '../vector-index/sqlite.ts'
import { openStoreFile, storeFailure } from './sqlite-file.ts'

export type SqliteEdgeStoreOptions = {
  /** Created with its folder if missing. Only one process at a time may open it. */
  readonly file: string
  /** Default 10,000. */
  readonly maxItems?: number
  /** Time to wait for a file that another process uses. Default 5,000. */
  readonly waitMs?: number
}

/** Holds all items, each as a point with one passage. */
const namespaceId = 'edge'
const version = '1'
const embeddingSpaceOf = ({ dimension }: StoreShape): EmbeddingSpace => ({ key: `edge-${dimension}`, dimension })

/** Enough for the codes of a million items of 1,536 dimensions. */
const memoryBytes = 1_000_000_000
/** Milliseconds after which a search yields to other work. */
const turns = createSliceTurns(5)
const newSlices = () => turns('')

const conflict = (message: string, body = {}) => new AppError('conflict', message, { body })

const checkShape = (stored: StoreShape, sent: StoreShape): void => {
  if (sent.mode !== stored.mode)
    throw conflict(
      `This is a ${stored.mode} store, and ${sent.mode} items do not mix with it; empty it first with DELETE /store`,
    )
  if (sent.embeddingModel !== stored.embeddingModel)
    throw conflict(
      `This store was filled with the embedding model "${stored.embeddingModel}"; vectors of another can't be compared with its own`,
    )
  if (sent.dimension !== stored.dimension)
    throw new AppError('invalid', `This store has vectors of ${stored.dimension} dimensions, not ${sent.dimension}`)
}

const statementsOf = (db: DatabaseSync) => ({
  shape: db.prepare('SELECT mode, dimension, model AS embeddingModel FROM edge_shape'),
  setShape: db.prepare('INSERT INTO edge_shape (only, mode, dimension, model) VALUES (1, ?, ?, ?)'),
  dropShape: db.prepare('DELETE FROM edge_shape'),
  count: db.prepare('SELECT count(*) AS items FROM edge_items'),
  put: db.prepare(
    'INSERT INTO edge_items (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
  ),
  find: db.prepare('SELECT text FROM edge_items WHERE id = ?'),
  texts: db.prepare('SELECT text FROM edge_items ORDER BY position'),
  drop: db.prepare('DELETE FROM edge_items WHERE id = ?'),
  dropAll: db.prepare('DELETE FROM edge_items'),
})

const toPoint = ({ id: itemId, vector }: EdgeItem): Point => ({
  namespaceId,
  itemId,
  version,
  passage: 0,
  vector,
  terms: [],
  words: [],
})

const read = <T>(query: () => T): T => {
  try {
    return query()
  } catch (error) {
    throw storeFailure(error)
  }
}

class SqliteEdgeStore implements EdgeStore {
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #points: PointWrites
  readonly #vectorCache: VectorCache
  readonly #search: PointSearch
  readonly #maxItems: number

  constructor({ file, maxItems = 10_000, waitMs = 5_000 }: SqliteEdgeStoreOptions) {
    this.#db = openStoreFile(file, waitMs)
    this.#sql = statementsOf(this.#db)
    this.#points = new PointWrites(this.#db)
    const reads = new PointReads(this.#db)
    this.#vectorCache = createVectorCache({ reads, memoryBytes, newSlices })
    this.#search = new PointSearch(reads, this.#vectorCache)
    this.#maxItems = maxItems
  }

  async state(): Promise<EdgeState> {
    return read(() => this.#readState())
  }

  async upload(shape: StoreShape, sent: readonly EdgeItem[]): Promise<EdgeState> {
    const items = [...new Map(sent.map((item) => [item.id, item])).values()]
    return this.#write((index) => {
      const stored = this.#readShape()
      if (stored) checkShape(stored, shape)
      this.#checkCapacity(items)
      const space = embeddingSpaceOf(shape)
      if (!stored) this.#sql.setShape.run(shape.mode, shape.dimension, shape.embeddingModel)
      for (const { id, text } of items) this.#sql.put.run(id, text)
      if (items.length > 0) index({ kind: 'upsert', space, points: packPoints(space, items.map(toPoint)) })
      return this.#readState()
    })
  }

  async search({ vector, limit }: Parameters<EdgeStore['search']>[0]): ReturnType<EdgeStore['search']> {
    const shape = read(() => this.#readShape())
    if (!shape) return []
    if (vector.length !== shape.dimension)
      throw new AppError('invalid', `This store has vectors of ${shape.dimension} dimensions, not ${vector.length}`)
    const space = embeddingSpaceOf(shape)
    const request = {
      space,
      namespaceIds: [namespaceId],
      vector: toUnitQuery(space, vector, limit),
      test: { tokens: [], fields: undefined },
      except: [],
      limit,
    }
    try {
      const hits = await this.#search.search({ kind: 'search', owner: undefined, ...request }, newSlices())
      return hits.flatMap(({ itemId: id, score }) => {
        const text = this.#sql.find.get(id)?.['text']
        return text === undefined ? [] : [{ id, text: text as string, score }]
      })
    } catch (error) {
      throw storeFailure(error)
    }
  }

  async texts(): Promise<string[]> {
    return read(() => this.#sql.texts.all().map((row) => row['text'] as string))
  }

  async remove(ids: readonly string[]): ReturnType<EdgeStore['remove']> {
    return this.#write((index) => {
      const shape = this.#readShape()
      const removed: string[] = []
      const absent: string[] = []
      for (const id of new Set(ids)) {
        if (!shape || this.#sql.drop.run(id).changes === 0) absent.push(id)
        else {
          removed.push(id)
          const target = { namespaceId, itemId: id, version, fromPassage: 0 }
          index({ kind: 'removeVersion', space: embeddingSpaceOf(shape), ...target })
        }
      }
      return { removed, absent }
    })
  }

  async clear(): Promise<void> {
    this.#write((index) => {
      const shape = this.#readShape()
      const all = { namespaceId, limit: Number.MAX_SAFE_INTEGER }
      if (shape) index({ kind: 'removeNamespace', space: embeddingSpaceOf(shape), ...all })
      this.#sql.dropAll.run()
      this.#sql.dropShape.run()
    })
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  /** Applies the changes to the index after the commit. */
  #write<T>(change: (written: (request: WriteRequest) => void) => T): T {
    const all: Written[] = []
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      const value = change((request) => void all.push(this.#points.write(request)))
      this.#db.exec('COMMIT')
      for (const { changes = [] } of all) for (const one of changes) this.#vectorCache.apply(one)
      return value
    } catch (error) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw storeFailure(error)
    }
  }

  #readShape(): StoreShape | undefined {
    const row = this.#sql.shape.get() as StoreShape | undefined
    return row && { ...row }
  }

  #readState(): EdgeState {
    return { shape: this.#readShape(), items: this.#sql.count.get()?.['items'] as number, maxItems: this.#maxItems }
  }

  #checkCapacity(items: readonly EdgeItem[]): void {
    const { items: stored, maxItems } = this.#readState()
    const requested = items.filter(({ id }) => !this.#sql.find.get(id)).length
    // Replacing is always allowed, even if the limit was lowered below the number of stored items.
    if (requested === 0 || stored + requested <= maxItems) return
    const counts = `${groupDigits(stored)} of ${groupDigits(maxItems)} items are stored and ${groupDigits(requested)} new ones were sent`
    throw conflict(`The items exceed the store's limit: ${counts}. Nothing of this upload was stored.`, {
      items: stored,
      max_items: maxItems,
      requested_new: requested,
    })
  }
}

/**
 * One SQLite file with the texts and the tables of the embedded vector index. Runs on the calling thread; each write is
 * one transaction (`synchronous=FULL`). Above a thousand items of at least 128 dimensions, a search selects candidates
 * by short codes in memory, then compares their vectors in the file.
 */
export const sqliteEdgeStore = (options: SqliteEdgeStoreOptions): EdgeStore => new SqliteEdgeStore(options)

import { AppError } from '@cairn/contracts/errors'
import { groupDigits } from '@cairn/contracts/text/group-digits'
import type { EdgeItem, EdgeState, EdgeStore, StoreShape } from '@cairn/domain/ports/edge-store'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { toUnitQuery } from '../vector-index/check-input.ts'
import type { WriteRequest } from '../vector-index/sqlite/messages.ts'
import { createPointSearch } from '../vector-index/sqlite/point-search.ts'
import { createPointReads } from '../vector-index/sqlite/reads.ts'
import { createSliceTurns } from '../vector-index/sqlite/time-slices.ts'
import { createVectorCache } from '../vector-index/sqlite/vector-cache.ts'
import { createPointWrites, type Written } from '../vector-index/sqlite/writes.ts'
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

/**
 * One SQLite file with the texts and the tables of the embedded vector index. Runs on the calling thread; each write is
 * one transaction (`synchronous=FULL`). Above a thousand items of at least 128 dimensions, a search selects candidates
 * by short codes in memory, then compares their vectors in the file.
 */
export const sqliteEdgeStore = ({ file, maxItems = 10_000, waitMs = 5_000 }: SqliteEdgeStoreOptions): EdgeStore => {
  const db = openStoreFile(file, waitMs)
  const sql = {
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
  }
  const points = createPointWrites(db)
  const reads = createPointReads(db)

  /** Applies the changes to the index after the commit. */
  const write = <T>(change: (written: (request: WriteRequest) => void) => T): T => {
    const all: Written[] = []
    try {
      db.exec('BEGIN IMMEDIATE')
      const value = change((request) => void all.push(points.write(request)))
      db.exec('COMMIT')
      for (const { changes = [] } of all) for (const one of changes) vectorCache.apply(one)
      return value
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK')
      throw storeFailure(error)
    }
  }
  const read = <T>(query: () => T): T => {
    try {
      return query()
    } catch (error) {
      throw storeFailure(error)
    }
  }
  const vectorCache = createVectorCache({ reads, memoryBytes, newSlices })
  const { search: nearest } = createPointSearch({ reads, vectorCache })
  const readShape = (): StoreShape | undefined => {
    const row = sql.shape.get() as StoreShape | undefined
    return row && { ...row }
  }
  const readState = (): EdgeState => ({ shape: readShape(), items: sql.count.get()?.['items'] as number, maxItems })

  const checkCapacity = (items: readonly EdgeItem[]): void => {
    const { items: stored } = readState()
    const requested = items.filter(({ id }) => !sql.find.get(id)).length
    // Replacing is always allowed, even if the limit was lowered below the number of stored items.
    if (requested === 0 || stored + requested <= maxItems) return
    const counts = `${groupDigits(stored)} of ${groupDigits(maxItems)} items are stored and ${groupDigits(requested)} new ones were sent`
    throw conflict(`The items exceed the store's limit: ${counts}. Nothing of this upload was stored.`, {
      items: stored,
      max_items: maxItems,
      requested_new: requested,
    })
  }

  const pack = (space: EmbeddingSpace, items: readonly EdgeItem[]) =>
    packPoints(
      space,
      items.map(({ id: itemId, vector }) => ({
        namespaceId,
        itemId,
        version,
        passage: 0,
        vector,
        terms: [],
        words: [],
      })),
    )

  return {
    state: async () => read(readState),
    upload: async (shape, sent) => {
      const items = [...new Map(sent.map((item) => [item.id, item])).values()]
      return write((index) => {
        const stored = readShape()
        if (stored) checkShape(stored, shape)
        checkCapacity(items)
        const space = embeddingSpaceOf(shape)
        if (!stored) sql.setShape.run(shape.mode, shape.dimension, shape.embeddingModel)
        for (const { id, text } of items) sql.put.run(id, text)
        if (items.length > 0) index({ kind: 'upsert', space, points: pack(space, items) })
        return readState()
      })
    },
    search: async ({ vector, limit }) => {
      const shape = read(readShape)
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
        const hits = await nearest({ kind: 'search', owner: undefined, ...request }, newSlices())
        return hits.flatMap(({ itemId: id, score }) => {
          const text = sql.find.get(id)?.['text']
          return text === undefined ? [] : [{ id, text: text as string, score }]
        })
      } catch (error) {
        throw storeFailure(error)
      }
    },
    texts: async () => read(() => sql.texts.all().map((row) => row['text'] as string)),
    remove: async (ids) =>
      write((index) => {
        const shape = readShape()
        const removed: string[] = []
        const absent: string[] = []
        for (const id of new Set(ids)) {
          if (!shape || sql.drop.run(id).changes === 0) absent.push(id)
          else {
            removed.push(id)
            index({
              kind: 'removeVersion',
              space: embeddingSpaceOf(shape),
              namespaceId,
              itemId: id,
              version,
              fromPassage: 0,
            })
          }
        }
        return { removed, absent }
      }),

    clear: async () =>
      write((index) => {
        const shape = readShape()
        if (shape)
          index({
            kind: 'removeNamespace',
            space: embeddingSpaceOf(shape),
            namespaceId,
            limit: Number.MAX_SAFE_INTEGER,
          })
        sql.dropAll.run()
        sql.dropShape.run()
      }),

    close: async () => {
      if (db.isOpen) db.close()
    },
  }
}

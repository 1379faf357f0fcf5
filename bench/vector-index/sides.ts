import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { npmEnvironment } from '../../e2e/generators/tools.ts'
import { type Data, type Filter, nearest, type Row } from './data.ts'

/** A way to store vectors and to search them by cosine. */
export type VectorSide = {
  /** Stores the rows of one call; resolves when they are as durable as this side makes them. */
  ingest(rows: readonly Row[]): Promise<void>
  /** Builds and compacts indexes after the last row and before the first search. */
  prepare?(): Promise<void>
  /** Resolves to the ids of the ten nearest rows, best first. */
  search(vector: Float32Array, filter?: Filter): Promise<string[]>
  close(): Promise<void>
}

/** Opens a side that keeps its files in an empty folder. */
export type OpenVectorSide = (data: Data, folder: string) => Promise<VectorSide>

/** Opens Cairn's own index through its port; the figures include the communication with its threads. */
export const openCairn: OpenVectorSide = async ({ dimension }, folder) => {
  const index = sqliteVectorIndex({ file: join(folder, 'vectors.db') })
  const space = { key: `bench-${dimension}`, dimension }
  await index.ensure(space)
  return {
    ingest: (rows) =>
      index.upsert(
        space,
        rows.map(({ id, vector, bucket }) => ({
          namespaceId: 'bench',
          itemId: id,
          version: '1',
          passage: 0,
          vector,
          terms: [`bucket:${bucket}`],
          words: [],
        })),
      ),
    search: async (vector, filter) => {
      const passes = filter ? { filter: { terms: [`bucket:${filter.bucket}`], words: [] } } : {}
      const hits = await index.search(space, { namespaceIds: ['bench'], vector, limit: nearest, ...passes })
      return hits.map(({ itemId }) => itemId)
    },
    close: () => index.close(),
  }
}

/** Minimal types of LanceDB, which is not among the project's dependencies. */
type LanceQuery = {
  distanceType(type: 'cosine'): LanceQuery
  where(predicate: string): LanceQuery
  refineFactor(factor: number): LanceQuery
  select(columns: string[]): LanceQuery
  limit(count: number): LanceQuery
  toArray(): Promise<{ id: string }[]>
}
type LanceTable = {
  add(rows: object[]): Promise<unknown>
  optimize(): Promise<unknown>
  createIndex(column: string, options: { config: unknown }): Promise<void>
  vectorSearch(vector: Float32Array): LanceQuery
}
type Lance = {
  connect(directory: string): Promise<{ createTable(name: string, rows: object[]): Promise<LanceTable>; close(): void }>
  Index: { hnswSq(options: { distanceType: 'cosine' }): unknown; bitmap(): unknown }
}

/** Loads LanceDB, installing it once outside the project. Rejects if the registry can't be reached. */
const loadLance = async (): Promise<Lance> => {
  const folder = await npmEnvironment('lancedb', { '@lancedb/lancedb': '0.33.0', 'apache-arrow': '18.1.0' })
  const path = createRequire(join(folder, 'package.json')).resolve('@lancedb/lancedb')
  return (await import(pathToFileURL(path).href)).default
}

/** Opens LanceDB on disk: rows are appended, then compacted and indexed (IVF_HNSW_SQ) before the first search. */
export const openLance: OpenVectorSide = async (_, folder) => {
  const { connect, Index } = await loadLance()
  const database = await connect(folder)
  let table: LanceTable | undefined
  return {
    ingest: async (rows) => {
      const records = rows.map(({ id, vector, bucket }) => ({ id, vector: Array.from(vector), bucket: `${bucket}` }))
      if (table) await table.add(records)
      else table = await database.createTable('bench', records)
    },
    prepare: async () => {
      await table?.optimize()
      await table?.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) })
      await table?.createIndex('bucket', { config: Index.bitmap() })
    },
    search: async (vector, filter) => {
      // The index stores one byte per dimension: without rereading more whole vectors, its recall is below the row's
      // limit.
      const query = table!
        .vectorSearch(vector)
        .distanceType('cosine')
        .refineFactor(4)
        .select(['id', '_distance'])
        .limit(nearest)
      const found = await (filter ? query.where(`bucket = '${filter.bucket}'`) : query).toArray()
      return found.map(({ id }) => id)
    },
    close: async () => database.close(),
  }
}

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { nearest } from './data.ts'
import type { OpenSide } from './side.ts'

const run = promisify(execFile)

/** Exact: a newer one may lack its build for this machine, and figures are of a version. */
const packages = ['usearch@2.25.3', '@lancedb/lancedb@0.33.0', 'apache-arrow@18.1.0', 'sqlite-vec@0.1.9']

const cache = join(homedir(), '.cache', 'cairn', 'bench-peers')

/** Installs the peers outside the project, about 230 MB, once. Rejects where the registry can't be reached. */
export const installPeers = async (): Promise<void> => {
  if (existsSync(join(cache, 'node_modules', 'sqlite-vec')) && existsSync(join(cache, 'node_modules', 'usearch')))
    return
  await mkdir(cache, { recursive: true })
  await run(
    'npm',
    ['install', '--prefix', cache, '--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', ...packages],
    {
      cwd: cache,
    },
  )
}

const load = async <Module>(name: string): Promise<Module> => {
  await installPeers()
  const path = createRequire(join(cache, 'package.json')).resolve(name)
  const module = (await import(pathToFileURL(path).href)) as { default?: Module } & Module
  return module.default ?? module
}

const temporary = () => mkdtemp(join(tmpdir(), 'cairn-bench-'))

/** The part of each peer that is used here; they are not among the project's dependencies, and neither are their types. */
type Usearch = {
  Index: new (options: {
    metric: string
    dimensions: number
    connectivity: number
  }) => {
    add(key: bigint, vector: Float32Array): void
    search(vector: Float32Array, count: number, threads: number): { keys: BigUint64Array }
  }
}

/** HNSW in memory only: no file, no filter. An upper bound for speed, not a store. */
export const usearch: OpenSide = async ({ dimension }) => {
  const { Index } = await load<Usearch>('usearch')
  const index = new Index({ metric: 'cos', dimensions: dimension, connectivity: 16 })
  const ids: string[] = []
  return {
    name: 'usearch (memory)',
    canFilter: false,
    ingest: async (rows) => {
      for (const { id, vector } of rows) index.add(BigInt(ids.push(id) - 1), vector)
    },
    search: async (vector) => Array.from(index.search(vector, nearest, 0).keys, (key) => ids[Number(key)]!),
    close: async () => undefined,
  }
}

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

/** On disk; appended, then compacted and indexed before the first search. */
export const lancedb: OpenSide = async () => {
  const { connect, Index } = await load<Lance>('@lancedb/lancedb')
  const directory = await temporary()
  const database = await connect(directory)
  let table: LanceTable | undefined
  return {
    name: 'LanceDB (IVF_HNSW_SQ)',
    canFilter: true,
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
      // Its index keeps a byte a number; without reading more whole vectors its recall is below what figures are compared at.
      const query = table!
        .vectorSearch(vector)
        .distanceType('cosine')
        .refineFactor(4)
        .select(['id', '_distance'])
        .limit(nearest)
      const found = await (filter ? query.where(`bucket = '${filter.bucket}'`) : query).toArray()
      return found.map(({ id }) => id)
    },
    close: async () => {
      database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Compares every vector, in C; on disk, with the same durability as ours. Runs on the calling thread. */
export const sqliteVec: OpenSide = async ({ dimension }) => {
  const { getLoadablePath } = await load<{ getLoadablePath(): string }>('sqlite-vec')
  const directory = await temporary()
  const database = new DatabaseSync(join(directory, 'vectors.db'), { allowExtension: true })
  database.loadExtension(getLoadablePath())
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    `CREATE VIRTUAL TABLE vectors USING vec0(id INTEGER PRIMARY KEY, embedding float[${dimension}] distance_metric=cosine, bucket INTEGER)`,
  )
  const insert = database.prepare('INSERT INTO vectors (id, embedding, bucket) VALUES (?, ?, ?)')
  const all = database.prepare('SELECT id FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance')
  const some = database.prepare(
    'SELECT id FROM vectors WHERE embedding MATCH ? AND k = ? AND bucket = ? ORDER BY distance',
  )
  const ids: string[] = []
  return {
    name: 'sqlite-vec (exact)',
    canFilter: true,
    ingest: async (rows) => {
      database.exec('BEGIN')
      // The extension tells integers from floats by their type, and only a BigInt is bound as an integer.
      for (const { id, vector, bucket } of rows) insert.run(BigInt(ids.push(id) - 1), vector, BigInt(bucket))
      database.exec('COMMIT')
    },
    search: async (vector, filter) => {
      const found = filter ? some.all(vector, BigInt(nearest), BigInt(filter.bucket)) : all.all(vector, BigInt(nearest))
      return found.map((row) => ids[Number(row['id'])]!)
    },
    close: async () => {
      database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

import type { Log, Migration } from '../../schema/migrations.ts'
import type { Qdrant } from './client.ts'
import {
  addSparseVector,
  confirm,
  dimensionOf,
  hasSparseVector,
  installedCollections,
  missingIndexes,
  type PayloadIndexes,
} from './collections.ts'

export type QdrantInstallation = { readonly qdrant: Qdrant; readonly prefix: string }

/** Each index is one request, so the client needs a long deadline. */
const createIndexes = async (
  { qdrant, prefix }: QdrantInstallation,
  required: PayloadIndexes,
  log: Log,
): Promise<void> => {
  for await (const { name, info } of installedCollections(qdrant, prefix)) {
    dimensionOf(name, info)
    for (const index of missingIndexes(name, info, required)) {
      log(`${index.field_name} of ${name}`)
      confirm(await qdrant.request((client) => client.createPayloadIndex(name, index)))
    }
  }
}

/** Never changes: later versions extend the list for new collections in `collections.ts`. */
const indexesOf010: PayloadIndexes = {
  namespace_id: { type: 'keyword', is_tenant: true },
  item_id: { type: 'keyword', on_disk: true, enable_hnsw: false },
  item_version: { type: 'keyword', on_disk: true, enable_hnsw: false },
  terms: { type: 'keyword', on_disk: true, enable_hnsw: false },
  words: { type: 'keyword', on_disk: true, enable_hnsw: false },
  order: { type: 'integer', lookup: false, range: true, on_disk: true, enable_hnsw: false },
}

const indexOfLexemes: PayloadIndexes = {
  lexemes: { type: 'integer', lookup: true, range: false, on_disk: true, enable_hnsw: false },
}

const indexesOfFields: PayloadIndexes = {
  'fields[].k': { type: 'keyword', on_disk: true, enable_hnsw: false },
  'fields[].t': { type: 'keyword', on_disk: true, enable_hnsw: false },
  'fields[].n': { type: 'float', on_disk: true, enable_hnsw: false },
  'fields[].d': { type: 'float', on_disk: true, enable_hnsw: false },
}

const createSparseVectors = async ({ qdrant, prefix }: QdrantInstallation, log: Log): Promise<void> => {
  for await (const { name, info } of installedCollections(qdrant, prefix)) {
    if (hasSparseVector(info)) continue
    log(`sparse vector of ${name}`)
    await addSparseVector(qdrant.request, name)
  }
}

/** Newer collections get all indexes from their first writer (`collections.ts`). */
export const qdrantMigrations: readonly Migration<QdrantInstallation>[] = [
  {
    number: 1,
    name: 'payload indexes of 0.1.0',
    apply: (installation, log) => createIndexes(installation, indexesOf010, log),
  },
  {
    number: 2,
    name: 'words of points',
    apply: async (installation, log) => {
      await createSparseVectors(installation, log)
      await createIndexes(installation, indexOfLexemes, log)
    },
  },
  {
    number: 3,
    name: 'fields of metadata',
    apply: (installation, log) => createIndexes(installation, indexesOfFields, log),
  },
]

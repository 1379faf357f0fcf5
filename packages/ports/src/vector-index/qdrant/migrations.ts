import type { Migration, Say } from '../../schema/migrations.ts'
import type { Qdrant } from './client.ts'
import { confirm, dimensionOf, missingIndexes, type PayloadIndexes } from './collections.ts'

/** The collections of an installation: those whose names begin with its prefix. */
export type QdrantInstallation = { readonly qdrant: Qdrant; readonly prefix: string }

/** Makes payload indexes in every collection that lacks them. Its client's deadline is one request's: it has to be long. */
const createIndexes = async ({ qdrant: { request }, prefix }: QdrantInstallation, wanted: PayloadIndexes, say: Say): Promise<void> => {
  const { collections } = await request((client) => client.getCollections())
  for (const { name } of collections.filter((one) => one.name.startsWith(prefix))) {
    const info = await request((client) => client.getCollection(name))
    dimensionOf(name, info)
    for (const index of missingIndexes(name, info, wanted)) {
      say(`${index.field_name} of ${name}`)
      confirm(await request((client) => client.createPayloadIndex(name, index)))
    }
  }
}

/** Not the list of a new collection (`qdrant-collections`), which may go on from here: what 0.1.0 made. */
const indexesOf010: PayloadIndexes = {
  namespace_id: { type: 'keyword', is_tenant: true },
  item_id: { type: 'keyword', on_disk: true, enable_hnsw: false },
  item_version: { type: 'keyword', on_disk: true, enable_hnsw: false },
  terms: { type: 'keyword', on_disk: true, enable_hnsw: false },
  words: { type: 'keyword', on_disk: true, enable_hnsw: false },
  order: { type: 'integer', lookup: false, range: true, on_disk: true, enable_hnsw: false },
}

/** What is stored in Qdrant, step by step. A collection made later has all of it from its first writer (`qdrant-collections`). */
export const qdrantMigrations: readonly Migration<QdrantInstallation>[] = [
  { number: 1, name: 'payload indexes of 0.1.0', apply: (installation, say) => createIndexes(installation, indexesOf010, say) },
]

import { mongodbStore } from '@cairn/adapters/store/mongodb'
import { qdrantVectorIndex } from '@cairn/adapters/vector-index/qdrant'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { filesAt, placesOf } from '../upgrade/cluster-text.ts'
import type { System } from './system.ts'

export type Stores = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly files: FileStore
  close(): Promise<void>
}

/** Opens the stores of the cluster directly, without the proxies. */
export const openStores = ({ engines, target }: Pick<System, 'engines' | 'target'>): Stores => {
  // The settings of the processes contain the URLs of the proxies.
  const settings: Readonly<Record<string, string>> = { ...target.env, ...engines.direct }
  const { mongodbUrl, database, qdrantUrl, qdrantPrefix } = placesOf(settings)
  const store = mongodbStore({ url: mongodbUrl, database })
  const vectors = qdrantVectorIndex({ url: qdrantUrl, prefix: qdrantPrefix })
  const files = filesAt(settings)
  return {
    store,
    vectors,
    files,
    close: async () => {
      await files.close()
      await vectors.close()
      await store.close()
    },
  }
}

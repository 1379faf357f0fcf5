import { mongodbMetadata } from '@cairn/ports/metadata/mongodb'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import { qdrantVectorIndex } from '@cairn/ports/vector-index/qdrant'
import type { System } from './system.ts'

export type Stores = { readonly metadata: Metadata; readonly vectors: VectorIndex; close(): Promise<void> }

/** The cluster's own data, past the proxies and past the services. */
export const openStores = ({ engines, target }: Pick<System, 'engines' | 'target'>): Stores => {
  const setting = (name: string) => engines.direct[name] ?? target.env[name] ?? ''
  const metadata = mongodbMetadata({ url: setting('CAIRN_MONGODB_URL'), database: setting('CAIRN_MONGODB_DATABASE') })
  const vectors = qdrantVectorIndex({ url: setting('CAIRN_QDRANT_URL'), prefix: setting('CAIRN_QDRANT_PREFIX') })
  return {
    metadata,
    vectors,
    close: async () => {
      await vectors.close()
      await metadata.close()
    },
  }
}

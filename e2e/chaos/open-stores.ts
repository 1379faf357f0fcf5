import { clusterFiles } from '@cairn/ports/cluster'
import type { FileStore } from '@cairn/ports/file-store/port'
import { mongodbMetadata } from '@cairn/ports/metadata/mongodb'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import { qdrantVectorIndex } from '@cairn/ports/vector-index/qdrant'
import type { System } from './system.ts'

export type Stores = {
  readonly metadata: Metadata
  readonly vectors: VectorIndex
  readonly files: FileStore
  close(): Promise<void>
}

/** The cluster's own data, past the proxies and past the services. */
export const openStores = ({ engines, target }: Pick<System, 'engines' | 'target'>): Stores => {
  const setting = (name: string) => engines.direct[name] ?? target.env[name] ?? ''
  const metadata = mongodbMetadata({ url: setting('CAIRN_MONGODB_URL'), database: setting('CAIRN_MONGODB_DATABASE') })
  const vectors = qdrantVectorIndex({ url: setting('CAIRN_QDRANT_URL'), prefix: setting('CAIRN_QDRANT_PREFIX') })
  const files = clusterFiles({
    s3Endpoint: setting('CAIRN_S3_ENDPOINT'),
    s3Region: setting('CAIRN_S3_REGION'),
    s3Bucket: setting('CAIRN_S3_BUCKET'),
    s3AccessKeyId: setting('CAIRN_S3_ACCESS_KEY_ID'),
    s3SecretAccessKey: setting('CAIRN_S3_SECRET_ACCESS_KEY'),
    s3PathStyle: true,
    s3Prefix: 'cairn',
  })
  return {
    metadata,
    vectors,
    files,
    close: async () => {
      await files.close()
      await vectors.close()
      await metadata.close()
    },
  }
}

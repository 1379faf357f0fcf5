import { clusterFiles } from '@cairn/adapters/cluster'
import { mongodbMetadata } from '@cairn/adapters/metadata/mongodb'
import { qdrantVectorIndex } from '@cairn/adapters/vector-index/qdrant'
import type { Metadata } from '@cairn/domain/metadata'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
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
    s3Checksums: 'when_supported',
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

import { AppError } from '@cairn/contracts/errors'
import type { Metadata } from '@cairn/domain/metadata'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { S3Checksums } from './file-store/s3/clients.ts'
import { type S3FileStoreOptions, s3FileStore } from './file-store/s3.ts'
import { type KafkaMessageBusOptions, kafkaMessageBus } from './message-bus/kafka.ts'
import { mongodbMetadata } from './metadata/mongodb.ts'
import { mongodbMigrations } from './metadata/mongodb-migrations.ts'
import { withSchemaLease } from './metadata/mongodb-schema.ts'
import { applyMigrations, type Log, lastNumber } from './schema/migrations.ts'
import { connectQdrant } from './vector-index/qdrant/client.ts'
import { qdrantMigrations } from './vector-index/qdrant/migrations.ts'
import { qdrantVectorIndex } from './vector-index/qdrant.ts'

/** Settings of a cluster's engines; see the runtime's cluster configuration for each. */
export type ClusterSettings = {
  readonly kafkaPrefix: string
  readonly mongodbUrl: string
  readonly mongodbDatabase: string
  readonly qdrantUrl: string
  readonly qdrantApiKey?: string | undefined
  readonly qdrantPrefix: string
  readonly qdrantTimeoutMs: number
  readonly qdrantQuantization: 'none' | 'int8'
}

/** Returns the options of the vector index. */
export const qdrantOptions = (settings: Omit<ClusterSettings, 'kafkaPrefix' | 'mongodbUrl' | 'mongodbDatabase'>) => ({
  url: settings.qdrantUrl,
  apiKey: settings.qdrantApiKey,
  prefix: settings.qdrantPrefix,
  timeoutMs: settings.qdrantTimeoutMs,
  quantization: settings.qdrantQuantization,
})

/** Creates the engines of a cluster. Each connects on first use. */
export const clusterEngines = (
  settings: ClusterSettings,
  kafka: Omit<KafkaMessageBusOptions, 'prefix'>,
): { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly bus: MessageBus } => {
  return {
    metadata: mongodbMetadata({
      url: settings.mongodbUrl,
      database: settings.mongodbDatabase,
      schemas: { qdrant: lastNumber(qdrantMigrations) },
    }),
    vectors: qdrantVectorIndex(qdrantOptions(settings)),
    bus: kafkaMessageBus({ ...kafka, prefix: settings.kafkaPrefix }),
  }
}

/** Time limit of a request in a schema step: it may build an index. */
const schemaRequestMs = 3_600_000

/**
 * Migrates the stored data of an installation to the schema of this version; only one process at a time does so
 * (`withSchemaLease`). May run any number of times; after an interruption, the next run continues with the same step.
 */
export const migrateCluster = (
  settings: Omit<ClusterSettings, 'kafkaPrefix' | 'qdrantTimeoutMs'>,
  log: Log,
): Promise<void> =>
  withSchemaLease({ url: settings.mongodbUrl, database: settings.mongodbDatabase, log }, async (db, recordOf) => {
    const { qdrantUrl: url, qdrantApiKey: apiKey, qdrantPrefix: prefix } = settings
    const qdrant = connectQdrant({ url, apiKey, timeoutMs: schemaRequestMs })
    const context = { qdrant, prefix }
    await applyMigrations({ what: 'qdrant', migrations: qdrantMigrations, context, record: recordOf('qdrant'), log })
    await applyMigrations({
      what: 'mongodb',
      migrations: mongodbMigrations,
      context: db,
      record: recordOf('mongodb'),
      log,
    })
  })

/** Settings of the file store; see the runtime's S3 configuration for each. */
export type FileSettings = {
  readonly s3Endpoint?: string | undefined
  readonly s3PublicEndpoint?: string | undefined
  readonly s3Region: string
  readonly s3Bucket: string
  readonly s3AccessKeyId?: string | undefined
  readonly s3SecretAccessKey?: string | undefined
  readonly s3PathStyle: boolean
  readonly s3Prefix: string
  readonly s3Checksums?: S3Checksums
}

/** Returns the options of the file store. */
export const s3Options = (settings: FileSettings): S3FileStoreOptions => {
  const {
    s3Endpoint: endpoint,
    s3PublicEndpoint: publicEndpoint,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  } = settings
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new AppError('invalid', 'CAIRN_S3_ACCESS_KEY_ID and CAIRN_S3_SECRET_ACCESS_KEY must be set together')
  return {
    bucket: settings.s3Bucket,
    region: settings.s3Region,
    pathStyle: settings.s3PathStyle,
    prefix: settings.s3Prefix,
    ...(settings.s3Checksums === undefined ? {} : { checksums: settings.s3Checksums }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  }
}

export const clusterFiles = (settings: FileSettings): FileStore => s3FileStore(s3Options(settings))

import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { EngineSettings, FileSettings } from './cluster-settings.ts'
import { s3Options } from './file-store/s3/settings.ts'
import { s3FileStore } from './file-store/s3.ts'
import { kafkaConnection } from './message-bus/kafka/settings.ts'
import { createKafkaTopics } from './message-bus/kafka/topics.ts'
import { type KafkaMessageBusOptions, kafkaMessageBus } from './message-bus/kafka.ts'
import { applyMigrations, type Log, lastNumber } from './schema/migrations.ts'
import { mongodbStore } from './store/mongodb.ts'
import { migrateMongodb } from './store/mongodb-schema.ts'
import { connectQdrant } from './vector-index/qdrant/client.ts'
import { qdrantMigrations } from './vector-index/qdrant/migrations.ts'
import { quantizeCollections } from './vector-index/qdrant/quantize-collections.ts'
import { qdrantOptions } from './vector-index/qdrant/settings.ts'
import { qdrantVectorIndex } from './vector-index/qdrant.ts'

/** Each engine connects on first use. */
export const clusterEngines = (
  settings: EngineSettings,
  context: Omit<KafkaMessageBusOptions, 'prefix' | 'connection'>,
): { readonly store: Store; readonly vectors: VectorIndex; readonly bus: MessageBus } => ({
  store: mongodbStore({
    url: settings.mongodbUrl,
    database: settings.mongodbDatabase,
    schemas: { qdrant: lastNumber(qdrantMigrations) },
  }),
  vectors: qdrantVectorIndex(qdrantOptions(settings)),
  bus: kafkaMessageBus({ ...context, connection: kafkaConnection(settings), prefix: settings.kafkaPrefix }),
})

/** A schema step may build an index. */
const schemaRequestMs = 3_600_000

/** Runs in one process at a time. */
const migrate = (settings: EngineSettings, log: Log): Promise<void> =>
  migrateMongodb({ url: settings.mongodbUrl, database: settings.mongodbDatabase, log }, async (recordOf) => {
    const { qdrantUrl: url, qdrantApiKey: apiKey, qdrantPrefix: prefix } = settings
    const context = { qdrant: connectQdrant({ url, apiKey, timeoutMs: schemaRequestMs }), prefix }
    await applyMigrations({ what: 'qdrant', migrations: qdrantMigrations, context, record: recordOf('qdrant'), log })
  })

/** May run any number of times; after an interruption, the next run continues. The caller closes the store. */
export const setUpEngines = async (
  settings: EngineSettings,
  topics: readonly string[],
  print: (line: string) => void,
): Promise<Store> => {
  // First, because it refuses data that this version can't use, before anything is written.
  await migrate(settings, (line) => print(`schema    ${line}`))
  const { created } = await createKafkaTopics({
    connection: kafkaConnection(settings),
    prefix: settings.kafkaPrefix,
    topics,
    partitions: settings.kafkaPartitions,
    replication: settings.kafkaReplication,
  })
  print(created.length === 0 ? 'topics    all there' : `topics    created ${created.join(', ')}`)
  const store = mongodbStore({ url: settings.mongodbUrl, database: settings.mongodbDatabase })
  // Reads at the level that writes depend on: a store without it must be detected now, not by the first upload.
  await store.items.count('none')
  print(`schema    up to date in database ${settings.mongodbDatabase}`)
  const changed = await quantizeCollections(qdrantOptions(settings))
  const where = changed.length === 0 ? '' : `, changed in ${changed.join(', ')}`
  print(`vectors   quantization ${settings.qdrantQuantization}${where}`)
  return store
}

export const clusterFiles = (settings: FileSettings): FileStore => s3FileStore(s3Options(settings))

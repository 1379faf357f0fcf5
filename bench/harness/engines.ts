import { createKafka } from '@cairn/adapters/message-bus/kafka/client'
import { QdrantClient } from '@qdrant/js-client-rest'
import { MongoClient } from 'mongodb'
import { engineSettings } from '../../e2e/cluster-target.ts'

/** Settings as the services read them. */
export type Settings = Readonly<Record<string, string>>

/** Resolves to the reason why the cluster rows can't be run here. */
export const missingEngines = async (): Promise<string | undefined> => {
  try {
    await engineSettings()
    return undefined
  } catch {
    return 'there are no engines (`infra/native/engines.sh up`, or their settings in the environment)'
  }
}

const connectMongodb = (settings: Settings): MongoClient => new MongoClient(settings['CAIRN_MONGODB_URL'] ?? '')

export const connectQdrant = (settings: Settings): QdrantClient =>
  new QdrantClient({
    url: settings['CAIRN_QDRANT_URL'] ?? '',
    checkCompatibility: false,
    timeout: 60_000,
    ...(settings['CAIRN_QDRANT_API_KEY'] ? { headers: { 'api-key': settings['CAIRN_QDRANT_API_KEY'] } } : {}),
  })

const beginningWith = (prefix: string, names: readonly string[]): string[] =>
  prefix === '' ? [] : names.filter((name) => name.startsWith(prefix))

/** Removes the database, collections and topics that were created for one cluster. */
export const removeTraces = async (settings: Settings): Promise<void> => {
  const {
    CAIRN_KAFKA_BROKERS = '',
    CAIRN_KAFKA_PREFIX = '',
    CAIRN_QDRANT_PREFIX = '',
    CAIRN_MONGODB_DATABASE,
  } = settings
  const mongodb = connectMongodb(settings)
  await mongodb.db(CAIRN_MONGODB_DATABASE).dropDatabase()
  await mongodb.close()

  const qdrant = connectQdrant(settings)
  const { collections } = await qdrant.getCollections()
  const names = collections.map(({ name }) => name)
  for (const name of beginningWith(CAIRN_QDRANT_PREFIX, names)) await qdrant.deleteCollection(name)

  const connection = { brokers: CAIRN_KAFKA_BROKERS.split(',') }
  const kafka = createKafka(connection, undefined, { requestTimeoutMs: 10_000, retries: 3 }).admin()
  await kafka.connect()
  await kafka.deleteTopics({ topics: beginningWith(CAIRN_KAFKA_PREFIX, await kafka.listTopics()) })
  await kafka.disconnect()
}

import { objectEventsConfig } from '@cairn/adapters/file-store/s3/object-events-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import { kafkaConfig } from '@cairn/adapters/message-bus/kafka/settings'
import { mongodbConfig } from '@cairn/adapters/metadata/mongodb-settings'
import { qdrantConfig } from '@cairn/adapters/vector-index/qdrant/settings'
import * as z from 'zod'

export const setupConfig = z.object({
  ...kafkaConfig,
  ...mongodbConfig,
  ...qdrantConfig,
  ...s3Config,
  ...objectEventsConfig,
})

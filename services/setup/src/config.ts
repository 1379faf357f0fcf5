import { kafkaConfig } from '@cairn/runtime/kafka-config'
import { mongodbConfig } from '@cairn/runtime/mongodb-config'
import { objectEventsConfig } from '@cairn/runtime/object-events-config'
import { qdrantConfig } from '@cairn/runtime/qdrant-config'
import { s3Config } from '@cairn/runtime/s3-config'
import * as z from 'zod'

export const setupConfig = z.object({
  ...kafkaConfig,
  ...mongodbConfig,
  ...qdrantConfig,
  ...s3Config,
  ...objectEventsConfig,
})

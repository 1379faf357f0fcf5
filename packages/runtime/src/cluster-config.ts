import { kafkaConfig } from './kafka-config.ts'
import { mongodbConfig } from './mongodb-config.ts'
import { processConfig } from './process-config.ts'
import { qdrantConfig } from './qdrant-config.ts'

/** What every process of the cluster reads: its address and its engines. */
export const clusterConfig = { ...processConfig, ...kafkaConfig, ...mongodbConfig, ...qdrantConfig }

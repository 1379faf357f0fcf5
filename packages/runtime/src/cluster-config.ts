import type { ConfigRule } from './config.ts'
import { embedderRule } from './embedder-config.ts'
import { kafkaConfig, kafkaRule } from './kafka-config.ts'
import { mongodbConfig } from './mongodb-config.ts'
import { processConfig } from './process-config.ts'
import { qdrantConfig } from './qdrant-config.ts'
import { s3Rule } from './s3-config.ts'
import { tracingConfig, tracingRule } from './tracing/tracing-config.ts'

/** What every process of the cluster reads: its address, its engines, where its traces go. */
export const clusterConfig = { ...processConfig, ...kafkaConfig, ...mongodbConfig, ...qdrantConfig, ...tracingConfig }

/** What goes together in them, and in the settings of models and of the object store where a process has those. */
export const clusterRules: readonly ConfigRule[] = [kafkaRule, s3Rule, embedderRule, tracingRule]

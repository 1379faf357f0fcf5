import type { ConfigRule } from './config.ts'
import { embedderRule } from './embedder-config.ts'
import { kafkaConfig, kafkaRule } from './kafka-config.ts'
import { mongodbConfig } from './mongodb-config.ts'
import { processConfig } from './process-config.ts'
import { qdrantConfig } from './qdrant-config.ts'
import { s3Rule } from './s3-config.ts'
import { tracingConfig, tracingRule } from './tracing/tracing-config.ts'

/** Settings of every process of the cluster: its address, its engines, its traces. */
export const clusterConfig = { ...processConfig, ...kafkaConfig, ...mongodbConfig, ...qdrantConfig, ...tracingConfig }

/** Rules for settings that must be set together, including those of models and the object store. */
export const clusterRules: readonly ConfigRule[] = [kafkaRule, s3Rule, embedderRule, tracingRule]

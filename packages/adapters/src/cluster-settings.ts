import type { ConfigRule } from '@cairn/contracts/settings'
import type * as z from 'zod'
import { type s3Config, s3Rule } from './file-store/s3/settings.ts'
import { kafkaConfig, kafkaRule } from './message-bus/kafka/settings.ts'
import { mongodbConfig } from './store/mongodb-settings.ts'
import { qdrantConfig } from './vector-index/qdrant/settings.ts'

/** Engines that every process of a cluster uses. */
export const engineConfig = { ...kafkaConfig, ...mongodbConfig, ...qdrantConfig }

/** Settings that must be set together, the object store's included. */
export const engineRules: readonly ConfigRule[] = [kafkaRule, s3Rule]

export type EngineSettings = z.output<z.ZodObject<typeof engineConfig>>
export type FileSettings = z.output<z.ZodObject<typeof s3Config>>

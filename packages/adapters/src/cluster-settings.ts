import type { ConfigRule } from '@cairn/contracts/settings'
import type * as z from 'zod'
import { type s3Config, s3Rule } from './file-store/s3/settings.ts'
import { kafkaConfig, kafkaRule } from './message-bus/kafka/settings.ts'
import { mongodbConfig } from './store/mongodb-settings.ts'
import { qdrantConfig } from './vector-index/qdrant/settings.ts'

/**
 * Settings of the engines that every process of a cluster uses. Each engine's settings are declared beside its adapter.
 */
export const engineConfig = { ...kafkaConfig, ...mongodbConfig, ...qdrantConfig }

/** Rules for engine settings that must be set together, including the object store's settings. */
export const engineRules: readonly ConfigRule[] = [kafkaRule, s3Rule]

export type EngineSettings = z.output<z.ZodObject<typeof engineConfig>>
export type FileSettings = z.output<z.ZodObject<typeof s3Config>>

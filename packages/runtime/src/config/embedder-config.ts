import { type ConfigRule, commaList, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { multilingualModel } from '@cairn/contracts/text/multilingual-model'
import * as z from 'zod'

const localModelName = z.enum([
  'all-MiniLM-L6-v2',
  'bge-small-en-v1.5',
  'e5-small-v2',
  'bge-small-zh-v1.5',
  multilingualModel,
])

/** Every service that embeds or searches has these settings. */
export const embedderConfig = {
  // For new namespaces: a model in this process, an OpenAI-compatible server, or words and letters without a model.
  embedder: setting('CAIRN_EMBEDDER', z.enum(['local', 'openai', 'lexical']).default('local')),
  // For new namespaces; existing ones keep the model that created their vectors.
  localModel: setting('CAIRN_LOCAL_MODEL', localModelName.default('all-MiniLM-L6-v2')),
  // Further local models that new namespaces may choose. A model takes memory once it is used.
  localModels: setting('CAIRN_LOCAL_MODELS', commaList().pipe(z.array(localModelName)).optional()),
  // Unset: the model is fetched once into the cache.
  modelDir: setting('CAIRN_MODEL_DIR', z.string().optional()),
  // Used when the hub can't be reached; default: Maven Central.
  mavenUrl: setting('CAIRN_MAVEN_URL', z.url().optional()),
  // Default: the user's cache folder.
  cacheDir: setting('CAIRN_CACHE_DIR', z.string().optional()),
  // Default: one per core.
  embedderWorkers: setting('CAIRN_EMBEDDER_WORKERS', wholeNumber({ min: 1, max: 256 }).optional()),
  // An OpenAI-compatible /embeddings, with the version: http://localhost:11434/v1
  openaiUrl: setting('CAIRN_OPENAI_URL', z.url().optional()),
  openaiApiKey: secret('CAIRN_OPENAI_API_KEY', z.string().min(1).optional()),
  openaiModel: setting('CAIRN_OPENAI_MODEL', z.string().min(1).optional()),
  openaiDimension: setting('CAIRN_OPENAI_DIMENSION', wholeNumber({ min: 1, max: 4_096 }).optional()),
  openaiMaxTokens: setting('CAIRN_OPENAI_MAX_TOKENS', wholeNumber({ min: 16, max: 1_000_000 }).default(512)),
  openaiBatchSize: setting('CAIRN_OPENAI_BATCH_SIZE', wholeNumber({ min: 1, max: 2_048 }).default(64)),
  openaiTimeoutMs: setting('CAIRN_OPENAI_TIMEOUT_MS', wholeNumber({ min: 100, max: 600_000 }).default(60_000)),
}

/** Requires all or none of the server's settings, and all if `openai` is chosen. */
export const embedderRule: ConfigRule = ({ embedder, openaiUrl, openaiModel, openaiDimension }) => {
  const needed = {
    CAIRN_OPENAI_URL: openaiUrl,
    CAIRN_OPENAI_MODEL: openaiModel,
    CAIRN_OPENAI_DIMENSION: openaiDimension,
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const isConfigured = embedder === 'openai' || missing.length < 3
  return isConfigured && missing.length > 0
    ? [
        `${missing.join(', ')}: ${missing.length === 1 ? 'is' : 'are'} required ${embedder === 'openai' ? 'with CAIRN_EMBEDDER=openai' : 'with the others of CAIRN_OPENAI_*'}`,
      ]
    : []
}

import * as z from 'zod'
import { secret, setting, wholeNumber } from './config.ts'

const address = z.url({ protocol: /^https?$/, error: 'not an http or https URL' })

/** Where the vector index of the cluster is: the same in every service that writes, searches or removes points. */
export const qdrantConfig = {
  // With the port: Qdrant's is 6333. A path is kept, for a proxy that serves Qdrant under one.
  qdrantUrl: setting('CAIRN_QDRANT_URL', address.default('http://127.0.0.1:6333')),
  // Sent to that address only; use https where others can listen.
  qdrantApiKey: secret('CAIRN_QDRANT_API_KEY', z.string().min(1).optional()),
  // Before the name of every collection, so that several installations can share a Qdrant.
  qdrantPrefix: setting(
    'CAIRN_QDRANT_PREFIX',
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'not 1 to 64 letters, digits, - and _')
      .default('cairn-'),
  ),
  // Of one request to it.
  qdrantTimeoutMs: setting('CAIRN_QDRANT_TIMEOUT_MS', wholeNumber({ min: 100, max: 60_000 }).default(5_000)),
  // Of its collections: `npm run setup` applies it to those that exist. `int8` takes a quarter of the memory; searches compare again with
  // the whole vectors, so that scores stay exact.
  qdrantQuantization: setting('CAIRN_QDRANT_QUANTIZATION', z.enum(['none', 'int8']).default('none')),
}

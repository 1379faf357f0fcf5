import { secret, setting } from '@cairn/contracts/settings'
import * as z from 'zod'

const address = z.url({ protocol: /^https?$/, error: 'not an http or https URL' })

/** Equal in every service that writes, searches or removes points. */
export const qdrantConfig = {
  // With the port, 6333 by default in Qdrant. A path is kept, for proxies.
  qdrantUrl: setting('CAIRN_QDRANT_URL', address.default('http://127.0.0.1:6333')),
  // Sent to that URL only. Use https where others can read the traffic.
  qdrantApiKey: secret('CAIRN_QDRANT_API_KEY', z.string().min(1).optional()),
  // Prefix of collection names, so that several installations can share a Qdrant.
  qdrantPrefix: setting(
    'CAIRN_QDRANT_PREFIX',
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'not 1 to 64 letters, digits, - and _')
      .default('cairn-'),
  ),
  // `npm run setup` applies it to existing collections. `int8` takes a quarter of the memory; searches rescore with the
  // whole vectors, so scores stay exact.
  qdrantQuantization: setting('CAIRN_QDRANT_QUANTIZATION', z.enum(['none', 'int8']).default('none')),
}

export const qdrantOptions = (settings: z.output<z.ZodObject<typeof qdrantConfig>>) => ({
  url: settings.qdrantUrl,
  apiKey: settings.qdrantApiKey,
  prefix: settings.qdrantPrefix,
  timeoutMs: 5_000,
  quantization: settings.qdrantQuantization,
})

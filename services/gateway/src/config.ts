import { limits } from '@cairn/contracts/limits'
import { commaList, flag, secret, setting, wholeNumber } from '@cairn/runtime/config'
import { tiersFileSetting } from '@cairn/runtime/tiers-config'
import * as z from 'zod'

/** Long enough that nobody guesses it, and not one that stands in some example. */
const strongSecret = z
  .string()
  .min(32, 'must be at least 32 bytes')
  .refine(
    (value) => new Set(value).size >= 10 && !/change[-_ ]?me|example|secret|password|cairn/i.test(value),
    'is a default or too simple; make one with `openssl rand -base64 48`',
  )

/** What clients may have of a process at once. */
export const trafficLimits = { maxConnections: 2_000, requestsPerKey: 256, bodyMegabytes: 96, accountBodyMegabytes: 48 }

export const gatewayConfig = z.object({
  // Where it listens.
  port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
  host: setting('CAIRN_HOST', z.string().default('::')),
  // API-key hashes, cursors and signed URLs are made with keys derived from it.
  secret: secret('CAIRN_SECRET', strongSecret),
  // Opens the admin API to whoever sends it as x-admin-key; unset, there is none.
  adminKey: secret('CAIRN_ADMIN_KEY', strongSecret.optional()),
  // Code points a document's text must have.
  minTextLength: setting('CAIRN_MIN_TEXT_LENGTH', wholeNumber({ min: 1, max: limits.maxTextLength }).default(limits.minTextLength)),
  // JSON file of tiers; without it community, professional and enterprise as documented.
  tiersFile: tiersFileSetting,
  // Whether the names fileName and fileNames of earlier clients are still taken for file_name and file_names.
  legacyCamelCase: setting('CAIRN_LEGACY_CAMEL_CASE', flag().default(true)),
  // Origins whose pages may call the API. Keys travel in a header, not in cookies, so every origin is the default.
  corsOrigins: setting('CAIRN_CORS_ORIGINS', commaList().default(['*'])),
  // Connections at once; above it the one that has been idle longest gives way, or one whose client takes no answer.
  maxConnections: setting('CAIRN_MAX_CONNECTIONS', wholeNumber({ min: 10, max: 100_000 }).default(trafficLimits.maxConnections)),
  // Requests of one API key at once; one more is 429.
  requestsPerKey: setting('CAIRN_REQUESTS_PER_KEY', wholeNumber({ min: 1, max: 100_000 }).default(trafficLimits.requestsPerKey)),
  // Bodies above 64 kB that are received and worked on at once, in megabytes: of the process (one more is 503), and of one account (429).
  bodyMegabytes: setting('CAIRN_BODIES_MB', wholeNumber({ min: 10, max: 100_000 }).default(trafficLimits.bodyMegabytes)),
  accountBodyMegabytes: setting(
    'CAIRN_ACCOUNT_BODIES_MB',
    wholeNumber({ min: 10, max: 100_000 }).default(trafficLimits.accountBodyMegabytes),
  ),
})

export type GatewayConfig = z.output<typeof gatewayConfig>

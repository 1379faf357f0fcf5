import { limits } from '@cairn/contracts/limits'
import { commaList, flag, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { listenConfig } from '@cairn/runtime/listen-config'
import { tiersFileSetting } from '@cairn/runtime/tiers-config'
import * as z from 'zod'
import { mcpModes } from './mcp/mcp-endpoint.ts'

/** Long enough not to be guessed, and not a value from an example. */
const strongSecret = z
  .string()
  .min(32, 'must be at least 32 bytes')
  .refine(
    (value) => new Set(value).size >= 10 && !/change[-_ ]?me|example|secret|password|cairn/i.test(value),
    'is a default or too simple; make one with `openssl rand -base64 48`',
  )

/** Limits of what clients may use of a process at once. */
export const trafficLimits = { requestsPerKey: 256, bodyMegabytes: 96 }

export const gatewayConfig = z.object({
  ...listenConfig({ port: 3_000 }),
  // API-key hashes, cursors and signed URLs use keys derived from it.
  secret: secret('CAIRN_SECRET', strongSecret),
  // Opens the admin API to requests with this x-admin-key. Unset: no admin API.
  adminKey: secret('CAIRN_ADMIN_KEY', strongSecret.optional()),
  // Code points that a document's text must have.
  minTextLength: setting(
    'CAIRN_MIN_TEXT_LENGTH',
    wholeNumber({ min: 1, max: limits.maxTextLength }).default(limits.minTextLength),
  ),
  // JSON file of tiers. Unset: community, professional and enterprise as documented.
  tiersFile: tiersFileSetting,
  // Whether the names fileName and fileNames of earlier clients are accepted for file_name and file_names.
  legacyCamelCase: setting('CAIRN_LEGACY_CAMEL_CASE', flag().default(true)),
  // Origins whose pages may call the API. Keys are sent in a header, not in cookies, so every origin is allowed by
  // default.
  corsOrigins: setting('CAIRN_CORS_ORIGINS', commaList().default(['*'])),
  // The Model Context Protocol at /mcp, for assistants: off, read, or write with tools that add texts and files.
  mcp: setting('CAIRN_MCP', z.enum(mcpModes).default('read')),
  // Whether `/` is the console, for requests that accept HTML.
  console: setting('CAIRN_CONSOLE', flag().default(true)),
  // Requests of one API key at once; one more is 429.
  requestsPerKey: setting(
    'CAIRN_REQUESTS_PER_KEY',
    wholeNumber({ min: 1, max: 100_000 }).default(trafficLimits.requestsPerKey),
  ),
  // Megabytes of bodies above 64 kB in progress at once in the process; more is 503. Half of it is for one account; more is 429.
  bodyMegabytes: setting(
    'CAIRN_BODIES_MB',
    wholeNumber({ min: 20, max: 100_000 }).default(trafficLimits.bodyMegabytes),
  ),
})

export type GatewayConfig = z.output<typeof gatewayConfig>

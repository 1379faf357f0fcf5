import { limits } from '@cairn/contracts/limits'
import { commaList, flag, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { listenConfig } from '@cairn/runtime/config/listen-config'
import { tiersFileSetting } from '@cairn/runtime/config/tiers-config'
import * as z from 'zod'
import { mcpModes } from './mcp/mcp-endpoint.ts'

/** Requires a secret long enough not to be guessed, and rejects values from examples. */
const strongSecret = z
  .string()
  .min(32, 'must be at least 32 bytes')
  .refine(
    (value) => new Set(value).size >= 10 && !/change[-_ ]?me|example|secret|password|cairn/i.test(value),
    'is a default or too simple; make one with `openssl rand -base64 48`',
  )

/** Limits of the use of a process by clients. */
export const trafficLimits = { requestsPerKey: 256, bodyMegabytes: 96, keepAliveSeconds: 75 }

export const gatewayConfig = z.object({
  ...listenConfig({ port: 3_000 }),
  // API-key hashes, cursors and signed URLs use keys derived from this secret.
  secret: secret('CAIRN_SECRET', strongSecret),
  // Opens the admin API to requests with this x-admin-key. Unset: no admin API.
  adminKey: secret('CAIRN_ADMIN_KEY', strongSecret.optional()),
  // Minimum length of a document's text in code points.
  minTextLength: setting(
    'CAIRN_MIN_TEXT_LENGTH',
    wholeNumber({ min: 1, max: limits.maxTextLength }).default(limits.minTextLength),
  ),
  // URL at which clients reach the server, for URLs in responses. Unset: the host that a request was sent to.
  publicUrl: setting('CAIRN_PUBLIC_URL', z.url({ protocol: /^https?$/, error: 'not an http address' }).optional()),
  // JSON file of tiers. Unset: community, professional and enterprise as documented.
  tiersFile: tiersFileSetting,
  // Whether fileName and fileNames, the names in earlier clients, are accepted for file_name and file_names.
  legacyCamelCase: setting('CAIRN_LEGACY_CAMEL_CASE', flag().default(true)),
  // Origins whose pages may call the API. Keys are sent in a header, not in cookies, so every origin is allowed by
  // default.
  corsOrigins: setting('CAIRN_CORS_ORIGINS', commaList().default(['*'])),
  // Mode of the Model Context Protocol at /mcp, for assistants: off, read, or write with tools that add texts and
  // files.
  mcp: setting('CAIRN_MCP', z.enum(mcpModes).default('read')),
  // Whether `/` serves the console to requests that accept HTML.
  console: setting('CAIRN_CONSOLE', flag().default(true)),
  // Maximum concurrent requests per API key; further requests get 429.
  requestsPerKey: setting(
    'CAIRN_REQUESTS_PER_KEY',
    wholeNumber({ min: 1, max: 100_000 }).default(trafficLimits.requestsPerKey),
  ),
  // Maximum megabytes of bodies above 64 kB in progress in the process; beyond this, requests get 503. Half of it is
  // for one account; beyond this half, its requests get 429.
  bodyMegabytes: setting(
    'CAIRN_BODIES_MB',
    wholeNumber({ min: 20, max: 100_000 }).default(trafficLimits.bodyMegabytes),
  ),
  // Seconds for which an idle connection is kept: more than a proxy in front keeps it.
  keepAliveSeconds: setting(
    'CAIRN_KEEP_ALIVE_SECONDS',
    wholeNumber({ min: 1, max: 3_600 }).default(trafficLimits.keepAliveSeconds),
  ),
})

export type GatewayConfig = z.output<typeof gatewayConfig>

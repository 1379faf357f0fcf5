import { limits } from '@cairn/contracts/limits'
import { commaList, flag, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { listenConfig } from '@cairn/runtime/config/listen-config'
import { tiersFileSetting } from '@cairn/runtime/config/tiers-config'
import * as z from 'zod'
import { mcpModes } from './mcp/mcp-endpoint.ts'

/** Long enough not to be guessed, and no value from examples. */
const strongSecret = z
  .string()
  .min(32, 'must be at least 32 bytes')
  .refine(
    (value) => new Set(value).size >= 10 && !/change[-_ ]?me|example|secret|password|cairn/i.test(value),
    'is a default or too simple; make one with `openssl rand -base64 48`',
  )

/** Per process. */
export const trafficLimits = { requestsPerKey: 256, bodyMegabytes: 96, keepAliveSeconds: 75 }

export const gatewayConfig = z.object({
  ...listenConfig({ port: 3_000 }),
  // Keys for API-key hashes, cursors and signed URLs are derived from it.
  secret: secret('CAIRN_SECRET', strongSecret),
  // Unset: no admin API.
  adminKey: secret('CAIRN_ADMIN_KEY', strongSecret.optional()),
  // Code points.
  minTextLength: setting(
    'CAIRN_MIN_TEXT_LENGTH',
    wholeNumber({ min: 1, max: limits.maxTextLength }).default(limits.minTextLength),
  ),
  // In URLs of responses. Unset: the host that a request was sent to.
  publicUrl: setting('CAIRN_PUBLIC_URL', z.url({ protocol: /^https?$/, error: 'not an http address' }).optional()),
  // Unset: community, professional and enterprise as documented.
  tiersFile: tiersFileSetting,
  // Accepts fileName and fileNames, as earlier clients send them.
  legacyCamelCase: setting('CAIRN_LEGACY_CAMEL_CASE', flag().default(true)),
  // Every origin by default: keys are sent in a header, not in cookies.
  corsOrigins: setting('CAIRN_CORS_ORIGINS', commaList().default(['*'])),
  // /mcp for assistants: write also has tools that add texts and files.
  mcp: setting('CAIRN_MCP', z.enum(mcpModes).default('read')),
  // `/` serves the console to requests that accept HTML.
  console: setting('CAIRN_CONSOLE', flag().default(true)),
  // Concurrent ones; further requests get 429.
  requestsPerKey: setting(
    'CAIRN_REQUESTS_PER_KEY',
    wholeNumber({ min: 1, max: 100_000 }).default(trafficLimits.requestsPerKey),
  ),
  // Bodies above 64 kB in progress; beyond, requests get 503. One account has half; beyond, its requests get 429.
  bodyMegabytes: setting(
    'CAIRN_BODIES_MB',
    wholeNumber({ min: 20, max: 100_000 }).default(trafficLimits.bodyMegabytes),
  ),
  // More than a proxy in front keeps an idle connection.
  keepAliveSeconds: setting(
    'CAIRN_KEEP_ALIVE_SECONDS',
    wholeNumber({ min: 1, max: 3_600 }).default(trafficLimits.keepAliveSeconds),
  ),
})

export type GatewayConfig = z.output<typeof gatewayConfig>

import * as z from 'zod'
import { limits } from '../limits.ts'
import { count, text } from './common.ts'
import { keyFailures, operation } from './operation.ts'

const dayRule = 'must be a day such as 2026-01-31'
const day = z
  .string(dayRule)
  .regex(/^[12]\d{3}-[01]\d-[0-3]\d$/, dayRule)
  .refine((value) => z.iso.date().safeParse(value).success, dayRule)

const groups = ['day', 'namespace', 'key'] as const

/** The endpoint checks the range against the clock. */
export const usageQuery = z.object({
  from: day.optional().describe('The first day, UTC. Default: 29 days before `to`.'),
  to: day
    .optional()
    .describe(
      `The last day, UTC. Default: today. At most ${limits.usageDays} days are read, the first and last included.`,
    ),
  by: z.enum(groups, 'must be day, namespace or key').default('day').describe('What each row is about.'),
})

const counted = { requests: count, credits: count }
const usageRow = z
  .object({
    day: text.optional().describe('With `by=day`, such as `2026-01-31`.'),
    namespace_name: text.optional().describe('With `by=namespace`; the namespace may have been deleted since.'),
    key_id: text.optional().describe('With `by=key`.'),
    key_name: text.optional().describe('With `by=key`.'),
    ...counted,
  })
  .meta({ id: 'UsageRow' })

const sum = z.object(counted).meta({ id: 'UsageSum' })

export const usageHistory = {
  from: text.describe('The first day.'),
  to: text.describe('The last day.'),
  by: z.enum(groups),
  rows: z
    .array(usageRow)
    .max(limits.usageRows)
    .describe(
      'One for each day, oldest first; or one for each namespace or key, those with the most requests first. A request counts in every namespace that it names, so rows of namespaces may add up to more than `total`; one that names none, or fails, counts in none.',
    ),
  other: sum.describe('What is counted by namespace or by key, but has no row of its own because there are too many.'),
  total: sum.describe('All requests of these days, each once.'),
}

export const limitedUse = z.object({ used: count, limit: count.nullable().describe('null: unlimited.') })

export const ownUsageView = z
  .object({
    period: text.describe('The month in UTC, such as `2026-03`.'),
    requests: limitedUse.describe('In this period.'),
    credits: z.object({ used: count }).describe('In this period.'),
    ...usageHistory,
  })
  .meta({ id: 'OwnUsage' })

export const usageOperations = {
  getOwnUsage: operation({
    operationId: 'getOwnUsage',
    method: 'get',
    path: '/v1/usage',
    tag: 'Usage',
    summary: 'Get your usage',
    description:
      'What the account of this key has used, by day, by namespace or by key. Counts are written every second.',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    request: { query: usageQuery },
    responses: { 200: { description: 'The usage.', body: ownUsageView } },
    failures: keyFailures({
      400: '`from`, `to` or `by` is not usable, or the range is empty or too long.',
    }),
  }),
}

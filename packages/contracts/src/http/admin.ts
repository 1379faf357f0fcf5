import * as z from 'zod'
import { count, queryInteger, text, timestamp } from './common.ts'
import { adminFailures, operationsOf } from './operation.ts'
import { limitedUse, usageHistory, usageQuery } from './usage.ts'

const nameRule = 'must be a text of 1 to 200 characters'
const name = z
  .string(nameRule)
  .min(1, nameRule)
  .max(200, nameRule)
  // A name that can't be encoded as UTF-8 makes the list unreadable to strict JSON parsers.
  .refine(
    (value) => value.isWellFormed() && !/\p{Cc}/u.test(value),
    'must be well-formed Unicode without control characters',
  )
  .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$` })
const tierRule = 'must be the name of a tier'
const tier = z
  .string(tierRule)
  .min(1, tierRule)
  .max(64, tierRule)
  .describe('One of the tiers the server was started with.')
const instantRule = 'must be an ISO 8601 time such as 2027-01-31T00:00:00Z'
const firstInstant = Date.parse('0000-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
const instant = z.iso
  .datetime({ offset: true, error: instantRule })
  // With an offset, the UTC time can be outside the years 0 to 9999, which is no valid timestamp.
  .refine(
    (value) => Date.parse(value) >= firstInstant && Date.parse(value) <= lastInstant,
    'must be within the years 0000 to 9999 in UTC',
  )
const recordId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)
const accountParams = z.object({ account_id: recordId })
const keyParams = z.object({ key_id: recordId })

export const scopes = z.enum(['read', 'write', 'admin'])
const scopesRule = 'must be an array of "read", "write" and "admin", each at most once'

export const createAccountBody = z
  .object({ name, tier })
  .meta({ id: 'CreateAccount', examples: [{ name: 'Acme', tier: 'professional' }] })

export const updateAccountBody = z
  .object({
    tier: tier.optional(),
    subscription_ends_at: instant.nullable().optional().describe('null: it does not end.'),
  })
  .refine(
    (body) => body.tier !== undefined || body.subscription_ends_at !== undefined,
    'The body must have tier or subscription_ends_at',
  )
  .meta({
    id: 'UpdateAccount',
    description: 'At least one of the fields.',
    'x-rules': [{ anyOf: [{ required: ['tier'] }, { required: ['subscription_ends_at'] }] }],
    examples: [{ tier: 'enterprise' }],
  })

export const createKeyBody = z
  .object({
    name,
    scopes: z
      .array(scopes, scopesRule)
      .min(1, scopesRule)
      .refine((list) => new Set(list).size === list.length, scopesRule)
      .default(['read', 'write', 'admin'])
      .meta({ uniqueItems: true }),
    expires_at: instant.nullable().optional(),
  })
  .meta({ id: 'CreateKey', examples: [{ name: 'ingest', scopes: ['read', 'write'] }] })

const settableStates = ['active', 'inactive', 'disabled', 'revoked'] as const
export const updateKeyBody = z.object({ state: z.enum(settableStates) }).meta({ id: 'UpdateKey' })

export const accountView = z
  .object({
    account_id: text,
    name: text,
    tier: text,
    status: z.enum(['active', 'expired']).describe('`expired` once the subscription has ended.'),
    subscription_ends_at: timestamp.nullable(),
    namespaces: count,
    documents: count,
    vectors: count,
    created_at: timestamp,
  })
  .meta({ id: 'Account' })

const maximum = count.nullable().describe('null: unlimited.')
const tierView = z
  .object({
    name: text,
    namespaces: maximum,
    documents: maximum,
    vectors: maximum,
    requests: maximum.describe('In a calendar month, UTC. null: unlimited.'),
    bytes: maximum.describe('Of stored and announced files. null: unlimited.'),
    open_uploads: maximum,
  })
  .meta({ id: 'Tier' })

export const keyView = z
  .object({
    key_id: text,
    account_id: text,
    name: text,
    scopes: z.array(scopes),
    state: z.enum([...settableStates, 'expired']),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' })

const keyCreated = z
  .object({
    key_id: text,
    api_key: text.describe('Returned only once; the server stores a keyed hash of it.'),
    ...keyView.omit({ key_id: true }).shape,
  })
  .meta({ id: 'ApiKeyCreated' })

export const usageView = z
  .object({
    account_id: text,
    tier: text,
    period: text.describe('The month in UTC, such as `2026-03`.'),
    requests: limitedUse,
    credits: z.object({ used: count }),
    namespaces: limitedUse,
    documents: limitedUse,
    vectors: limitedUse,
    bytes: limitedUse
      .extend({
        reserved: count.describe(
          'The part of `used` that is not a file yet: stored parts, and uploads announced with a size.',
        ),
      })
      .describe('Of stored files, of parts, and of announced uploads.'),
    open_uploads: limitedUse.describe(
      'Upload URLs without `file_size`, and multipart uploads without parts, that are still pending.',
    ),
    ...usageHistory,
  })
  .meta({ id: 'Usage' })

export const orphanView = z
  .object({
    key: text.describe('In the object store.'),
    size: z.int().nonnegative().describe('Bytes.'),
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    approved: z.boolean().describe('Whether its removal by the next sweep was approved.'),
  })
  .meta({ id: 'Orphan' })

export const orphansQuery = z.object({
  limit: queryInteger({ max: 100, fallback: 100, description: 'Orphans of a page.' }),
  after: z.string('must be a key').min(1, 'must be a key').optional().describe('`next` of the previous page.'),
})

export const approveOrphansBody = z
  .object({
    keys: z.array(z.string('must be strings').min(1, 'must not be empty'), 'must be a list').min(1).max(1_000),
  })
  .meta({ id: 'ApproveOrphans' })

const common = { tag: 'Admin', auth: 'admin', errors: 'data' } as const
const badBody = { 400: 'A field is not usable.', 413: 'The body is larger than 10 MB.' }
const noAccount = { 404: 'No such account, or the admin API is off because no admin key is set.' }

export const adminOperations = operationsOf(common, {
  createAccount: {
    idempotencyKey: true,
    method: 'post',
    path: '/admin/v1/accounts',
    summary: 'Create an account',
    request: { body: { schema: createAccountBody } },
    responses: { 201: { description: 'The account.', body: accountView } },
    failures: adminFailures(badBody),
  },
  listAccounts: {
    method: 'get',
    path: '/admin/v1/accounts',
    summary: 'List accounts',
    request: {},
    responses: {
      200: {
        description: 'All accounts.',
        body: z.object({ accounts: z.array(accountView) }).meta({ id: 'AccountList' }),
      },
    },
    failures: adminFailures({}),
  },
  listTiers: {
    method: 'get',
    path: '/admin/v1/tiers',
    summary: 'List the tiers',
    request: {},
    responses: {
      200: {
        description: 'The tiers that the server was started with.',
        body: z.object({ tiers: z.array(tierView) }).meta({ id: 'TierList' }),
      },
    },
    failures: adminFailures({}),
  },
  updateAccount: {
    idempotencyKey: true,
    method: 'patch',
    path: '/admin/v1/accounts/{account_id}',
    summary: 'Change an account',
    request: { params: accountParams, body: { schema: updateAccountBody } },
    responses: { 200: { description: 'The updated account.', body: accountView } },
    failures: adminFailures({ ...badBody, ...noAccount }),
  },
  createKey: {
    idempotencyKey: true,
    method: 'post',
    path: '/admin/v1/accounts/{account_id}/keys',
    summary: 'Create an API key',
    request: { params: accountParams, body: { schema: createKeyBody } },
    responses: { 201: { description: 'The key. It is returned only once.', body: keyCreated } },
    failures: adminFailures({ ...badBody, ...noAccount }),
  },
  listKeys: {
    method: 'get',
    path: '/admin/v1/accounts/{account_id}/keys',
    summary: 'List API keys',
    request: { params: accountParams },
    responses: {
      200: {
        description: 'All keys of the account, without their secrets.',
        body: z.object({ keys: z.array(keyView) }).meta({ id: 'ApiKeyList' }),
      },
    },
    failures: adminFailures({ 400: 'The account is missing in the path.', ...noAccount }),
  },
  updateKey: {
    idempotencyKey: true,
    method: 'patch',
    path: '/admin/v1/keys/{key_id}',
    summary: 'Change the state of an API key',
    description: 'Takes effect in every process within 5 seconds. A revoked key stays revoked.',
    request: { params: keyParams, body: { schema: updateKeyBody } },
    responses: { 200: { description: 'The updated key.', body: keyView } },
    failures: adminFailures({
      ...badBody,
      404: 'No such key, or the admin API is off because no admin key is set.',
      409: 'The key is revoked.',
    }),
  },
  getUsage: {
    method: 'get',
    path: '/admin/v1/accounts/{account_id}/usage',
    summary: 'Get the usage of an account',
    description: 'What it uses of its plan in this period, and its requests by day, by namespace or by key.',
    request: { params: accountParams, query: usageQuery },
    responses: { 200: { description: 'The usage.', body: usageView } },
    failures: adminFailures({
      400: 'The account is missing in the path; `from`, `to` or `by` is not usable, or the range is empty or too long.',
      ...noAccount,
    }),
  },
  listOrphans: {
    method: 'get',
    path: '/admin/v1/orphans',
    summary: 'List orphaned objects',
    description:
      'Objects in the store without a database record, as the last sweeps found them, by key. They are removed when they ' +
      'are found again `CAIRN_ORPHAN_DAYS` later, a few per sweep, or by the next sweep once approved.',
    request: { query: orphansQuery },
    responses: {
      200: {
        description: 'One page.',
        body: z.object({ orphans: z.array(orphanView), next: text.nullable() }).meta({ id: 'OrphanList' }),
      },
    },
    failures: adminFailures({ 400: '`limit` or `after` is not usable.' }),
  },
  approveOrphans: {
    idempotencyKey: true,
    method: 'post',
    path: '/admin/v1/orphans/approve',
    summary: 'Approve the removal of orphaned objects',
    request: { body: { schema: approveOrphansBody } },
    responses: {
      200: {
        description: 'The number approved; unlisted keys are ignored.',
        body: z.object({ approved: z.int() }),
      },
    },
    failures: adminFailures(badBody),
  },
})

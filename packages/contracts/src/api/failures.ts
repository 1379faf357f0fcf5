import { AppError, type ErrorCode, type JsonObject } from '../errors.ts'
import { isNamespaceName } from '../http/common.ts'
import { limits } from '../limits.ts'
import { groupDigits } from '../text/group-digits.ts'

/** Fixed by the specification or docs/api-notes.md. */
export const authTexts = {
  missingKey: 'Unauthorized: API key is missing',
  unknownKeyId: 'Unauthorized: Invalid API key id',
  invalidKey: 'Unauthorized: Invalid API key',
  disabledKey: 'Unauthorized: API key is disabled',
  inactiveKey: 'Forbidden',
  insufficientScope: 'Forbidden: Insufficient permissions',
  missingAdminKey: 'Unauthorized: Admin key is missing',
  invalidAdminKey: 'Unauthorized: Invalid admin key',
} as const

/** Default of a failure's field `error`. */
export const errorTitles: Readonly<Record<ErrorCode, string>> = {
  invalid: 'Invalid request parameters',
  unauthenticated: 'Unauthorized',
  forbidden: 'Forbidden',
  notFound: 'Not found',
  conflict: 'Conflict',
  changed: 'Precondition failed',
  tooLarge: 'Request too large',
  outOfRange: 'Range not satisfiable',
  tooBroad: 'Request too broad',
  keyReused: 'Idempotency key reused',
  headersTooLarge: 'Request header fields too large',
  limited: 'Limit reached',
  internal: 'Internal server error',
  unavailable: 'Service unavailable',
}

/** Makes a request that changes data safe to retry. */
export const idempotencyKeyHeader = 'Idempotency-Key'

const capitalise = (tier: string): string => tier.charAt(0).toUpperCase() + tier.slice(1)

/** `requirement` completes the sentence "<field> …". */
export const invalidField = (field: string, requirement: string): AppError =>
  new AppError('invalid', `${field} ${requirement}`, { body: { details: { field, requirement } } })

export const unauthenticated = (text: keyof typeof authTexts): AppError =>
  new AppError('unauthenticated', authTexts[text])
export const forbidden = (text: 'inactiveKey' | 'insufficientScope'): AppError =>
  new AppError('forbidden', authTexts[text])

/** Returns one error for a missing, deleted, foreign or misnamed namespace. `kind`: the type that is needed. */
export const namespaceNotFound = (name: string, kind?: 'text' | 'vector'): AppError => {
  const what = kind === undefined ? 'Namespace' : `${capitalise(kind)} namespace`
  // A response must not contain text that was pasted into the path by mistake.
  const nameFields: JsonObject = isNamespaceName(name) ? { namespace_name: name } : {}
  const quotedName = isNamespaceName(name) ? ` "${name}"` : ''
  return new AppError('notFound', `${what}${quotedName} not found or not owned by this account`, {
    body: {
      error: 'Namespace not found',
      ...nameFields,
      suggestion: 'List your namespaces with GET /v1/namespaces, or create this one.',
    },
  })
}

export const namespaceExists = (name: string): AppError =>
  new AppError('conflict', `Namespace "${name}" already exists`, {
    body: { error: 'Namespace already exists', namespace_name: name },
  })

export const namespaceBeingDeleted = (name: string): AppError =>
  new AppError(
    'conflict',
    `Namespace "${name}" already exists: it is being deleted, and its name is free again when that is completed`,
    {
      body: { error: 'Namespace already exists', namespace_name: name },
    },
  )

export const notTextBased = (name: string): AppError =>
  new AppError('invalid', `Bad request: namespace "${name}" is not text-based`, { body: { namespace_name: name } })

/** Rejects a search that would have to read too much to be complete. */
export const filterTooBroad = (readPoints: number): AppError =>
  new AppError(
    'tooBroad',
    `The best ${groupDigits(readPoints)} passages were read and too few of them pass the filter, so the result would not be complete`,
    {
      body: {
        suggestion:
          'Add a condition that the index answers: eq, in, any, all, exists, gt, gte, lt or lte; or page through the documents with the same filter.',
      },
    },
  )

/** Rejects a filter before anything is read. */
export const filterTooCostly = (values: number, namespaces: number): AppError =>
  new AppError(
    'tooBroad',
    `The filter has ${groupDigits(values)} values to compare${namespaces === 1 ? '' : ` in each of ${namespaces} namespaces`}; at most ${groupDigits(limits.filterComparisons)} values times namespaces are accepted`,
    {
      body: {
        details: { field: 'filter', limit: limits.filterComparisons, given: values * namespaces },
        suggestion: 'Shorten the lists of the filter, or search fewer namespaces at once.',
      },
    },
  )

export const filterReadsTooMuch = (matches: number): AppError =>
  new AppError('tooBroad', `The conditions of the filter match more than ${groupDigits(matches)} passages together`, {
    body: {
      suggestion:
        'Use fewer conditions that most documents pass, shorten the lists of the filter, or search fewer namespaces at once.',
    },
  })

/** The deletion found no matching item within its time limit. */
export const deletionTooBroad = (): AppError =>
  new AppError('tooBroad', 'None of the items that could be read in time passes the filter', {
    body: { suggestion: 'Page through the documents with the same filter, and delete what it returns by id.' },
  })

/** Has one text for every reason, so that it does not reveal the reason. */
export const foreignNextToken = (of: 'namespace' | 'upload' = 'namespace'): AppError =>
  new AppError('invalid', `next_token does not match the requested ${of}`, {
    body: { details: { field: 'next_token', requirement: `must be a next_token of this ${of}` } },
  })

export const nothingAtPath = (parameter: string, value: string): AppError =>
  parameter === 'namespace_name'
    ? namespaceNotFound(value)
    : notFound(parameter.replace(/_(?:id|name)$/, '').replaceAll('_', ' '))

/** `what` is in lower case: `upload`, `account`. */
export const notFound = (what: string): AppError => {
  const title = `${capitalise(what)} not found`
  return new AppError('notFound', title, { body: { error: title } })
}

/** `type` is in lower case with its dot; empty if the name has no extension. */
export const unsupportedFileType = (type: string, allowed: readonly string[]): AppError =>
  new AppError(
    'invalid',
    `${type === '' ? 'A file name without a type' : `The file type ${type}`} is not supported. Allowed types: ${allowed.join(', ')}`,
  )

/** One name is a folder of the other: stores that keep objects as files would hide one of them. */
export const fileNameInTheWay = (name: string, other: string): AppError =>
  new AppError(
    'conflict',
    `The file name ${JSON.stringify(name)} can not be used beside ${JSON.stringify(other)}: one is the folder of the other`,
  )

export const storageLimitText = (limit: number): string =>
  `The account's storage limit of ${groupDigits(limit)} bytes is reached, and the file was removed. Delete files, then upload it again.`

type TierLimit = { readonly tier: string; readonly currentCount: number; readonly tierLimit: number }

/** The operator's tiers file lacks the tier. */
export const tierNotDefined = (tier: string): AppError =>
  new AppError(
    'forbidden',
    `The plan ${JSON.stringify(tier)} of this account is not defined on this server; contact its operator.`,
  )

export const namespaceLimitReached = ({ tier, currentCount, tierLimit }: TierLimit): AppError =>
  new AppError(
    'forbidden',
    `Namespace limit of the ${tier} tier reached: ${groupDigits(currentCount)} of ${groupDigits(tierLimit)} namespaces exist. Delete one or upgrade.`,
    { body: { details: { current_count: currentCount, tier_limit: tierLimit, tier } } },
  )

export const itemLimitReached = ({
  tier,
  currentCount,
  tierLimit,
  kind,
  attempted,
}: TierLimit & { kind: 'documents' | 'vectors'; attempted: number }): AppError =>
  new AppError(
    'forbidden',
    `${kind === 'documents' ? 'Document' : 'Vector'} limit of the ${tier} tier reached: ${groupDigits(currentCount)} of ${groupDigits(tierLimit)} ${kind} exist and ${groupDigits(attempted)} more were sent`,
    {
      body: { details: { current_count: currentCount, tier_limit: tierLimit, tier, [`${kind}_attempted`]: attempted } },
    },
  )

/** Clients of file routes read `error`. */
const fileQuotaReached = (error: string): AppError => new AppError('forbidden', error, { body: { error } })

/** `currentCount`: bytes stored or reserved; `attempted`: bytes announced or sent; undefined: unknown. */
export const storageLimitReached = ({
  tier,
  currentCount,
  tierLimit,
  attempted,
}: TierLimit & { readonly attempted: number | undefined }) => {
  const more = !attempted ? '' : `, and ${groupDigits(attempted)} more do not fit`
  return fileQuotaReached(
    `Storage limit of the ${tier} tier reached: ${groupDigits(currentCount)} of ${groupDigits(tierLimit)} bytes are stored or reserved${more}. Delete files or upgrade.`,
  )
}

export const openUploadLimitReached = ({ tier, currentCount, tierLimit }: TierLimit) =>
  fileQuotaReached(
    `Limit of open uploads of the ${tier} tier reached: ${groupDigits(currentCount)} of ${groupDigits(tierLimit)} permitted uploads of unknown size have not arrived. Send these files, withdraw them (delete-file, upload-multipart/abort), or announce uploads with file_size.`,
  )

export const requestLimitReached = ({
  tier,
  currentUsage,
  limit,
  retryAfterSeconds,
}: {
  tier: string
  currentUsage: number
  limit: number
  retryAfterSeconds?: number
}): AppError =>
  new AppError(
    'limited',
    `API request limit reached: the ${capitalise(tier)} plan (${groupDigits(limit)} requests) has a current usage of ${groupDigits(currentUsage)}. Upgrade the plan or wait for the next period.`,
    {
      body: { error: 'API request limit reached', current_usage: currentUsage, limit },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  )

/** `endedAt`: milliseconds since the epoch; the message has its UTC date as month/day/year. */
export const subscriptionExpired = (tier: string, endedAt: number): AppError => {
  const end = new Date(endedAt)
  const day = `${end.getUTCMonth() + 1}/${end.getUTCDate()}/${end.getUTCFullYear()}`
  return new AppError('limited', `Your ${capitalise(tier)} subscription expired on ${day}. Renew it to go on.`, {
    body: { error: 'Subscription expired' },
  })
}

/** `failedAt`: indexes of the invalid vectors; `providedDimensions`: the lengths sent. */
export const noValidVector = (input: {
  readonly message: string
  readonly namespaceDimension: number
  readonly providedDimensions: readonly number[]
  readonly failedAt: readonly number[]
}): AppError =>
  new AppError('invalid', `No vector of the request is valid; the first: ${input.message}`, {
    body: {
      details: {
        namespace_dimension: input.namespaceDimension,
        provided_dimensions: [...new Set(input.providedDimensions)],
        invalid_vectors: input.failedAt.map((index) => `vectors[${index}]`),
      },
    },
  })

export const idempotencyKeyInvalid = (): AppError =>
  new AppError(
    'invalid',
    `${idempotencyKeyHeader} must be 1 to ${limits.idempotencyKeyLength} visible ASCII characters`,
    {
      body: { details: { field: idempotencyKeyHeader, requirement: 'must be visible ASCII characters' } },
    },
  )

export const idempotencyKeyInProgress = (): AppError =>
  new AppError('conflict', `A request with this ${idempotencyKeyHeader} is in progress; retry when it has ended.`, {
    retryAfterSeconds: 1,
  })

export const idempotencyKeyReused = (): AppError =>
  new AppError(
    'keyReused',
    `The ${idempotencyKeyHeader} was sent with another request; repeat that request unchanged, or send a new key.`,
  )

export const idempotencyKeysFull = (): AppError =>
  new AppError(
    'limited',
    `Too many responses are kept for the ${idempotencyKeyHeader}s of this account; retry later, or without the header.`,
    { retryAfterSeconds: 60 },
  )

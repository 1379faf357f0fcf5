import { limits } from '@cairn/contracts/limits'
import { defaultTiers } from '@cairn/domain/accounts/tiers'

type Limit = keyof typeof limits
type Unit = 'bytes' | 'seconds' | 'milliseconds' | 'characters' | 'count'
type Row = readonly [text: string, unit?: Unit]

const groups: Readonly<Record<string, Readonly<Partial<Record<Limit, Row>>>>> = {
  'Documents and vectors': {
    documentsPerUpload: ['Documents of an upload'],
    vectorsPerUpload: ['Vectors of an upload'],
    minTextLength: ['Shortest text of a document (`CAIRN_MIN_TEXT_LENGTH`)', 'characters'],
    maxTextLength: ['Longest text of a document', 'characters'],
    documentContextLength: ['`context` of a document whose words are found', 'characters'],
    metadataBytes: ['Metadata of an item, as compact JSON', 'bytes'],
    metadataKeys: ['Keys of the metadata of an item'],
    idBytes: ['Id of an item', 'bytes'],
    namespaceNameLength: ['Name of a namespace', 'characters'],
    maxVectorDimension: ['Dimensions of a vector'],
    idsPerGet: ['Ids in a request that reads items'],
    idsPerDelete: ['Ids in a request that deletes items'],
    filterDeletions: ['Items that a deletion by filter removes'],
    pageSize: ['Items of a page'],
    retriedAtOnce: ['Documents and files that a request retries'],
    retryReasons: ['Reasons that a request to retry names'],
    refusedNames: ['Documents or files named of those that failed for one reason and were not retried'],
  },
  Files: {
    fileBytes: ['File, by a signed URL or in parts', 'bytes'],
    directFileBytes: ['File, by `upload-file`', 'bytes'],
    fileNameBytes: ['Name of a file', 'bytes'],
    fileNameSegmentBytes: ['Part of a file name between two slashes', 'bytes'],
    fileNamesPerDelete: ['Files of a request that deletes files'],
    filesPerPage: ['Files of a page'],
    uploadUrlSeconds: ['Validity of an upload URL', 'seconds'],
    downloadUrlSeconds: ['Validity of a download URL', 'seconds'],
    partsPerRequest: ['Signed URLs of parts in a response'],
    partNumber: ['Parts of a file'],
    minPartBytes: ['Smallest part but the last', 'bytes'],
    partsKeptSeconds: [
      'Time for which parts of an uncompleted upload are kept after their last URL has expired',
      'seconds',
    ],
  },
  'Search and answers': {
    topK: ['`top_k`'],
    namespacesPerSearch: ['Namespaces of a search or an answer'],
    namespacesUnnamed: ['Text namespaces of an account, for answers that name none'],
    queryLength: ['Query or question', 'characters'],
    queryLexemes: ['Distinct words of a query that are searched; further ones are ignored'],
    foldedQueryLength: ['Query in compatible characters whose words are searched (`ﷺ` becomes 18)', 'characters'],
    contextChunks: ['Chunks of `context` on each side of a hit'],
    highlightedLength: ['Text of a response that is searched for highlights', 'characters'],
    searchReadPoints: ['Points that a query reads before it stops filling `top_k`'],
    filterConditions: ['Conditions of a filter'],
    filterDepth: ['Levels of a filter'],
    filterValues: ['Values of a list in a filter'],
    filterTextLength: ['Key or value in a filter', 'characters'],
    filterComparisons: ['Values of a filter, multiplied by the namespaces searched'],
    promptLength: ['Header or footer prompt', 'characters'],
    historyLength: ['All messages of a chat history', 'characters'],
    historyMessages: ['Messages of a chat history'],
    contextLength: ['Passages in the prompt of a model', 'characters'],
    answerSchemaLength: ['JSON Schema of a structured answer', 'characters'],
  },
  'Requests and events': {
    jsonBodyBytes: ['JSON body', 'bytes'],
    jsonDepth: ['Levels of a JSON body'],
    jsonKeys: ['Keys of a JSON body'],
    jsonContainers: ['Objects and arrays of a JSON body'],
    jsonElements: ['Elements of a JSON body'],
    mcpKeys: ['Keys of an MCP message, and objects and arrays'],
    mcpElements: ['Elements of an MCP message'],
    headerBytes: ['Headers of a request', 'bytes'],
    smallBodyBytes: [
      'Body that does not count toward the [memory for bodies](api-notes.md#errors-keys-and-limits)',
      'bytes',
    ],
    waitSeconds: ['`wait`', 'seconds'],
    idempotencyKeyLength: ['`Idempotency-Key`', 'characters'],
    idempotencyKeySeconds: ['Time for which the response to an `Idempotency-Key` is kept', 'seconds'],
    idempotencyBytesPerHour: ['Stored responses of an account, in each hour and process', 'bytes'],
    eventRetentionMs: ['Time for which events can be read', 'milliseconds'],
    eventStreams: ['Streams of events of an account at one gateway'],
    eventStreamMs: ['Longest stream of events; clients connect again', 'milliseconds'],
    eventGapMs: ['Time after which a stream skips a missing event', 'milliseconds'],
    usageDays: ['Days of usage that are kept'],
    usageRows: ['Rows of a response with usage'],
    evaluationQuestions: ['Questions of an evaluation'],
    worstQuestions: ['Worst questions of an evaluation that are kept'],
    evaluationExcerpt: ['Excerpt of a question that is kept', 'characters'],
  },
}

const number = (value: number): string => value.toLocaleString('en-US')

/** Divides by the largest of the units that leaves a whole number. */
const inUnits = (value: number, units: readonly (readonly [name: string, size: number])[]): string => {
  const [name, size] = units.find(([, each]) => value >= each && value % each === 0) ?? ['', 1]
  const count = value / size
  return `${number(count)} ${count === 1 ? name.replace(/s$/, '') : name}`.trim()
}
const binary = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['bytes', 1],
] as const
const time = [
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

const shown = (limit: Limit, unit: Unit = 'count'): string => {
  const value = limits[limit]
  if (unit === 'bytes') return inUnits(value, binary)
  if (unit === 'seconds') return inUnits(value, time)
  if (unit === 'milliseconds') return inUnits(value / 1_000, time)
  return unit === 'characters' ? `${number(value)} characters` : number(value)
}

const tierColumns = ['namespaces', 'documents', 'vectors', 'requests', 'bytes', 'openUploads'] as const
const tierValue = (column: (typeof tierColumns)[number], value: number | null): string => {
  if (value === null) return 'unlimited'
  return column === 'bytes' ? inUnits(value, [['TiB', 1024 ** 4], ...binary]) : number(value)
}

/** Names of limits that no table has, and of tables that no limit has. */
export const unlistedLimits = (): string[] => {
  const listed = Object.values(groups).flatMap((group) => Object.keys(group))
  return Object.keys(limits).filter((name) => !listed.includes(name))
}

/** Returns docs/limits.md. */
export const limitsPage = (): string =>
  [
    '# Limits and quotas',
    '',
    '<!-- Generated by `npm run openapi` from packages/contracts/src/limits.ts and packages/domain/src/accounts/tiers.ts. -->',
    '',
    'A limit is the same for every account and can not be raised; a request beyond it is a 400 or 413 that names the field. A quota belongs to the tier',
    'of an account; a request beyond it is a 403, or a 429 for requests of the month. [Errors](errors.md) says what to do about each.',
    '',
    '## Quotas by tier',
    '',
    '| Tier | Namespaces | Documents | Vectors | Requests a month | Stored files | Open uploads |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...Object.entries(defaultTiers).map(
      ([name, tier]) => `| \`${name}\` | ${tierColumns.map((column) => tierValue(column, tier[column])).join(' | ')} |`,
    ),
    '',
    'Chunks of files count as documents. The operator chooses the tier of an account, and replaces the tiers by `CAIRN_TIERS_FILE`',
    '([API notes](api-notes.md#errors-keys-and-limits)). The first account has the tier `enterprise`.',
    '',
    '## Requests at once',
    '',
    'An API key may have 256 requests in flight (`CAIRN_REQUESTS_PER_KEY`). Beyond that they are answered with 429 and `Retry-After`. There is no limit per',
    'second.',
    ...Object.entries(groups).flatMap(([title, rows]) => [
      '',
      `## ${title}`,
      '',
      '| | Limit |',
      '| --- | --- |',
      ...Object.entries(rows).map(([name, [text, unit]]) => `| ${text} | ${shown(name as Limit, unit)} |`),
    ]),
    '',
  ].join('\n')

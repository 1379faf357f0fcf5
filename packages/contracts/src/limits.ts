/** Limits from section 8 of the specification and from docs/api-notes.md. */
export const limits = {
  documentsPerUpload: 100,
  /** Unicode code points. The operator can set the lower bound (CAIRN_MIN_TEXT_LENGTH); this is its default. */
  minTextLength: 10,
  maxTextLength: 50_000,
  /** UTF-8 bytes of the compact JSON of a document's merged metadata. */
  metadataBytes: 2_048,
  metadataKeys: 50,
  idsPerGet: 100,
  idsPerDelete: 1_000,
  vectorsPerUpload: 1_000,
  pageSize: 100,
  /** UTF-8 bytes. */
  idBytes: 512,
  namespaceNameLength: 128,
  maxVectorDimension: 4_096,
  jsonBodyBytes: 10 * 1024 * 1024,
  /** Nesting of a JSON body: JSON.parse accepts half a million levels, JSON.stringify overflows with far fewer. */
  jsonDepth: 64,
  /**
   * Limits of one JSON body, unless its operation has others: all keys, all objects and arrays, and all elements of
   * arrays.
   */
  jsonKeys: 100_000,
  jsonContainers: 100_000,
  jsonElements: 250_000,
  idempotencyKeyLength: 255,
  /** Responses that one process stores for the idempotency keys of an account, in an hour. */
  idempotencyBytesPerHour: 64 * 1024 * 1024,
  /** How long the response of a request with an idempotency key is kept. */
  idempotencyKeySeconds: 86_400,
  /** Days of usage that are kept, and the longest range of one request. */
  usageDays: 400,
  /** Rows of usage in one response. */
  usageRows: 1_000,
  /** Longest time that a read waits for the end of work. */
  waitSeconds: 60,
  /** A larger body counts toward the concurrent bytes of the process and of the account. */
  smallBodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  /** Bytes of a file sent through the API. */
  directFileBytes: 10 * 1024 * 1024,
  /** Bytes of a file sent to a signed address. */
  fileBytes: 5 * 1024 ** 3,
  /** UTF-8 bytes. With its prefix, the key of an object has at most 1,024. */
  fileNameBytes: 700,
  /** UTF-8 bytes between two slashes: the limit of stores that keep objects in files. */
  fileNameSegmentBytes: 255,
  fileNamesPerDelete: 1_000,
  /** Time for which the parts of an uncompleted upload are kept after the last of their addresses has expired. */
  partsKeptSeconds: 86_400,
  uploadUrlSeconds: 900,
  /** Signed addresses of parts in one answer, and the highest part number. */
  partsPerRequest: 1_000,
  partNumber: 10_000,
  /** Minimum bytes of every part but the last. */
  minPartBytes: 5 * 1024 * 1024,
  topK: 100,
  namespacesPerSearch: 100,
  /** UTF-16 units of the long texts in one answer whose best passages are found. */
  highlightedLength: 500_000,
  /** Chunks on each side of a hit. */
  contextChunks: 5,
  queryLength: 10_000,
  /** Unicode code points of a header or footer prompt and of all messages of a history, and the number of messages. */
  promptLength: 10_000,
  historyLength: 200_000,
  historyMessages: 200,
  /** UTF-16 units of the passages in a model's prompt. */
  contextLength: 24_000,
  /** UTF-16 units of the JSON Schema of a structured answer. */
  answerSchemaLength: 16_000,
  /** Conditions of a filter in all, levels of its nesting, and values in one list. */
  filterConditions: 100,
  filterDepth: 10,
  filterValues: 200,
  /** Unicode code points of a key or value in a filter. */
  filterTextLength: 2_048,
  /** Values that a filter compares, times the namespaces that it is compared in. */
  filterComparisons: 20_000,
  /** Distinct words of a query that keyword search compares: the first ones. */
  queryLexemes: 512,
  /** Documents and files that one request retries, and reasons that it may name. */
  retriedAtOnce: 500,
  retryReasons: 20,
  /** Items that one deletion by a filter removes. */
  filterDeletions: 10_000,
  /** Points that one query reads before a search stops filling `top_k`. */
  searchReadPoints: 4_096,
  /** Milliseconds for which events can be read again. */
  eventRetentionMs: 86_400_000,
  /** Milliseconds after which a stream closes the number of an event that is missing. */
  eventGapMs: 5_000,
  /** Milliseconds after which a stream of events ends, and streams of an account at one gateway. */
  eventStreamMs: 300_000,
  eventStreams: 10,
} as const

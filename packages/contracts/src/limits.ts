/** Limits from section 8 of the specification and from docs/api-notes.md. */
export const limits = {
  documentsPerUpload: 100,
  /** Minimum length of a text, in Unicode code points; the default of CAIRN_MIN_TEXT_LENGTH. */
  minTextLength: 10,
  maxTextLength: 50_000,
  /** Maximum UTF-8 bytes of the compact JSON of a document's merged metadata. */
  metadataBytes: 2_048,
  metadataKeys: 50,
  idsPerGet: 100,
  idsPerDelete: 1_000,
  vectorsPerUpload: 1_000,
  pageSize: 100,
  /** Unicode code points of a document's `context` whose words are found; the rest is ignored. */
  documentContextLength: 300,
  /** Maximum UTF-8 bytes of an id. */
  idBytes: 512,
  namespaceNameLength: 128,
  maxVectorDimension: 4_096,
  jsonBodyBytes: 10 * 1024 * 1024,
  /**
   * Maximum nesting levels of a JSON body. JSON.parse accepts half a million; JSON.stringify overflows the stack far
   * earlier.
   */
  jsonDepth: 64,
  /**
   * Maximum keys, containers (objects and arrays) and elements of one JSON body, unless its operation sets other
   * limits. Elements: array elements and object members, without the first of each container.
   */
  jsonKeys: 100_000,
  jsonContainers: 100_000,
  jsonElements: 250_000,
  /** Maximum keys, containers and elements of an MCP message, which its SDK checks several times. The largest filter fits. */
  mcpKeys: 1_000,
  mcpElements: 25_000,
  idempotencyKeyLength: 255,
  /** Maximum bytes of responses that one process stores per hour for the idempotency keys of an account. */
  idempotencyBytesPerHour: 64 * 1024 * 1024,
  /** Seconds for which the response to a request with an idempotency key is kept. */
  idempotencyKeySeconds: 86_400,
  /** Days for which usage is kept; also the longest range of one request. */
  usageDays: 400,
  /** Maximum rows of usage in one response. */
  usageRows: 1_000,
  /** Maximum seconds that a read waits for work to end. */
  waitSeconds: 60,
  /** Bodies above this size, in bytes, count toward the byte budgets of the process and of the account. */
  smallBodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  /** Maximum bytes of a file sent through the API. */
  directFileBytes: 10 * 1024 * 1024,
  /** Maximum bytes of a file sent to a signed URL. */
  fileBytes: 5 * 1024 ** 3,
  /** Maximum UTF-8 bytes of a file name. An object key, which has a prefix before the name, may have 1,024. */
  fileNameBytes: 700,
  /** Maximum UTF-8 bytes between two slashes of a file name: the limit of file systems. */
  fileNameSegmentBytes: 255,
  fileNamesPerDelete: 1_000,
  /** Seconds for which the parts of an uncompleted upload are kept after the last of their URLs has expired. */
  partsKeptSeconds: 86_400,
  uploadUrlSeconds: 900,
  downloadUrlSeconds: 900,
  /** Maximum files of a page of the list of files. */
  filesPerPage: 500,
  /** Maximum signed URLs of parts in one response, and the highest part number. */
  partsPerRequest: 1_000,
  partNumber: 10_000,
  /** Minimum bytes of every part but the last. */
  minPartBytes: 5 * 1024 * 1024,
  topK: 100,
  namespacesPerSearch: 100,
  /** Maximum text namespaces of an account that are searched for an answer if the request names none. */
  namespacesUnnamed: 20,
  /** Maximum UTF-16 units of long texts in one response that are searched for the passages to highlight. */
  highlightedLength: 500_000,
  /** Maximum chunks of context on each side of a hit. */
  contextChunks: 5,
  queryLength: 10_000,
  /**
   * Maximum Unicode code points of a header or footer prompt, code points of all messages of a chat history, and number
   * of messages.
   */
  promptLength: 10_000,
  historyLength: 200_000,
  historyMessages: 200,
  /** Maximum UTF-16 units of the passages in a model's prompt. */
  contextLength: 24_000,
  /** Maximum UTF-16 units of the JSON Schema of a structured answer. */
  answerSchemaLength: 16_000,
  /** Maximum conditions of a filter in total, levels of nesting, and values in one list. */
  filterConditions: 100,
  filterDepth: 10,
  filterValues: 200,
  /** Maximum Unicode code points of a key or value in a filter. */
  filterTextLength: 2_048,
  /** Maximum product of the values that a filter compares and the namespaces searched. */
  filterComparisons: 20_000,
  /** Distinct words of a query that keyword search uses; further words are ignored. */
  queryLexemes: 512,
  /** UTF-16 units of a query in compatible characters whose words are searched: one character may become 18. */
  foldedQueryLength: 20_000,
  /** Number of documents and files after which one request stops retrying, and maximum reasons that it may name. */
  retriedAtOnce: 500,
  retryReasons: 20,
  /** Documents or files that a response names of those that failed for one reason and were not retried. */
  refusedNames: 20,
  /** Maximum items that one deletion by filter removes. */
  filterDeletions: 10_000,
  /** Maximum questions of an evaluation, its worst questions that are kept, and UTF-16 units of each. */
  evaluationQuestions: 10_000,
  worstQuestions: 10,
  evaluationExcerpt: 200,
  /** Points that one query reads before a search stops filling `top_k`. */
  searchReadPoints: 4_096,
  /** Milliseconds for which events can be read again. */
  eventRetentionMs: 86_400_000,
  /** Milliseconds after which a stream skips the number of a missing event. */
  eventGapMs: 5_000,
  /** Milliseconds after which a stream of events ends, and maximum streams of an account at one gateway. */
  eventStreamMs: 300_000,
  eventStreams: 10,
} as const

/** Section 8 of the specification and docs/api-notes.md. */
export const limits = {
  documentsPerUpload: 100,
  /** Unicode code points; default of CAIRN_MIN_TEXT_LENGTH. */
  minTextLength: 10,
  maxTextLength: 50_000,
  /** UTF-8 bytes of the compact JSON of merged metadata. */
  metadataBytes: 2_048,
  metadataKeys: 50,
  idsPerGet: 100,
  idsPerDelete: 1_000,
  vectorsPerUpload: 1_000,
  pageSize: 100,
  /** Unicode code points whose words are found; the rest is ignored. */
  documentContextLength: 300,
  /** UTF-8. */
  idBytes: 512,
  namespaceNameLength: 128,
  maxVectorDimension: 4_096,
  jsonBodyBytes: 10 * 1024 * 1024,
  /** JSON.parse accepts half a million levels; JSON.stringify overflows the stack far earlier. */
  jsonDepth: 64,
  /** Elements of one JSON body: of arrays and objects, without the first of each. Operations may have other limits. */
  jsonKeys: 100_000,
  jsonContainers: 100_000,
  jsonElements: 250_000,
  /** An MCP message, which its SDK checks several times. The largest filter fits. */
  mcpKeys: 1_000,
  mcpElements: 25_000,
  idempotencyKeyLength: 255,
  /** Responses stored per account and process for idempotency keys. */
  idempotencyBytesPerHour: 64 * 1024 * 1024,
  /** For which a response is kept. */
  idempotencyKeySeconds: 86_400,
  /** For which usage is kept; the longest range of a request. */
  usageDays: 400,
  /** Per response. */
  usageRows: 1_000,
  /** Longest wait of a read for work to end. */
  waitSeconds: 60,
  /** Larger bodies count toward the byte budgets of process and account. */
  smallBodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  /** Sent through the API. */
  directFileBytes: 10 * 1024 * 1024,
  /** Sent to a signed URL. */
  fileBytes: 5 * 1024 ** 3,
  /** UTF-8. An object key, which has a prefix before the name, may have 1,024. */
  fileNameBytes: 700,
  /** UTF-8, between two slashes: the limit of file systems. */
  fileNameSegmentBytes: 255,
  fileNamesPerDelete: 1_000,
  /** Counted from the expiry of an uncompleted upload's last URL. */
  partsKeptSeconds: 86_400,
  uploadUrlSeconds: 900,
  downloadUrlSeconds: 900,
  filesPerPage: 500,
  /** Signed URLs in one response, and the highest part number. */
  partsPerRequest: 1_000,
  partNumber: 10_000,
  /** Every part but the last. */
  minPartBytes: 5 * 1024 * 1024,
  topK: 100,
  namespacesPerSearch: 100,
  /** Searched for an answer if the request names none. */
  namespacesUnnamed: 20,
  /** UTF-16 units of long texts in one response whose passages are highlighted. */
  highlightedLength: 500_000,
  /** On each side of a hit. */
  contextChunks: 5,
  queryLength: 10_000,
  /** Unicode code points of a header or footer prompt, and of all messages of a history; number of messages. */
  promptLength: 10_000,
  historyLength: 200_000,
  historyMessages: 200,
  /** UTF-16 units of the passages in a model's prompt. */
  contextLength: 24_000,
  /** UTF-16 units of a JSON Schema. */
  answerSchemaLength: 16_000,
  /** Conditions in total, levels of nesting, values in one list. */
  filterConditions: 100,
  filterDepth: 10,
  filterValues: 200,
  /** Unicode code points of a key or value. */
  filterTextLength: 2_048,
  /** Compared values times namespaces. */
  filterComparisons: 20_000,
  /** Distinct words used by keyword search; further ones are ignored. */
  queryLexemes: 512,
  /** UTF-16 units of a query in compatible characters: one character may become 18. */
  foldedQueryLength: 20_000,
  /** Documents and files after which a request stops retrying; reasons that it may name. */
  retriedAtOnce: 500,
  retryReasons: 20,
  /** Named of those that failed for one reason and were not retried. */
  refusedNames: 20,
  /** Per deletion by filter. */
  filterDeletions: 10_000,
  /** Questions, worst questions kept, and UTF-16 units of each. */
  evaluationQuestions: 10_000,
  worstQuestions: 10,
  evaluationExcerpt: 200,
  /** Points after which a search stops filling `top_k`. */
  searchReadPoints: 4_096,
  /** Events can be read again for this long. */
  eventRetentionMs: 86_400_000,
  /** After it, a stream skips the number of a missing event. */
  eventGapMs: 5_000,
  /** Length of a stream, and streams of an account at one gateway. */
  eventStreamMs: 300_000,
  eventStreams: 10,
} as const

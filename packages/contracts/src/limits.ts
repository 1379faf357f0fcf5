/** Section 8 of the specification and the decisions of docs/api-notes.md, in one place. */
export const limits = {
  documentsPerUpload: 100,
  /** Unicode code points. The lower bound is an operator's setting (CAIRN_MIN_TEXT_LENGTH); this is its default. */
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
  /** Nesting of a JSON body: JSON.parse takes half a million levels, JSON.stringify overflows on far fewer. */
  jsonDepth: 64,
  /** Of one JSON body, where its operation says nothing else: all keys, all objects and arrays, and all elements of arrays. */
  jsonKeys: 100_000,
  jsonContainers: 100_000,
  jsonElements: 250_000,
  /** A body of more bytes than this counts towards what the process and the account may hold at once. */
  smallBodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  /** Of a file sent through the API. */
  directFileBytes: 10 * 1024 * 1024,
  /** Of a file sent to a signed address. */
  fileBytes: 5 * 1024 ** 3,
  /** UTF-8 bytes. With the prefix before it the key of an object has at most 1,024. */
  fileNameBytes: 700,
  /** UTF-8 bytes between two slashes: stores that keep objects in files take no more. */
  fileNameSegmentBytes: 255,
  fileNamesPerDelete: 1_000,
  /** How long the parts of an upload that nobody completes stay after the last of their addresses has expired. */
  partsKeptSeconds: 86_400,
  uploadUrlSeconds: 900,
  /** Signed addresses of parts in one answer, and the highest number of a part. */
  partsPerRequest: 1_000,
  partNumber: 10_000,
  /** Of all parts but the last. */
  leastPartBytes: 5 * 1024 * 1024,
  topK: 100,
  namespacesPerSearch: 100,
  queryLength: 10_000,
  /** Unicode code points of a header or footer prompt, of all messages of a history, and how many these may be. */
  promptLength: 10_000,
  historyLength: 200_000,
  historyMessages: 200,
  /** UTF-16 units of the passages a model is given. */
  contextLength: 24_000,
  /** UTF-16 units of the JSON Schema of a structured answer. */
  answerSchemaLength: 16_000,
  /** Points of one query looked at before a search gives up filling `top_k`. */
  searchReadPoints: 4_096,
} as const

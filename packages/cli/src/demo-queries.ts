export type DemoQuery = {
  readonly query: string
  /** Its README answers the query. */
  readonly expected: string
}

/**
 * By users who do not know the package: no query has a word of more than three letters of its name or of its README's
 * first line, as a test checks. They were written before any model was run and must not be adjusted to the results.
 */
export const demoQueries: readonly DemoQuery[] = [
  { query: 'warn the users of my library that a function will be removed', expected: 'depd' },
  { query: 'is my program being run by a continuous integration service', expected: 'std-env' },
  { query: 'which sources did I touch since my last commit', expected: 'watskeburt' },
  { query: 'what does the number 404 in a web answer stand for', expected: 'statuses' },
  { query: 'estimate the median of very many measurements without keeping them all', expected: 'tdigest' },
  { query: 'keep a collection sorted while elements come and go', expected: 'bintrees' },
  { query: 'suggest under which name the browser saves a download', expected: 'content-disposition' },
  { query: 'forbid imports from one folder into another and draw who uses whom', expected: 'dependency-cruiser' },
  { query: 'quickly list what a script imports without parsing all of it', expected: 'es-module-lexer' },
  { query: 'does this project use yarn or pnpm', expected: 'package-manager-detector' },
  { query: 'run a trained neural network on my machine', expected: 'onnxruntime-node' },
  { query: 'hide passwords and other secrets before an object is logged', expected: '@pinojs/redact' },
]

/** Without a goal: situations rather than purposes, with at most half of their significant words in the README. */
export const hardQueries: readonly DemoQuery[] = [
  { query: 'tell which of two release numbers is newer and whether upgrading to it is allowed', expected: 'semver' },
  { query: 'skip whatever must never be committed to the repository', expected: 'ignore' },
  { query: 'read an old Russian or Japanese web page whose letters come out garbled', expected: 'iconv-lite' },
  { query: 'short unguessable keys for new rows of a database', expected: 'nanoid' },
  {
    query: 'monitor how busy a web service is and how slowly it answers, with graphs and alerts',
    expected: 'prom-client',
  },
  {
    query:
      'invent hundreds of odd inputs to find one that makes my function fail, then make that one as small as possible',
    expected: 'fast-check',
  },
  { query: 'tell whether a visitor comes from our internal subnet or from the public internet', expected: 'ipaddr.js' },
  { query: 'pack a whole folder into one smaller file for mailing and unpack it again later', expected: 'adm-zip' },
  { query: 'find code and libraries that nobody needs any more so that I can delete them', expected: 'knip' },
  { query: 'can a search pattern from a stranger make my server hang for minutes', expected: 'safe-regex' },
  { query: 'my script has finished its work but never exits: what keeps it alive', expected: 'why-is-node-running' },
  { query: 'shrink style sheets so that pages load quicker, also in outdated browsers', expected: 'lightningcss' },
]

/** Terms or names with a description, for hybrid search. Written before any was run. */
export const mixedQueries: readonly DemoQuery[] = [
  { query: 'validator for caching from size and mtime of a file', expected: 'etag' },
  { query: 'multipart/form-data middleware that limits the fileSize of uploads', expected: 'multer' },
  { query: 'turn a .docx document of Word into HTML', expected: 'mammoth' },
  { query: 'OCR of scanned pictures with WebAssembly', expected: 'tesseract.js' },
  { query: 'inflate gzip data without native code', expected: 'pako' },
  { query: 'read charset and other parameters of a header', expected: 'content-type' },
  { query: 'fast JSON logs with child loggers', expected: 'pino' },
  { query: 'consumer group that commits offsets and survives rebalancing', expected: 'kafkajs' },
  { query: 'who really called when X-Forwarded-For passes several reverse proxies', expected: 'proxy-addr' },
  { query: 'replace parts of source code and keep a source map', expected: 'magic-string' },
  { query: 'connection pool for HTTP/1.1 with pipelining, as fetch in Node.js uses it', expected: 'undici' },
  { query: 'schema validation with static type inference for TypeScript', expected: 'zod' },
]

// The direction of imports: contracts <- domain <- adapters, and domain <- runtime <- services; a `main.ts` and `adapters/src/cluster.ts` choose them.
// scripts/check-dependencies.ts runs this and fails when a file was not seen or an import was not resolved.

/** Tests, contract suites and the packages that exist for them. */
const testCode = ['[.](test|contract|fixture)[.]ts$', '^packages/testing/']

/** Not a store: the lock on the data directory is SQLite's, because that one goes with the process however it ends. */
const dataDirectory = '^services/standalone/src/data-directory'

/** The modules that talk to an engine, and the only files that may. */
const engineClients = [
  { client: '^node_modules/kafkajs/', only: '^packages/adapters/src/message-bus/kafka' },
  { client: '^node_modules/(mongodb|bson)/', only: '^packages/adapters/src/store/mongodb' },
  { client: '^node_modules/@qdrant/', only: '^packages/adapters/src/vector-index/qdrant' },
  { client: '^node_modules/@aws-sdk/', only: '^packages/adapters/src/file-store/s3' },
  {
    client: ['^node:sqlite$', '^sqlite$'],
    only: ['^packages/adapters/src/[^/]+/sqlite', '^packages/adapters/src/sqlite', dataDirectory],
  },
  { client: '^node_modules/(onnxruntime-node|@huggingface)/', only: '^packages/adapters/src/(embedder|reranker)/' },
  { client: '^node_modules/@opentelemetry/', only: '^packages/runtime/src/tracing/otel' },
  { client: '^node_modules/openai/', only: '^packages/adapters/src/answerer/' },
]

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Modules that import each other cannot be read, tested or moved one at a time.',
      {},
      { circular: true },
    ),
    rule(
      'no-unresolved',
      'An import that is not resolved is not checked by any other rule.',
      {},
      { couldNotResolve: true },
    ),
    rule(
      'contracts-are-pure',
      'Contracts are schemas and rules: zod, and no input or output.',
      { path: '^packages/contracts/src/', pathNot: testCode },
      { pathNot: ['^packages/contracts/src/', '^node_modules/zod/'] },
    ),
    rule(
      'domain-knows-contracts-only',
      'What Cairn is must not depend on engines, nor on how a process runs.',
      { path: '^packages/domain/src/', pathNot: testCode },
      { path: '^(packages|services|bench|e2e|scripts)/', pathNot: '^packages/(contracts|domain)/src/' },
    ),
    rule(
      'adapters-stand-below-what-runs',
      'An adapter does what a port asks, whatever process it is in.',
      { path: '^packages/adapters/src/', pathNot: testCode },
      { path: '^(packages|services|bench|e2e|scripts)/', pathNot: '^packages/(contracts|domain|adapters)/src/' },
    ),
    rule(
      'extract-reads-and-knows-no-more',
      'A path in, blocks out: reading knows no store, job or account.',
      { path: '^packages/extract/src/', pathNot: testCode },
      {
        path: '^(packages|services|bench|e2e|scripts)/',
        pathNot: '^packages/(contracts/src|extract/src|domain/src/text)/',
      },
    ),
    rule(
      'runtime-knows-no-adapter',
      'What runs a service must not know which engine is behind a port.',
      { path: '^packages/runtime/src/', pathNot: testCode },
      { path: '^(packages|services|bench|e2e|scripts)/', pathNot: '^packages/(contracts|domain|runtime)/src/' },
    ),
    rule(
      'adapters-only-in-main',
      "A service is handed its adapters; only main.ts chooses them, and the library that is an edge store in its caller's process.",
      {
        path: '^services/[^/]+/src/',
        pathNot: ['^services/[^/]+/src/main[.]ts$', '^services/edge/src/library[.]ts$', ...testCode],
      },
      {
        path: '^packages/adapters/src/',
        // Each engine declares its own settings.
        pathNot: ['settings[.]ts$'],
      },
    ),
    rule(
      'services-do-not-import-services',
      'Services meet on the bus and in the stores.',
      { path: '^services/([^/]+)/', pathNot: '^services/standalone/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    rule(
      'standalone-takes-service-and-config-only',
      'The one-process composition uses the public surface of a service.',
      { path: '^services/standalone/' },
      {
        path: '^services/',
        pathNot: ['^services/standalone/', '^services/[^/]+/src/(service|config|rebuild-command)[.]ts$'],
      },
    ),
    rule(
      'client-stands-alone',
      'The client is published: it has one dependency, and nothing of the services.',
      {
        path: '^packages/client/src/',
        pathNot: ['^packages/client/src/(write-types|build-package)[.]ts$', ...testCode],
      },
      { pathNot: ['^packages/client/src/', '^node_modules/openapi-fetch/'] },
    ),
    rule(
      'mcp-is-a-client',
      'The tools of assistants use the HTTP API, so that a key means the same to them.',
      { path: '^packages/mcp/src/', pathNot: testCode },
      { path: '^(packages|services|bench|e2e|scripts)/', pathNot: '^packages/(contracts|client|mcp)/src/' },
    ),
    rule(
      'cli-is-a-client',
      'The command speaks HTTP to the gateway, so that it works against any installation.',
      { path: '^packages/cli/src/', pathNot: ['^packages/cli/src/main[.]ts$', ...testCode] },
      {
        path: '^(packages|services|bench|e2e|scripts)/',
        pathNot: [
          '^packages/(contracts|client|cli|mcp)/src/',
          '^packages/cli/package[.]json$',
          '^packages/runtime/src/http/api-key[.]ts$',
          '^packages/domain/src/(text/cut-passages|sha256-of)[.]ts$',
          '^packages/extract/src/block[.]ts$',
        ],
      },
    ),
    rule(
      'cli-main-chooses-the-embedder',
      'What fills an edge store embeds texts itself, and `cairn read` reads files. Of all that runs the services the command takes nothing else, and only its main.ts does.',
      { path: '^packages/cli/src/main[.]ts$' },
      {
        path: '^(packages|services|bench|e2e|scripts)/',
        pathNot: [
          '^packages/(contracts|client|cli)/src/',
          '^packages/runtime/src/config/(config|embedder-config)[.]ts$',
          '^packages/adapters/src/(embedder/configured|clock/system)[.]ts$',
          '^packages/extract/src/child/run-extractor[.]ts$',
        ],
      },
    ),
    rule(
      'console-is-a-client',
      'The page in the browser uses the API through the client; what else it imports, code of the server or zod, would make it several times larger.',
      { path: '^packages/console/src/', pathNot: testCode },
      { pathNot: ['^packages/(client|console)/src/', '^node_modules/(@tanstack/preact-query|preact)/'] },
    ),
    rule(
      'nothing-imports-the-console',
      'It is built and served as files.',
      { pathNot: '^packages/console/' },
      { path: '^packages/console/' },
    ),
    rule(
      'no-test-code-in-product',
      'What tests need must not be part of what is shipped.',
      { path: '^(packages|services)/', pathNot: testCode },
      { path: [...testCode, '^(bench|e2e|scripts)/', '^node_modules/(vitest|fast-check)/'] },
    ),
    ...engineClients.map(({ client, only }) =>
      rule(
        'engine-clients-only-in-their-adapter',
        'An engine can be exchanged as long as one folder knows it.',
        { path: '^(packages|services)/', pathNot: only },
        { path: client },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports count: a type from the wrong side is a dependency on it.
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      // Workspaces are found through their package's `exports`.
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
    },
  },
}

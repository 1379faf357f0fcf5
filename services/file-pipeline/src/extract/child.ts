import { extractors, parsers } from './extractors.ts'
import { readRequest, serveExtractor } from './serve-extractor.ts'

const { type, loadsOnly } = readRequest()
// Node writes the parser's compile cache when this process exits; see `compiled-code.ts`.
if (loadsOnly) {
  await parsers[type]()
  process.exit(0)
}
await serveExtractor((type) => extractors[type])

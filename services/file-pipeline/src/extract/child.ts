import { extractors, parsers } from './extractors.ts'
import { readRequest, serveExtractor } from './serve-extractor.ts'

const { type, loadsOnly } = readRequest()
if (loadsOnly) {
  await parsers[type]()
  process.exit(0)
}
await serveExtractor((type) => extractors[type])

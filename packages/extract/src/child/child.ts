import { flushCompileCache } from 'node:module'
import { extractors, parsers } from '../extractors.ts'
import { endNow, readRequest, serveExtractor } from './serve-extractor.ts'

const { type, loadsOnly } = readRequest()
// See `compiled-code.ts`. Node itself writes the cache in `process.exit`, which may wait forever.
if (loadsOnly) {
  await parsers[type]()
  flushCompileCache()
  endNow()
}
await serveExtractor((type) => extractors[type])

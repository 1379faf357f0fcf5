import { extractors } from './extractors.ts'
import { serveExtractor } from './serve-extractor.ts'

await serveExtractor((type) => extractors[type])

import type { Embedder } from '@cairn/domain/ports/embedder'
import { extractiveSummariser } from './chunk/summarise.ts'
import type { Summariser } from './chunk/summariser.ts'

/**
 * Creates a summarizer that compares sentences with a cheap embedder; a model would have to process the whole file
 * again.
 */
export const summariseBy = (embedder: Pick<Embedder, 'embed'>): Summariser =>
  extractiveSummariser({ embed: (texts) => embedder.embed(texts, { kind: 'document' }) })

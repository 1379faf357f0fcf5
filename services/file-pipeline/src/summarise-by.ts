import type { Embedder } from '@cairn/ports/embedder/port'
import { extractiveSummariser } from './chunk/summarise.ts'
import type { Summariser } from './chunk/summariser.ts'

/** Sentences are compared by an embedder that costs next to nothing: a model would have to read all of the file once more for that. */
export const summariseBy = (embedder: Pick<Embedder, 'embed'>): Summariser =>
  extractiveSummariser({ embed: (texts) => embedder.embed(texts, { kind: 'document' }) })

import { type EdgeChunk, edgeChunkTokens } from '@cairn/contracts/documents/edge-chunk'
import { cutPassages } from '@cairn/domain/text/cut-passages'
import type { EdgeEmbedder, SourceDocument } from './port.ts'

const textField = (metadata: SourceDocument['metadata'], names: readonly string[]): string | undefined =>
  names
    .map((name) => (Object.hasOwn(metadata, name) ? metadata[name] : undefined))
    .find((value): value is string => typeof value === 'string' && value.trim() !== '')

const tagsOf = (metadata: SourceDocument['metadata']): string[] => {
  const tags = Object.hasOwn(metadata, 'tags') ? metadata['tags'] : undefined
  if (typeof tags === 'string') return tags.split(',')
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string' || typeof tag === 'number').map(String) : []
}

/** UTF-16 units: text without blanks may be a single token to a model, and stores limit the length of texts. */
const maxBodyLength = 8_000

function* bounded(body: string): Generator<string> {
  for (let from = 0; from < body.length || from === 0; ) {
    const end = from + maxBodyLength
    // Not between the halves of a surrogate pair.
    const cut = /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end - 1 : end
    yield body.slice(from, cut)
    from = cut
  }
}

/** The id and the source fill in missing metadata. */
const chunksOf = ({ id, text, metadata }: SourceDocument, tokens: Uint32Array, maxTokens: number): EdgeChunk[] => {
  const about = {
    docId: id,
    category: textField(metadata, ['category', 'source']) ?? 'document',
    title: textField(metadata, ['title', 'page_title', 'heading']) ?? id,
    tags: tagsOf(metadata),
  }
  const passages = cutPassages(text, tokens, { maxTokens, overlapTokens: 0 })
  const bodies = passages.flatMap(({ start, end }) => [...bounded(text.slice(start, end).trim())])
  return bodies.map((body, index) => ({ ...about, index, body }))
}

/** Cuts between sentences, into chunks of at most 200 tokens, or the model's limit if that is lower. */
export const cutDocuments = async (
  embedder: EdgeEmbedder,
  documents: readonly SourceDocument[],
): Promise<EdgeChunk[][]> => {
  const maxTokens = Math.min(edgeChunkTokens, embedder.maxTokens)
  const tokens = await embedder.tokens(documents.map(({ text }) => text))
  return documents.map((document, index) => chunksOf(document, tokens[index] as Uint32Array, maxTokens))
}

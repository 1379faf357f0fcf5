import { limits } from '@cairn/contracts/limits'
import type { ChunkDraft } from '@cairn/ports/metadata/port'
import type { Chunk } from './chunk/chunk.ts'
import type { FileProperties } from './extract/block.ts'

/** Chunks that one summary is of. */
export const chunksPerSummary = 100
/** Of a text that describes a chunk: enough to tell it by, and together below what metadata may have. */
const longest = 300

const clip = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`)

export const chunkItemId = (idBase: string, index: number): string => `${idBase}_chunk_${index}`
export const summaryItemId = (idBase: string, number: number): string => `${idBase}_summary_${number}`

export type Titled = {
  readonly idBase: string
  readonly name: string
  readonly title: string
  /** What the file says of itself: found by filters like metadata of documents. */
  readonly properties: FileProperties
}

/** Also where a chunk has none of the name: `page: 3` in front matter is no page, and `is_summary` makes no summary. */
const ourKeys: ReadonlySet<string> = new Set([
  'id',
  'text',
  'metadata',
  'source',
  'title',
  'page_title',
  'heading',
  'page',
  'sheet',
  'row_from',
  'row_to',
  'path',
  'offset_from',
  'offset_to',
  'ocr_confidence',
  'chunk_index',
  'summary_chunk_id',
  'is_summary',
])

/** Our own keys, and after them as much of the file's own metadata as fits. It never replaces one of our keys. */
const withProperties = (own: Readonly<Record<string, unknown>>, properties: FileProperties): string => {
  const all = new Map(Object.entries(own))
  let bytes = Buffer.byteLength(JSON.stringify(own))
  for (const [key, value] of Object.entries(properties)) {
    const more = Buffer.byteLength(JSON.stringify({ [key]: value }))
    if (ourKeys.has(key) || value === '' || all.size >= limits.metadataKeys || bytes + more > limits.metadataBytes) continue
    all.set(key, value)
    bytes += more
  }
  return JSON.stringify(Object.fromEntries(all))
}

/** A chunk as it is stored. Metadata is what published clients read of a file's chunks; all of it can be filtered by. */
export const chunkDraft = (
  { idBase, name, title, properties }: Titled,
  { index, text, at, heading, pageTitle }: Chunk,
  confidence: number | undefined,
): ChunkDraft => {
  const metadata = {
    source: clip(name),
    title: clip(title),
    ...(pageTitle === undefined ? {} : { page_title: clip(pageTitle) }),
    ...(heading === '' ? {} : { heading: clip(heading) }),
    // A text, as published clients have it.
    ...(at.page === undefined ? {} : { page: String(at.page) }),
    ...(at.sheet === undefined ? {} : { sheet: clip(at.sheet) }),
    ...(at.rows === undefined ? {} : { row_from: at.rows.from, row_to: at.rows.to }),
    ...(at.path === undefined ? {} : { path: clip(at.path) }),
    ...(at.offset === undefined ? {} : { offset_from: at.offset.from, offset_to: at.offset.to }),
    ...(confidence === undefined ? {} : { ocr_confidence: Math.round(confidence) }),
    chunk_index: index,
    summary_chunk_id: summaryItemId(idBase, Math.floor(index / chunksPerSummary)),
  }
  return { itemId: chunkItemId(idBase, index), kind: 'chunk', body: { text, metadata: withProperties(metadata, properties) } }
}

/** Of chunks `from` up to and including `to`. */
export const summaryDraft = (
  { idBase, name, title, properties }: Titled,
  number: number,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): ChunkDraft => {
  const metadata = {
    source: clip(name),
    title: clip(title),
    page: `summary_${number}_chunks_${from}_${to}`,
    chunk_index: number,
    is_summary: true,
  }
  return { itemId: summaryItemId(idBase, number), kind: 'summary', body: { text, metadata: withProperties(metadata, properties) } }
}

import type { ChunkDraft } from '@cairn/ports/metadata/port'
import type { Chunk } from './chunk/chunk.ts'

/** Chunks that one summary is of. */
export const chunksPerSummary = 100
/** Of a text that describes a chunk: enough to tell it by, and together below what metadata may have. */
const longest = 300

const clip = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`)

export const chunkItemId = (idBase: string, index: number): string => `${idBase}_chunk_${index}`
export const summaryItemId = (idBase: string, number: number): string => `${idBase}_summary_${number}`

export type Titled = { readonly idBase: string; readonly name: string; readonly title: string }

/** A chunk as it is stored. Metadata is what published clients read of a file's chunks; all of it can be filtered by. */
export const chunkDraft = (
  { idBase, name, title }: Titled,
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
  return { itemId: chunkItemId(idBase, index), kind: 'chunk', body: { text, metadata: JSON.stringify(metadata) } }
}

/** Of chunks `from` up to and including `to`. */
export const summaryDraft = (
  { idBase, name, title }: Titled,
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
  return { itemId: summaryItemId(idBase, number), kind: 'summary', body: { text, metadata: JSON.stringify(metadata) } }
}

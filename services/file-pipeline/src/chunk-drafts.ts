import { chunkItemId, summaryItemId, summaryPage } from '@cairn/contracts/documents/chunk-ids'
import { chunkKeys, withFileMetadata } from '@cairn/contracts/files/file-metadata'
import { limits } from '@cairn/contracts/limits'
import type { ChunkDraft } from '@cairn/domain/files/chunks'
import type { FileProperties } from '@cairn/extract/block'
import type { Chunk } from './chunk/chunk.ts'

/** A single chunk, alone or after the last full hundred, has no summary. */
export const chunksPerSummary = 100
/** Enough to recognize the chunk; all texts together stay below the metadata limit. */
const maxLength = 300

export const clip = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`

export type Titled = {
  readonly idBase: string
  readonly name: string
  readonly title: string
  /** Filters match them like metadata of documents. */
  readonly properties: FileProperties
  /** JSON of the metadata sent with the file. */
  readonly fileMetadata: string | undefined
}

/** Adds as many of the file's properties as fit; they never replace one of Cairn's keys. */
const withProperties = (own: Readonly<Record<string, unknown>>, properties: FileProperties): string => {
  const all = new Map(Object.entries(own))
  let bytes = Buffer.byteLength(JSON.stringify(own))
  for (const [key, value] of Object.entries(properties)) {
    const more = Buffer.byteLength(JSON.stringify({ [key]: value }))
    if (chunkKeys.has(key) || value === '' || all.size >= limits.metadataKeys || bytes + more > limits.metadataBytes)
      continue
    all.set(key, value)
    bytes += more
  }
  return JSON.stringify(Object.fromEntries(all))
}

/** `extracted` is kept so that the file's metadata can be replaced. */
export const draftMetadata = (text: string, extracted: string, fileMetadata: string | undefined) =>
  fileMetadata === undefined
    ? { body: { text, metadata: extracted } }
    : { body: { text, metadata: withFileMetadata(extracted, fileMetadata) }, extracted }

/** Published clients read the metadata; filters can use all of its keys. */
export const chunkDraft = (
  { idBase, name, title, properties, fileMetadata }: Titled,
  { index, text, at, heading, pageTitle, running, places }: Chunk,
  confidence: number | undefined,
  hasSummary: boolean,
): ChunkDraft => {
  const metadata = {
    source: clip(name),
    title: clip(title),
    ...(pageTitle === undefined ? {} : { page_title: clip(pageTitle) }),
    ...(running === undefined ? {} : { running_text: clip(running) }),
    ...(heading === '' ? {} : { heading: clip(heading) }),
    // Published clients expect a string.
    ...(at.page === undefined ? {} : { page: String(at.page) }),
    ...(at.sheet === undefined ? {} : { sheet: clip(at.sheet) }),
    ...(at.rows === undefined ? {} : { row_from: at.rows.from, row_to: at.rows.to }),
    ...(at.path === undefined ? {} : { path: clip(at.path) }),
    ...(at.offset === undefined ? {} : { offset_from: at.offset.from, offset_to: at.offset.to }),
    ...(confidence === undefined ? {} : { ocr_confidence: Math.round(confidence) }),
    chunk_index: index,
    ...(hasSummary ? { summary_chunk_id: summaryItemId(idBase, Math.floor(index / chunksPerSummary)) } : {}),
  }
  return {
    itemId: chunkItemId(idBase, index),
    kind: 'chunk',
    ...draftMetadata(text, withProperties(metadata, properties), fileMetadata),
    ...(places === undefined ? {} : { places }),
  }
}

/** `from` and `to` are inclusive. */
export const summaryDraft = (
  { idBase, name, title, properties, fileMetadata }: Titled,
  number: number,
  text: string,
  chunks: { readonly from: number; readonly to: number },
): ChunkDraft => {
  const metadata = {
    source: clip(name),
    title: clip(title),
    page: summaryPage(number, chunks),
    chunk_index: number,
    is_summary: true,
  }
  return {
    itemId: summaryItemId(idBase, number),
    kind: 'summary',
    ...draftMetadata(text, withProperties(metadata, properties), fileMetadata),
  }
}

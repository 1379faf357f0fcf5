import { isUserObject, parseMetadata, storeFault } from '../documents/metadata.ts'
import { exactJson } from '../json/exact-json.ts'
import { limits } from '../limits.ts'

/** Only Cairn sets these keys of a chunk, even if the chunk lacks one: `page: 3` in front matter is not a page. */
export const chunkKeys: ReadonlySet<string> = new Set([
  'id',
  'text',
  'metadata',
  'source',
  'title',
  'page_title',
  'running_text',
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

/** `json` is compact. `requirement` completes the sentence "metadata …". */
export type FileMetadataCheck =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly requirement: string }

/** In a JSON body, the metadata are one level deeper. */
const maxDepth = limits.jsonDepth - 1

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/** `sent`: as parsed by `parseWithDigits`. The limits are those of a document's metadata. */
export const checkFileMetadata = (sent: unknown): FileMetadataCheck => {
  if (!isUserObject(sent)) return { ok: false, requirement: 'must be an object' }
  const keys = Object.keys(sent).length
  if (keys > limits.metadataKeys)
    return { ok: false, requirement: `must have at most ${limits.metadataKeys} keys, it has ${keys}` }
  // A form's field may be nested so deeply that JSON.stringify overflows the stack.
  if (isDeeper(sent, maxDepth)) return { ok: false, requirement: `must be nested at most ${maxDepth} levels deep` }
  const json = exactJson(sent)
  const fault = storeFault(sent, json, limits.metadataBytes)
  if (fault) return { ok: false, requirement: fault.message.replace(/^metadata /, '') }
  return { ok: true, json }
}

/**
 * Merges Cairn's keys of `extracted`, the file's metadata, and the file's own properties in `extracted` as far as they
 * fit the limits. Both are compact JSON.
 */
export const withFileMetadata = (extracted: string, fileMetadata: string): string => {
  const [own, sent] = [parseMetadata(extracted), parseMetadata(fileMetadata)]
  const merged: Record<string, unknown> = Object.create(null)
  let bytes = 1
  const take = (key: string, value: unknown, isOptional = false) => {
    const more = Buffer.byteLength(JSON.stringify({ [key]: value })) - 1
    if (isOptional && (Object.keys(merged).length >= limits.metadataKeys || bytes + more > limits.metadataBytes)) return
    merged[key] = value
    bytes += more
  }
  for (const [key, value] of Object.entries(own)) if (chunkKeys.has(key)) take(key, value)
  for (const [key, value] of Object.entries(sent)) if (!chunkKeys.has(key)) take(key, value)
  for (const [key, value] of Object.entries(own)) if (!Object.hasOwn(merged, key)) take(key, value, true)
  return JSON.stringify(merged)
}

import { createHash } from 'node:crypto'

/** An id has at most 512 bytes, and `_summary_` and a number follow. */
const maxBytes = 480
const keptBytes = 400

/** Returns the longest prefix of at most `bytes` UTF-8 bytes that splits no character. */
const beginning = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

/**
 * Returns the prefix of the ids of a file's chunks (`${chunkIdBase('notes.md')}_chunk_0`): its name; of a long name,
 * the beginning and a digest.
 */
export const chunkIdBase = (name: string): string => {
  if (Buffer.byteLength(name) <= maxBytes) return name
  return `${beginning(name, keptBytes)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}

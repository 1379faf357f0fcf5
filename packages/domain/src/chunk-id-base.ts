import { createHash } from 'node:crypto'

/** UTF-8 bytes. An id has at most 512, and `_summary_` and a number follow. */
const maxBytes = 480
const keptBytes = 400

/** Returns the longest prefix of at most `bytes` UTF-8 bytes that splits no character. */
const beginning = (text: string, bytes: number): string => {
  const all = Buffer.from(text)
  let end = Math.min(bytes, all.length)
  // Continuation bytes begin with the bits 10.
  while (end < all.length && end > 0 && ((all[end] as number) & 0xc0) === 0x80) end -= 1
  return all.toString('utf8', 0, end)
}

/**
 * Returns the prefix of the ids of a file's chunks: its name, or the beginning of a long name and a digest.
 *
 *     `${chunkIdBase('notes.md')}_chunk_0`
 */
export const chunkIdBase = (name: string): string => {
  if (Buffer.byteLength(name) <= maxBytes) return name
  return `${beginning(name, keptBytes)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}

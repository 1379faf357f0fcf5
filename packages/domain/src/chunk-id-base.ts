import { createHash } from 'node:crypto'

/** UTF-8 bytes: an id has at most 512, and `_summary_` and a number follow. */
const mostBytes = 480
const keptBytes = 400

/** The longest beginning of a text that has at most so many bytes and cuts no character. */
const beginning = (text: string, bytes: number): string => {
  const all = Buffer.from(text)
  let end = Math.min(bytes, all.length)
  // What continues a character begins with the bits 10.
  while (end < all.length && end > 0 && ((all[end] as number) & 0xc0) === 0x80) end -= 1
  return all.toString('utf8', 0, end)
}

/**
 * What the ids of a file's chunks begin with: its name, or of a long one its beginning and a digest.
 *
 *     `${chunkIdBase('notes.md')}_chunk_0`
 */
export const chunkIdBase = (name: string): string => {
  if (Buffer.byteLength(name) <= mostBytes) return name
  return `${beginning(name, keptBytes)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}

const mebi = 1024 * 1024

/** UTF-16 units of all chunks of any file. */
export const maxCharacters = 16 * 1024 * mebi
/** Small files; the limit of larger ones grows with their size. */
export const freeCharacters = 64 * mebi
/** UTF-16 units per uploaded byte (Office files: compressed). */
export const charactersPerByte = 100

/** A text of 5 GB has about 5 million chunks, in Chinese or Japanese up to 8 million. */
export const maxChunks = 10_000_000
/** Any file may have these, however little its text. */
export const freeChunks = 20_000
/**
 * For each million UTF-16 units of distinct text. Running text and tables have 600 to 1,500, Chinese and Japanese
 * 4,500, entries of a dictionary 13,000, and pages of a single line 26,000.
 */
export const chunksPerMillion = 30_000

export const chunkLimit = (distinctCharacters: number): number =>
  Math.min(maxChunks, Math.max(freeChunks, (chunksPerMillion * distinctCharacters) / 1_000_000))

/** UTF-16 units of all chunks, without summaries. */
export const textLimit = (sizeBytes: number): number =>
  Math.min(maxCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

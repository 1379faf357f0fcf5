const mebi = 1024 * 1024

/** Maximum text of all chunks of any file, in UTF-16 units. */
export const maxCharacters = 16 * 1024 * mebi
/** Maximum text of small files, in UTF-16 units; the limit of larger files grows with their size. */
export const freeCharacters = 64 * mebi
/** Text in UTF-16 units allowed per byte of the uploaded file (Office files: compressed). */
export const charactersPerByte = 100

/**
 * Maximum number of chunks of any file: a text of 5 GB has about 5 million, in Chinese or Japanese up to 8 million.
 */
export const maxChunks = 10_000_000
/** Chunks of any file, however little its text. */
export const freeChunks = 20_000
/**
 * Chunks for each million UTF-16 units of distinct text. Running text and tables have 600 to 1,500, Chinese and
 * Japanese 4,500, entries of a dictionary 13,000, and pages of a single line 26,000.
 */
export const chunksPerMillion = 30_000

/** Returns the maximum number of chunks of a file whose distinct chunks have this many UTF-16 units. */
export const chunkLimit = (distinctCharacters: number): number =>
  Math.min(maxChunks, Math.max(freeChunks, (chunksPerMillion * distinctCharacters) / 1_000_000))

/** Returns the maximum text of all chunks of a file in UTF-16 units, without summaries. */
export const textLimit = (sizeBytes: number): number =>
  Math.min(maxCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

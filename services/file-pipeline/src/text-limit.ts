const mebi = 1024 * 1024

/** Maximum text of all chunks of any file, in UTF-16 units. */
export const maxCharacters = 16 * 1024 * mebi
/** Maximum text of small files, in UTF-16 units; the limit of larger files grows with their size. */
export const freeCharacters = 64 * mebi
/** Text in UTF-16 units allowed per byte of the uploaded file (Office files: compressed). */
export const charactersPerByte = 100

/** Returns the maximum text of all chunks of a file in UTF-16 units, without summaries. */
export const textLimit = (sizeBytes: number): number =>
  Math.min(maxCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

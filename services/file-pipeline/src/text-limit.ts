const mebi = 1024 * 1024

/** Maximum text of all chunks of a file, in UTF-16 units, regardless of the file's size. */
export const maxCharacters = 16 * 1024 * mebi
/** Text that a file of any size may have. */
export const freeCharacters = 64 * mebi
/** Per byte of the uploaded file (Office files: compressed). */
export const charactersPerByte = 100

/** Returns the maximum text of all chunks of a file in UTF-16 units, without summaries. */
export const textLimit = (sizeBytes: number): number =>
  Math.min(maxCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

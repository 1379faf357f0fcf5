const mebi = 1024 * 1024

/** What the chunks of one file may have together, in UTF-16 units, whatever the size of the file. */
export const mostCharacters = 16 * 1024 * mebi
/** A file of any size may become this much. */
export const freeCharacters = 64 * mebi
/** For each byte of the file as it was uploaded (an Office file: packed). */
export const charactersPerByte = 100

/** UTF-16 units that the chunks of a file may have together, summaries not counted. */
export const textLimit = (sizeBytes: number): number => Math.min(mostCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

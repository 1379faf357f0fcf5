import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Random access to a file. Only the requested bytes are in memory. */
export type PdfSource = {
  readonly size: number
  /**
   * Fills `into` from `position`; returns false if the file is too short. Throws only disk errors, which are not faults
   * of the file.
   */
  read(into: Uint8Array, position: number): boolean
  close(): void
}

/** Opens a file for synchronous reads, because pdfium requests bytes in the middle of a call and can't wait. */
export const openSource = (path: string): PdfSource => {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read(into, position) {
      for (let filled = 0; filled < into.length; ) {
        const more = readSync(file, into, filled, into.length - filled, position + filled)
        if (more === 0) return false
        filled += more
      }
      return true
    },
    close: () => closeSync(file),
  }
}

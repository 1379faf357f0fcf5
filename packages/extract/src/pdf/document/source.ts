import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export type PdfSource = {
  readonly size: number
  /** Returns false if the file is too short. Throws only disk errors, which are no faults of the file. */
  read(into: Uint8Array, position: number): boolean
  close(): void
}

/** Synchronous, because pdfium requests bytes in the middle of a call and can't wait. */
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

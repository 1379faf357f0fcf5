import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file of which any part can be had. Only what is asked for is ever in memory. */
export type PdfSource = {
  readonly size: number
  /** Fills `into` from `position` on; false when the file has less. Its own errors are ours, not the file's. */
  read(into: Uint8Array, position: number): boolean
  close(): void
}

/** Synchronous: pdfium asks for bytes from inside a call and can't wait. */
export const openSource = (path: string): PdfSource => {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read(into, position) {
      for (let got = 0; got < into.length; ) {
        const more = readSync(file, into, got, into.length - got, position + got)
        if (more === 0) return false
        got += more
      }
      return true
    },
    close: () => closeSync(file),
  }
}

import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24

/** Returns the end of the last valid frame and the size of a frame; frames of an earlier round may follow. */
const endOf = (log: Buffer): { readonly end: number; readonly frameBytes: number } => {
  if (log.length < headerBytes) return { end: log.length, frameBytes: 0 }
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let end = headerBytes
  while (end + frameBytes <= log.length && log.subarray(end + 8, end + 16).equals(salts)) end += frameBytes
  return { end, frameBytes }
}

const edit = (file: string, change: (descriptor: number, log: Buffer) => void): void => {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r+')
  try {
    change(descriptor, readFileSync(file))
  } finally {
    closeSync(descriptor)
  }
}

/** Writes the beginning of another frame, as a page torn in mid-write would look. Committed frames are not changed. */
export const tearNextFrame = (file: string): void =>
  edit(file, (descriptor, log) => {
    const { end, frameBytes } = endOf(log)
    if (frameBytes === 0) return
    const torn = Buffer.alloc(Math.floor(frameBytes / 2), 0xa5)
    torn.writeUInt32BE(2, 0)
    log.copy(torn, 8, 16, 24)
    writeSync(descriptor, torn, 0, torn.length, end)
    ftruncateSync(descriptor, end + torn.length)
  })

/**
 * Cuts bytes off the end of the committed frames, as if a disk had acknowledged a write that it did not perform.
 * Returns the number of bytes cut.
 */
export const cutTail = (file: string, frames: number): number => {
  let cut = 0
  edit(file, (descriptor, log) => {
    const { end, frameBytes } = endOf(log)
    const wanted = Math.floor((frames - 0.5) * frameBytes)
    cut = Math.min(wanted, Math.max(0, end - headerBytes))
    ftruncateSync(descriptor, end - cut)
  })
  return cut
}

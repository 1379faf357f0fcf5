import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import type { FileRange } from '../port.ts'
import { diskTrouble } from './disk.ts'

const readBytes = 256 * 1024

/** Closes the file when it ends, fails or is destroyed, also before it was read. A file that is too short is an AppError `internal`. */
export const readBlob = (file: FileHandle, { from, to }: FileRange): Readable => {
  let at = from
  return new Readable({
    highWaterMark: readBytes,
    read() {
      const length = Math.min(readBytes, to + 1 - at)
      if (length <= 0) {
        this.push(null)
        return
      }
      file.read(Buffer.allocUnsafe(length), 0, length, at).then(
        ({ bytesRead, buffer }) => {
          at += bytesRead
          if (bytesRead > 0) this.push(buffer.subarray(0, bytesRead))
          else this.destroy(new AppError('internal', 'The content of a stored file is truncated'))
        },
        (error: unknown) => this.destroy(diskTrouble(error)),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import type { FileRange } from '@cairn/domain/ports/file-store'
import { diskTrouble } from './disk.ts'

const readBytes = 256 * 1024

/**
 * Streams a range of a blob. Closes the file when the stream ends, fails or is destroyed, even before the first read. A
 * truncated file is AppError `internal`.
 */
export const readBlob = (file: FileHandle, { from, to }: FileRange): Readable => {
  let index = from
  return new Readable({
    highWaterMark: readBytes,
    read() {
      const length = Math.min(readBytes, to + 1 - index)
      if (length <= 0) {
        this.push(null)
        return
      }
      file.read(Buffer.allocUnsafe(length), 0, length, index).then(
        ({ bytesRead, buffer }) => {
          index += bytesRead
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

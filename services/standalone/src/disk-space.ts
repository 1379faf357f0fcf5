import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'

/** `files`: bytes of files. `records`: documents, vectors, chunks, namespaces. Deletions are neither: they are always let through. */
export type Content = 'files' | 'records'

export type DiskSpace = {
  /** Throws AppError `unavailable` while there is no space for content of this kind, or for so many bytes more of it. */
  admit(content: Content, bytes?: number): void
  refused(): readonly Content[]
  /** Gives the space of the reserve file back when the disk is full, and takes it again when there is enough. To be called often. */
  keepReserve(): void
}

export type DiskSpaceOptions = {
  /** The data directory: all that is written must be on its disk. */
  readonly directory: string
  /** Of the reserve; of a small disk at most 5 %. 0: nothing is kept, and nothing refused. */
  readonly reserveBytes: number
  /** Bytes that records can take without more of the disk: what is deleted from a file of SQLite is space within it. */
  readonly reusableBytes: () => number
  /** Default: asks the file system. */
  readonly measure?: () => { readonly free: number; readonly total: number }
  readonly now: () => number
}

const mostShare = 0.05
const reusableFreshMs = 1_000
const pieceBytes = 1024 * 1024

const remedy = 'Delete what is no longer needed, or give the disk of the data directory more space.'
const messages: Readonly<Record<Content, string>> = {
  files: `The disk is nearly full: no more files are stored. ${remedy}`,
  records: `The disk is full: nothing more is stored. ${remedy}`,
}

/**
 * Keeps a file of so many bytes, so that there is space for deletions on a disk that anything at all has filled: SQLite writes what is
 * removed to its log first. Above the reserve as much again is kept from files, and half of it from records.
 */
export const diskSpace = ({ directory, reserveBytes, reusableBytes, measure, now }: DiskSpaceOptions): DiskSpace => {
  const file = join(directory, 'reserve')
  const ask =
    measure ??
    (() => {
      const { bavail, blocks, bsize } = statfsSync(directory)
      return { free: bavail * bsize, total: blocks * bsize }
    })
  const look = () => {
    const { free, total } = ask()
    const held = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return { free, held, wanted: Math.floor(Math.min(reserveBytes, mostShare * total)) }
  }
  let reusable = { bytes: 0, at: Number.NEGATIVE_INFINITY }
  const reusableNow = () => {
    if (now() - reusable.at >= reusableFreshMs) reusable = { bytes: reusableBytes(), at: now() }
    return reusable.bytes
  }
  const isRefused = (content: Content, bytes = 0): boolean => {
    const { free, held, wanted } = look()
    if (wanted === 0) return false
    // What is free beside the reserve; less than nothing while that is in use.
    const left = free - Math.max(0, wanted - held) - bytes
    if (content === 'files') return left < wanted
    return left < wanted / 2 && left + reusableNow() < wanted / 2
  }

  return {
    admit: (content, bytes) => {
      if (isRefused(content, bytes)) throw new AppError('unavailable', messages[content], { retryAfterSeconds: 30 })
    },
    refused: () => (['files', 'records'] as const).filter((content) => isRefused(content)),
    keepReserve: () => {
      const { free, held, wanted } = look()
      if (held > 0 && (wanted === 0 || free < wanted / 4)) rmSync(file, { force: true })
      else if (held < wanted && free >= 2 * wanted) {
        try {
          // Written, not only given a length: that would be a file without space of its own.
          writeFileSync(file, '', { mode: 0o600 })
          const piece = Buffer.alloc(pieceBytes)
          for (let left = wanted; left > 0; left -= pieceBytes) writeFileSync(file, piece.subarray(0, left), { flag: 'a' })
        } catch {
          // Another took the space at that moment: it is tried again with the next call.
          rmSync(file, { force: true })
        }
      }
    },
  }
}

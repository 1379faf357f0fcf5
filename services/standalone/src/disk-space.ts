import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'

/** `files`: bytes of files; `records`: documents, vectors, chunks, namespaces. Deletions are always accepted. */
export type Content = 'files' | 'records'

type DiskSpaceOptions = {
  /** Everything must be written to its disk. */
  readonly directory: string
  /** At most 5 % of the disk. 0: no reserve, and nothing is rejected. */
  readonly reserveBytes: number
  /** Usable without more disk space: SQLite reuses deleted space within its file. */
  readonly reusableBytes: () => number
  /** Default: the figures of the file system. */
  readonly measure?: () => { readonly free: number; readonly total: number }
  readonly now: () => number
}

const maxShare = 0.05
const reusableFreshMs = 1_000
const pieceBytes = 1024 * 1024

const remedy = 'Delete what is no longer needed, or give the disk of the data directory more space.'
const messages: Readonly<Record<Content, string>> = {
  files: `The disk is nearly full: no more files are stored. ${remedy}`,
  records: `The disk is full: nothing more is stored. ${remedy}`,
}

/**
 * Keeps a reserve file, so that deletions have space on a full disk: SQLite first writes them to its log. Files are
 * rejected while less than the same amount is free above it; records, while less than half of it is.
 */
export const diskSpace = ({ directory, reserveBytes, reusableBytes, measure, now }: DiskSpaceOptions) => {
  const file = join(directory, 'reserve')
  const measureSpace =
    measure ??
    (() => {
      const { bavail, blocks, bsize } = statfsSync(directory)
      return { free: bavail * bsize, total: blocks * bsize }
    })
  const readSpace = () => {
    const { free, total } = measureSpace()
    const held = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return { free, held, target: Math.floor(Math.min(reserveBytes, maxShare * total)) }
  }
  let reusable = { bytes: 0, at: Number.NEGATIVE_INFINITY }
  const reusableNow = () => {
    if (now() - reusable.at >= reusableFreshMs) reusable = { bytes: reusableBytes(), at: now() }
    return reusable.bytes
  }
  const isRefused = (content: Content, bytes = 0): boolean => {
    const { free, held, target } = readSpace()
    if (target === 0) return false
    // Besides the reserve; negative while the reserve is in use.
    const left = free - Math.max(0, target - held) - bytes
    if (content === 'files') return left < target
    return left < target / 2 && left + reusableNow() < target / 2
  }

  return {
    /** Throws AppError `unavailable` while the disk lacks space for this content and `bytes` more. */
    admit: (content: Content, bytes?: number): void => {
      if (isRefused(content, bytes)) throw new AppError('unavailable', messages[content], { retryAfterSeconds: 30 })
    },
    refused: (): readonly Content[] => (['files', 'records'] as const).filter((content) => isRefused(content)),
    /** Removes the file when the disk is full, and creates it again when there is space. Call often. */
    keepReserve: (): void => {
      const { free, held, target } = readSpace()
      if (held > 0 && (target === 0 || free < target / 4)) rmSync(file, { force: true })
      else if (held < target && free >= 2 * target) {
        try {
          // A sparse file would reserve nothing.
          writeFileSync(file, '', { mode: 0o600 })
          const piece = Buffer.alloc(pieceBytes)
          for (let left = target; left > 0; left -= pieceBytes)
            writeFileSync(file, piece.subarray(0, left), { flag: 'a' })
        } catch {
          // Another process used the space meanwhile; the next call tries again.
          rmSync(file, { force: true })
        }
      }
    },
  }
}

export type DiskSpace = ReturnType<typeof diskSpace>

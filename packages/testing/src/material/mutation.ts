import type { FileType } from '@cairn/contracts/files/file-rules'
import type { Random } from '../seeded-random.ts'

export type MutateOptions = {
  /** A file whose content must never occur in any output. Default: a missing file. */
  readonly canaryFile?: string
  /** A URL that must never be connected to. Default: a closed port of this machine. */
  readonly canaryUrl?: string
  /** Announced size of a bomb in bytes. Default: 300 MB, 1 GB or 10 GB (10 MB of file), by the seed. */
  readonly expandedBytes?: number
  /** Bytes of an oversized field, string or line. Default 20 MB. */
  readonly hugeBytes?: number
  /** Mutation to use instead of the seed's choice. */
  readonly kind?: string
}

export type Mutated = { readonly bytes: Buffer; readonly kind: string }

export type Subject = {
  /** A valid file of the type. */
  readonly bytes: Buffer
  readonly type: FileType
  readonly random: Random
  readonly canaryFile: string
  readonly canaryUrl: string
  readonly expandedBytes: number
  readonly hugeBytes: number
}

export type Mutations = Readonly<Record<string, (subject: Subject) => Buffer>>

import type { Random } from '../seeded-random.ts'
import type { FileType } from './material.ts'

export type MutateOptions = {
  /** A file whose content must never show up anywhere. Default: one that is not there. */
  readonly canaryFile?: string
  /** Where nobody may ever connect to. Default: a closed port of this machine. */
  readonly canaryUrl?: string
  /** What a bomb claims to become, in bytes. Default: one of 300 MB, 1 GB and 10 GB (10 MB of file), as the seed says. */
  readonly expandedBytes?: number
  /** How long a field, string or line is that is too long. Default 20 MB. */
  readonly hugeBytes?: number
  /** This mutation instead of one the seed chooses. */
  readonly kind?: string
}

export type Mutated = { readonly bytes: Buffer; readonly kind: string }

export type Subject = {
  /** A sound file of the type. */
  readonly bytes: Buffer
  readonly type: FileType
  readonly random: Random
  readonly canaryFile: string
  readonly canaryUrl: string
  readonly expandedBytes: number
  readonly hugeBytes: number
}

export type Mutations = Readonly<Record<string, (subject: Subject) => Buffer>>

import { readFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import * as z from 'zod'

const rule = 'must be a whole number from 0 on, or null for unlimited'
const limit = z.int(rule).min(0, rule).nullable()

const tiersSchema = z.record(
  z.string().min(1),
  z.strictObject({
    /** Limits of an account; `requests` per calendar month (UTC). null: unlimited. */
    namespaces: limit,
    documents: limit,
    vectors: limit,
    requests: limit,
    /** Stored files, parts and announced uploads. Default: tiers files of earlier versions lack it. */
    bytes: limit.default(null),
    /** Permitted uploads of unannounced size that have not arrived. */
    openUploads: limit.default(null),
  }),
)

export type Tier = z.infer<typeof tiersSchema>[string]
export type Tiers = Readonly<Record<string, Tier>>

/** Bytes of this many files of the largest size: each file has at least one chunk, which is a document. */
const ofFiles = (files: number) => files * limits.fileBytes

export const defaultTiers: Tiers = {
  community: {
    namespaces: 10,
    documents: 10_000,
    vectors: 10_000,
    requests: 100_000,
    bytes: ofFiles(10_000),
    openUploads: 10_000,
  },
  professional: {
    namespaces: 100,
    documents: 100_000,
    vectors: 100_000,
    requests: 1_000_000,
    bytes: ofFiles(100_000),
    openUploads: 100_000,
  },
  enterprise: { namespaces: null, documents: null, vectors: null, requests: null, bytes: null, openUploads: null },
}

const faultOf = (error: unknown): string => {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error)
  return error.issues.map(({ path, message }) => `${path.join('.')}${path.length > 0 ? ' ' : ''}${message}`).join('; ')
}

/** Reads a JSON file of the form of {@link defaultTiers}, which is the default. */
export const readTiers = (file: string | undefined): Tiers => {
  if (file === undefined) return defaultTiers
  try {
    return tiersSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new AppError('invalid', `CAIRN_TIERS_FILE ${file}: ${faultOf(error)}`, { cause: error })
  }
}

export const isTier = (tiers: Tiers, name: string): boolean => Object.hasOwn(tiers, name)

/** Grants nothing for a tier missing in the file: a visible rejection is better than a missing limit. */
export const tierOf = (tiers: Tiers, name: string): Tier =>
  (isTier(tiers, name) ? tiers[name] : undefined) ?? {
    namespaces: 0,
    documents: 0,
    vectors: 0,
    requests: 0,
    bytes: 0,
    openUploads: 0,
  }

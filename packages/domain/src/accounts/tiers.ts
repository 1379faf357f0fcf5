import { readFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import * as z from 'zod'

const rule = 'must be a whole number from 0 on, or null for unlimited'
const limit = z.int(rule).min(0, rule).nullable()

const tiersSchema = z.record(
  z.string().min(1),
  z.strictObject({
    /**
     * Maximum number of namespaces, documents and vectors of an account, and of its requests per calendar month (UTC).
     * null: unlimited.
     */
    namespaces: limit,
    documents: limit,
    vectors: limit,
    requests: limit,
    /**
     * Maximum bytes of stored files, parts and announced uploads. Missing: unlimited, as in tiers files of earlier
     * versions.
     */
    bytes: limit.default(null),
    /** Maximum number of permitted uploads of unannounced size that have not arrived. */
    openUploads: limit.default(null),
  }),
)

export type Tier = z.infer<typeof tiersSchema>[string]
export type Tiers = Readonly<Record<string, Tier>>

/**
 * Returns the total bytes of this many files of the largest size. A file has at least one chunk and each chunk is a
 * document, so more files could not be searched.
 */
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

/**
 * Returns an error's problems as text: `community.documents must be a whole number from 0 on, or null for unlimited; …`
 */
const faultOf = (error: unknown): string => {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error)
  return error.issues.map(({ path, message }) => `${path.join('.')}${path.length > 0 ? ' ' : ''}${message}`).join('; ')
}

/** Reads tiers from a JSON file of the form of {@link defaultTiers}; without a file, returns the default tiers. */
export const readTiers = (file: string | undefined): Tiers => {
  if (file === undefined) return defaultTiers
  try {
    return tiersSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new AppError('invalid', `CAIRN_TIERS_FILE ${file}: ${faultOf(error)}`, { cause: error })
  }
}

/** Whether the tiers file of this server defines the tier. */
export const isTier = (tiers: Tiers, name: string): boolean => Object.hasOwn(tiers, name)

/**
 * Returns the limits of a tier. A tier missing in the file grants nothing: a visible rejection is better than a missing
 * limit.
 */
export const tierOf = (tiers: Tiers, name: string): Tier =>
  (isTier(tiers, name) ? tiers[name] : undefined) ?? {
    namespaces: 0,
    documents: 0,
    vectors: 0,
    requests: 0,
    bytes: 0,
    openUploads: 0,
  }

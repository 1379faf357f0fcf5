import { AppError } from '@cairn/contracts/errors'
import type {
  FileListing,
  FileRange,
  MultipartListing,
  PutOptions,
  SignOptions,
  UploadedPart,
} from '@cairn/domain/ports/file-store'

const keyBytes = 1_024
const pageSize = 1_000
const keysAtOnce = 1_000
const lastPart = 10_000
/** Seven days, the maximum lifetime of a signed S3 request. */
const maxExpirySeconds = 604_800
/** XML 1.0 can't represent the last two characters, and stores list and delete in XML. */
const unfit = /[\p{Cc}\\\uFFFE\uFFFF]/u

const invalid = (message: string) => new AppError('invalid', message)
const check = (holds: boolean, message: string): void => {
  if (!holds) throw invalid(message)
}
const isCount = (value: number, min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && value >= min && value <= max

// Keys contain file names of users, so no error message repeats a key.
const checkText = (text: string, what: string): void => {
  check(text.isWellFormed(), `${what} has half of a surrogate pair`)
  check(Buffer.byteLength(text) <= keyBytes, `${what} has more than ${keyBytes} bytes`)
  check(!unfit.test(text), `${what} has a backslash, a control character, U+FFFE or U+FFFF`)
}
const isSegment = (segment: string) => segment !== '' && segment !== '.' && segment !== '..'

export const checkKey = (key: string): void => {
  check(key !== '', 'The key is empty')
  checkText(key, 'The key')
  check(key.split('/').every(isSegment), 'The key has a segment that is empty, "." or ".."')
}

export const isKey = (key: string): boolean => {
  try {
    checkKey(key)
    return true
  } catch {
    return false
  }
}

export const checkKeys = (keys: readonly string[]): void => {
  check(isCount(keys.length, 1, keysAtOnce), `Keys must be 1 to ${keysAtOnce}`)
  for (const key of keys) checkKey(key)
}

/** The prefix may be empty; all segments but the last must be complete and valid. */
export const checkPrefix = (prefix: string): void => {
  checkText(prefix, 'The prefix')
  check(prefix.split('/').slice(0, -1).every(isSegment), 'The prefix has a segment that is empty, "." or ".."')
}

export const checkListing = ({ prefix, after, limit }: FileListing): void => {
  checkPrefix(prefix)
  if (after !== undefined) checkPrefix(after)
  check(isCount(limit, 1, pageSize), `The limit must be 1 to ${pageSize}`)
}

export const checkMultipartListing = ({ prefix, after, limit }: MultipartListing): void => {
  checkListing({ prefix, limit, ...(after ? { after: after.key } : {}) })
}

export const checkRange = ({ from, to }: FileRange): void =>
  check(isCount(from, 0) && isCount(to, from), 'The range must be whole numbers of bytes, from at most to')

/** It becomes a header value. */
export const checkContentType = (contentType: string): void =>
  check(
    /^[!-~](?:[ -~]{0,253}[!-~])?$/.test(contentType),
    'The content type must be 1 to 255 printable ASCII characters',
  )

export const checkSize = (sizeBytes: number | undefined): void =>
  check(sizeBytes === undefined || isCount(sizeBytes, 0), 'The size must be a whole number of bytes')

export const checkPut = ({ contentType, maxBytes }: PutOptions): void => {
  checkContentType(contentType)
  checkSize(maxBytes)
}

export const checkSigning = ({
  expiresInSeconds,
  sizeBytes,
}: Pick<SignOptions, 'expiresInSeconds' | 'sizeBytes'>): void => {
  check(
    isCount(expiresInSeconds, 1, maxExpirySeconds),
    `A signed request must expire in 1 to ${maxExpirySeconds} seconds`,
  )
  checkSize(sizeBytes)
}

export const checkPartNumber = (part: number): void =>
  check(isCount(part, 1, lastPart), `A part's number must be 1 to ${lastPart}`)

export const checkParts = (parts: readonly UploadedPart[]): void => {
  check(parts.length > 0, 'An upload in parts needs at least one')
  for (const { part } of parts) checkPartNumber(part)
  check(new Set(parts.map(({ part }) => part)).size === parts.length, 'A part is named twice')
}

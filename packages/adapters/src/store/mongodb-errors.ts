import { AppError } from '@cairn/contracts/errors'
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
} from 'mongodb'

const duplicateKey = 11_000
const commandNotFound = 59
const writeConflict = 112
/** An existing value blocks the change: PathNotViable, TypeMismatch, BadValue. */
const obstructedCodes: ReadonlySet<number> = new Set([2, 14, 28])

/** Not the primary, shutting down, cut off from the other members or out of time. */
const passingCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  43, // CursorNotFound: the server with the cursor is gone
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout: written, but not known to be on a majority
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern: too few members are available
  writeConflict,
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  262, // ExceededTimeLimit
  9_001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
])
const passingLabels = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError', 'ResetPool']

/** A socket was closed between two commands; the driver passes the error on unchanged. */
const socketCodes: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_SOCKET_CLOSED',
])
const isSocketError = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof MongoError) && 'code' in error && socketCodes.has(error.code)

/** A connection is missing, broke, or was not available in time. */
const isLinkError = (error: unknown): boolean =>
  isSocketError(error) ||
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoNotConnectedError ||
  error instanceof MongoTopologyClosedError ||
  error instanceof MongoServerClosedError ||
  error instanceof MongoClientClosedError ||
  error instanceof MongoStalePrimaryError ||
  error instanceof MongoExpiredSessionError ||
  // The driver does not export these classes.
  (error instanceof MongoError && ['MongoPoolClosedError', 'MongoWaitQueueTimeoutError'].includes(error.name)) ||
  // An interrupted bulk write carries no error code from the server.
  (error instanceof MongoBulkWriteError && typeof error.code !== 'number')

const isPassing = (error: unknown): boolean =>
  isLinkError(error) ||
  (error instanceof MongoError &&
    (passingCodes.has(error.code) || passingLabels.some((label) => error.hasErrorLabel(label))))

export const isServerSelectionError = (error: unknown): boolean => error instanceof MongoServerSelectionError

export const isWriteConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === writeConflict
export const isUnknownCommand = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === commandNotFound
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === duplicateKey

/** Indexes, in the bulk write, of writes that failed with one of these codes. Undefined if any other error occurred. */
const failedPlaces = (error: unknown, codes: ReadonlySet<number>): ReadonlySet<number> | undefined => {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined
  const errors = [error.writeErrors].flat()
  if (errors.length === 0 || errors.some(({ code }) => !codes.has(code))) return undefined
  return new Set(errors.map(({ index }) => index))
}

const takenCodes = new Set([duplicateKey])
const unwrittenCodes = new Set([writeConflict, ...obstructedCodes])

/** Returns the places of documents whose key is taken; undefined as in `failedPlaces`. */
export const refusedIndexes = (error: unknown) => failedPlaces(error, takenCodes)

/** Returns writes that certainly wrote nothing and may be sent again; undefined as in `failedPlaces`. */
export const unwrittenIndexes = (error: unknown) => failedPlaces(error, unwrittenCodes)

export const isObstructed = (error: unknown): boolean =>
  error instanceof MongoServerError && obstructedCodes.has(Number(error.code))

/** Only errors known to be temporary become AppError `unavailable`. */
export const translateError = (error: unknown): unknown => {
  if (isPassing(error))
    return new AppError('unavailable', `The record store can't be used: ${(error as Error).message}.`, {
      cause: error,
      retryAfterSeconds: isWriteConflict(error) ? 1 : 5,
    })
  return error instanceof MongoError ? new Error(`MongoDB refused a step: ${error.message}`, { cause: error }) : error
}

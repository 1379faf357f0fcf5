import type { Body } from '../items/record.ts'

/** Returns the state in which a job begins, and begins again, without `leaseSeq`, which only rises. */
export const fresh = (at: number) =>
  ({
    waiting: 'fresh',
    nextAttemptAt: at,
    lease: null,
    starts: 0,
    attempts: 0,
    retries: 0,
    lastError: null,
    finishedAt: null,
  }) as const

export const sized = (bytes: number, shortBytes: number) =>
  ({ bytes, lane: bytes <= shortBytes ? 'short' : null }) as const

/** A job of at most this many bytes is in the lane `short`: it takes well under a second. */
export const shortTextBytes = 32_768

export const bytesOf = (bodies: readonly Body[]): number =>
  bodies.reduce(
    (sum, { text, metadata, vector }) =>
      sum + Buffer.byteLength(text) + Buffer.byteLength(metadata) + (vector?.byteLength ?? 0),
    0,
  )

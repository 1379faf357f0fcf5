import { limits } from '@cairn/contracts/limits'
import type { SlotPolicy } from '@cairn/runtime/throttles/fair-slots'

/** What an account (of `requests`: a key) may have at once in one process. */
export const slots = {
  requests: (perKey: number) => ({
    what: 'requests are served',
    perOwner: perKey,
    refusal: `At most ${perKey} requests of an API key are served at once; retry when earlier ones are answered.`,
    retryAfterSeconds: 1,
  }),
  eventStreams: {
    what: 'streams of events are open',
    perOwner: limits.eventStreams,
    refusal: `An account follows events at most ${limits.eventStreams} times at once; close a stream first.`,
    retryAfterSeconds: 5,
  },
  /** A local model embeds one query after the other: an account's queries would delay all others'. */
  queryEmbeddings: {
    what: 'queries are being embedded',
    size: 64,
    perOwner: 16,
    waitingPerOwner: 1_024,
    maxWaitMs: 20_000,
  },
  /** Their filters, or queries in many namespaces, are long. */
  heavySearches: {
    what: 'searches with long filters or long queries in many namespaces are in progress',
    size: 4,
    perOwner: 1,
    waitingPerOwner: 32,
    maxWaitMs: 20_000,
  },
  /** A page may have 10 MB, and the database does not know for which account it reads. */
  filterReads: { what: 'listings by filter', size: 4, perOwner: 1 },
  /** A thread may occupy a core for its whole time limit. */
  schemaChecks: {
    what: 'structured answers are being checked',
    size: 2,
    perOwner: 1,
    waiting: 64,
    waitingPerOwner: 16,
  },
  /** One account has at most a quarter, so that its slow readers do not block others. */
  downloads: {
    what: 'files are being downloaded',
    size: 256,
    perOwner: 64,
    waiting: 2_048,
    waitingPerOwner: 1_024,
    maxWaitMs: 45_000,
  },
  /**
   * Others wait with unread bodies, except for some 200 kB that a connection buffers. The published SDK retries a 503
   * with the rest of a stream it has already read: refuse only as a last resort.
   */
  signedPuts: {
    what: 'uploads are being received',
    size: 256,
    perOwner: 64,
    waiting: 128,
    waitingPerOwner: 64,
    maxWaitMs: 45_000,
  },
} satisfies Readonly<Record<string, SlotPolicy | ((max: number) => SlotPolicy)>>

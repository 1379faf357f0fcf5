import type { KafkaMessage } from 'kafkajs'
import type { DeliverySource, StoredMessage } from './delivery.ts'
import { type OffsetRange, readHandled, writeHandled } from './kafka-marks.ts'

/** What the brokers know of a group's progress on one partition. */
export type Progress = {
  readonly partition: number
  /** The first message that is still kept. */
  readonly begin: number
  /** One after the last message. */
  readonly end: number
  /** The first message the group has not handled; -1 when it has never committed. */
  readonly committed: number
  readonly metadata: string | null
}

/** The part of a batch of kafkajs that is read. `fetchedOffset` is missing in its types: the offset that was asked for. */
export type FetchedBatch = {
  readonly partition: number
  readonly fetchedOffset: string
  readonly highWatermark: string
  readonly messages: readonly Pick<KafkaMessage, 'offset' | 'key' | 'value' | 'timestamp'>[]
}

type Held = StoredMessage & { readonly partition: number; readonly offset: number }

type Share = {
  readonly partition: number
  /** The next offset to take in; undefined until the group's progress is known. */
  position: number | undefined
  /** Taken in and not handled, in order of offsets. */
  readonly pending: Map<number, Held>
  /** Handled by the group before this process took the partition over, from `position` on. */
  known: OffsetRange[]
  /** The last commit, as text. */
  saved: string | undefined
}

export type Commit = { readonly partition: number; readonly offset: string; readonly metadata: string }

/** What this process knows better than the brokers, because commits follow a moment later. */
export type ShareState = {
  readonly low: number
  /** When the message at `low` was stored (ms since the epoch), if it was taken in already. */
  readonly oldestAt: number | undefined
  /** How many of the messages before `end` are not handled. */
  unhandled(begin: number, end: number): number
}

const pageSize = 64

const lengthWithin = (ranges: readonly OffsetRange[], from: number, to: number) =>
  ranges.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0)

/** How many messages of a partition a group has not handled, going by what it has committed. */
export const unhandledOf = ({ begin, end, committed, metadata }: Progress): { readonly low: number; readonly messages: number } => {
  const low = Math.max(begin, committed)
  const handled = committed < 0 ? 0 : lengthWithin(readHandled(committed, metadata), low, end)
  return { low, messages: Math.max(0, end - low) - handled }
}

/** Known ranges that `position` has reached are behind it: they are skipped in one step. */
const skipKnown = (share: Share, position: number) => {
  let next = position
  for (let [range] = share.known; range && range[0] <= next; [range] = share.known) {
    next = Math.max(next, range[1])
    share.known.shift()
  }
  share.position = next
}

const lowOf = ({ pending, position = 0 }: Share) => pending.keys().next().value ?? position

/** Everything from `low` on that is not pending: what was taken in and is handled, and what was handled before. */
const handledAbove = ({ pending, position = 0, known }: Share): OffsetRange[] => {
  const ranges: OffsetRange[] = []
  let end: number | undefined
  for (const offset of pending.keys()) {
    if (end !== undefined && offset > end) ranges.push([end, offset])
    end = offset + 1
  }
  if (end !== undefined && position > end) ranges.push([end, position])
  return [...ranges, ...known]
}

/**
 * The messages a member has fetched and not handled, and so what it has to commit: per partition the first message that is
 * not handled, and what is handled beyond it.
 */
export const createKafkaBuffer = (topic: string, perPartition: number) => {
  const shares = new Map<number, Share>()
  const bySeq = new Map<number, Held>()
  const byKey = new Map<string, Held[]>()
  /** Not asked for yet, in the order of arrival. */
  const fresh: Held[] = []
  let lastSeq = 0

  const remove = (held: Held) => {
    bySeq.delete(held.seq)
    const ofKey = byKey.get(held.key) ?? []
    ofKey.splice(ofKey.indexOf(held), 1)
    if (ofKey.length === 0) byKey.delete(held.key)
    shares.get(held.partition)?.pending.delete(held.offset)
  }

  const add = (share: Share, offset: number, { key, value, timestamp }: FetchedBatch['messages'][number]) => {
    const held: Held = {
      seq: ++lastSeq,
      partition: share.partition,
      offset,
      key: key?.toString() ?? '',
      at: Number(timestamp),
      body: value?.toString() ?? '',
      place: `${topic}/${share.partition}/${offset}`,
    }
    share.pending.set(offset, held)
    bySeq.set(held.seq, held)
    const ofKey = byKey.get(held.key)
    if (ofKey) ofKey.push(held)
    else byKey.set(held.key, [held])
    fresh.push(held)
  }

  const clear = (share: Share) => {
    for (const held of [...share.pending.values()]) remove(held)
  }

  const source: DeliverySource = {
    pageSize,
    page: (after) => {
      const seen = fresh.findIndex(({ seq }) => seq > after)
      fresh.splice(0, seen < 0 ? fresh.length : seen)
      return fresh
        .values()
        .filter(({ seq }) => bySeq.has(seq))
        .take(pageSize)
        .toArray()
    },
    nextOfKey: (key, after, upTo) => byKey.get(key)?.find(({ seq }) => seq > after && seq <= upTo),
    handled: (seq) => {
      const held = bySeq.get(seq)
      if (held) remove(held)
    },
  }

  return {
    source,
    /** Whether a message is still this member's to handle. */
    holds: ({ seq }: StoredMessage) => bySeq.has(seq),
    partitions: () => [...shares.keys()],
    size: (partition: number) => shares.get(partition)?.pending.size ?? 0,

    /** The partitions this member has now. What it holds of those it keeps stays, the rest goes. */
    assign: (partitions: readonly number[]) => {
      for (const [partition, share] of shares) {
        if (partitions.includes(partition)) continue
        clear(share)
        shares.delete(partition)
      }
      for (const partition of partitions) {
        if (!shares.has(partition))
          shares.set(partition, { partition, position: undefined, pending: new Map(), known: [], saved: undefined })
      }
    },

    /** What others have handled is handled, whatever this member remembers; and what is not kept any more is not waited for. */
    learn: ({ partition, begin, committed, metadata }: Progress) => {
      const share = shares.get(partition)
      if (!share) return
      const handled = committed < 0 ? [] : readHandled(committed, metadata)
      const low = Math.max(begin, committed)
      for (const held of [...share.pending.values()]) {
        if (held.offset < committed || handled.some(([from, to]) => held.offset >= from && held.offset < to)) remove(held)
      }
      share.known = handled
      skipKnown(share, Math.max(low, share.position ?? 0))
      share.saved = committed < 0 ? `${low} ` : `${committed} ${metadata ?? ''}`
    },

    /**
     * Takes in what is new of a batch, up to the limit of the partition. `done`: the last offset that need not be fetched
     * again. `ahead`: messages in between have not been fetched yet.
     */
    take: ({ partition, fetchedOffset, highWatermark, messages }: FetchedBatch): { readonly done?: string; readonly ahead?: number } => {
      const share = shares.get(partition)
      if (share?.position === undefined) return {}
      const from = Number(fetchedOffset)
      // The topic was made anew or has lost its end: these are other messages than those once seen at the same offsets.
      if (Number(highWatermark) < share.position) {
        clear(share)
        Object.assign(share, { position: from, known: [] })
      }
      if (from > share.position) return { ahead: share.position }
      let done: string | undefined
      for (const message of messages) {
        const offset = Number(message.offset)
        const isNew = offset >= share.position
        if (isNew && share.pending.size >= perPartition) break
        done = message.offset
        if (!isNew) continue
        // Offsets that were left out don't exist: the batch began at or before what was due.
        skipKnown(share, offset)
        if (share.position > offset) continue
        add(share, offset, message)
        skipKnown(share, offset + 1)
      }
      return done === undefined ? {} : { done }
    },

    /** What has changed since the last commit that went through. */
    commits: (): Commit[] =>
      [...shares.values()].flatMap((share) => {
        if (share.position === undefined) return []
        const low = lowOf(share)
        const metadata = writeHandled(low, handledAbove(share))
        return share.saved === `${low} ${metadata}` ? [] : [{ partition: share.partition, offset: String(low), metadata }]
      }),
    committed: (commits: readonly Commit[]) => {
      for (const { partition, offset, metadata } of commits) {
        const share = shares.get(partition)
        if (share) share.saved = `${offset} ${metadata}`
      }
    },

    states: (): Map<number, ShareState> =>
      new Map(
        [...shares.values()].flatMap((share) => {
          const { partition, position, pending, known } = share
          if (position === undefined) return []
          const low = lowOf(share)
          const unhandled = (begin: number, end: number) => {
            const next = Math.max(begin, position)
            return pending.size + Math.max(0, end - next) - lengthWithin(known, next, end)
          }
          return [[partition, { low, oldestAt: pending.get(low)?.at, unhandled }] as const]
        }),
      ),
  }
}

import type { StepName } from '../protocol/step-names.ts'
import {
  type ChangeOf,
  find,
  findLast,
  getOne,
  insert,
  insertOne,
  type Protocol,
  type ReadProtocol,
  updateOne,
} from '../protocol/steps.ts'
import type { EventCounter, EventRecord } from './record.ts'

export type EventPage = {
  readonly records: EventRecord[]
  /** Last number read; a reader continues after it. */
  readonly last: number
  /** What follows `last`; `missing`: a number whose record may still come. */
  readonly next: 'more' | 'nothing' | 'missing'
}

/** Numbers per read, or per call of `close`. */
const numbersAtOnce = 500

/**
 * Draws the next number and its time: at least `at`, and never before that of a lower number. The caller writes its
 * change before the call and reads the record's other facts after it: a record thus reflects the facts behind all lower
 * numbers.
 */
export function* drawNumber(accountId: string, at: number): Protocol<Pick<EventRecord, 'seq' | 'at'>> {
  const drawn = yield* changeCounter('events: draw', accountId, { inc: { last: 1 }, max: { at } })
  return { seq: drawn.last, at: drawn.at }
}

/**
 * Raises the counter to the last record's number, after a drawn number was taken: during a rolling upgrade, processes
 * of a version without counters insert records too.
 */
export function* passLastNumber(accountId: string): Protocol<void> {
  const [last] = yield* findLast('events: last', 'events', { accountId }, ['seq'], 1, ['seq', 'at'])
  if (last) yield* changeCounter('events: pass', accountId, { max: { last: last.seq, at: last.at } })
}

/** Must precede the removal of the records up to this number. */
export function* expireNumbers(accountId: string, expired: number): Protocol<void> {
  yield* changeCounter('events: expire', accountId, { max: { expired } })
}

/** Begins a missing counter after the existing records: earlier versions numbered events without counters. */
function* changeCounter(
  step: StepName,
  accountId: string,
  change: ChangeOf<'eventCounters'>,
): Protocol<Pick<EventCounter, 'last' | 'at'>> {
  for (;;) {
    const counter = yield* updateOne(step, 'eventCounters', [accountId], {}, change, ['last', 'at'])
    if (counter) return counter
    const [first] = yield* find('events: first', 'events', { accountId }, ['seq'], 1, ['seq'])
    const [last] = yield* findLast('events: last', 'events', { accountId }, ['seq'], 1, ['seq', 'at'])
    const begun = { accountId, last: last?.seq ?? 0, at: last?.at ?? 0, expired: first ? first.seq - 1 : 0 }
    yield* insertOne('events: begin counter', 'eventCounters', begun)
  }
}

/**
 * Returns the first and last `seq` of the kept records; undefined: never an event. If all have expired, the first is
 * the number after the last.
 */
export function* readBounds(accountId: string): ReadProtocol<{ first: number; last: number } | undefined> {
  const counter = yield* getOne('events: read counter', 'eventCounters', accountId)
  const [last] = yield* findLast('events: last', 'events', { accountId }, ['seq'], 1, ['seq'])
  if (counter) return { first: counter.expired + 1, last: Math.max(counter.expired, last?.seq ?? 0) }
  const [first] = yield* find('events: first', 'events', { accountId }, ['seq'], 1, ['seq'])
  return first && last && { first: first.seq, last: last.seq }
}

const emptyRecord = (accountId: string, { seq, at }: Pick<EventRecord, 'seq' | 'at'>): EventRecord => ({
  id: `${accountId} number ${seq}`,
  accountId,
  seq,
  namespaceId: null,
  jobId: null,
  at,
  groups: [],
})

/** Fills a number that this process drew and did not use. */
export function* releaseNumber(accountId: string, number: Pick<EventRecord, 'seq' | 'at'>): Protocol<void> {
  yield* insertOne('events: release number', 'events', emptyRecord(accountId, number))
}

/**
 * Fills missing numbers of this range below an existing record, `numbersAtOnce` per call. A late process that drew one
 * must draw again: numbers are unique, so only one of the two records is inserted.
 */
export function* closeNumbers(accountId: string, from: number, to: number): Protocol<void> {
  const where = { accountId, seq: { gt: from - 1, lte: to } }
  const records = yield* find('events: read numbers', 'events', where, ['seq'], numbersAtOnce, ['seq', 'at'])
  const empty: EventRecord[] = []
  let next = from
  for (const { seq, at } of records) {
    for (; next < seq && empty.length < numbersAtOnce; next += 1) empty.push(emptyRecord(accountId, { seq: next, at }))
    next = seq + 1
  }
  if (empty.length > 0) yield* insert('events: close', 'events', empty)
}

const lengthOfRun = (records: readonly Pick<EventRecord, 'seq'>[], seq: number): number => {
  const gap = records.findIndex((record, index) => record.seq !== seq + 1 + index)
  return gap === -1 ? records.length : gap
}

/** Records after `seq`, in order, up to the first missing number. */
export function* readAfter(
  accountId: string,
  seq: number,
  { namespaceId, limit }: { readonly namespaceId?: string | undefined; readonly limit: number },
): ReadProtocol<EventPage> {
  const where = { accountId, seq: { gt: seq } }
  if (namespaceId === undefined) {
    const found = yield* find('events: after', 'events', where, ['seq'], limit)
    const length = lengthOfRun(found, seq)
    const next = length < found.length ? 'missing' : length === limit ? 'more' : 'nothing'
    return { records: found.slice(0, length), last: seq + length, next }
  }
  const numbers = yield* find('events: read numbers', 'events', where, ['seq'], numbersAtOnce, ['seq'])
  const length = lengthOfRun(numbers, seq)
  const last = seq + length
  const own = { namespaceId, seq: { gt: seq, lte: last } }
  const records = length === 0 ? [] : yield* find('events: after', 'events', own, ['seq'], limit)
  if (records.length === limit) return { records, last: records.at(-1)?.seq ?? last, next: 'more' }
  const next = length < numbers.length ? 'missing' : length === numbersAtOnce ? 'more' : 'nothing'
  return { records, last, next }
}

import type { Envelope } from '@cairn/contracts/events'
import type { Clock } from '../clock/port.ts'
import { readEnvelope } from './envelope.ts'

export type StoredMessage = {
  readonly seq: number
  readonly key: string
  readonly at: number
  readonly body: string
  /** Where the engine keeps it, when `seq` is only this process's count: the id of a message that is no envelope. */
  readonly place?: string
}

/** What one group has still to handle on one topic, in publish order. */
export type DeliverySource = {
  /** The first `pageSize` after this number. */
  page(after: number): StoredMessage[]
  readonly pageSize: number
  /** The first of this key, after the one number and not above the other. */
  nextOfKey(key: string, after: number, upTo: number): StoredMessage | undefined
  handled(seq: number): void
}

type Member = { readonly handle: (message: Envelope) => Promise<void>; readonly whenReady: (() => Promise<void>) | undefined }
type Seat = Member & { readonly running: Set<Promise<void>>; gate: 'open' | 'asking' }
/** The message of a key that is ready, being handled or paused. Those behind it (`more`) stay in the store until it is done. */
type Lane = { readonly key: string; message: StoredMessage; attempts: number; more: boolean; running: boolean; forgotten: boolean }

export type Delivery = {
  /** The members share the messages. The returned function lets the member's running handlers finish. */
  join(member: Member): () => Promise<void>
  /** There may be new messages. */
  wake(): void
  /** For messages that are no longer this process's to handle and that the source no longer gives: they are not started (again). */
  forget(gone: (message: StoredMessage) => boolean): void
}

const handlersAtOnce = 16
const readAhead = 64
/** Keys held at once. It takes this many paused ones to hold back the others, and then only for their pause. */
const laneLimit = 10_000
const gatePauseMs = 1_000

/** 100 ms doubling to 5 s, less up to a half by chance, so that what failed together does not come back together. */
const pauseMs = (attempts: number) => Math.min(100 * 2 ** Math.min(attempts - 1, 10), 5_000) * (0.5 + Math.random() / 2)

/** Hands the messages of one group to its members: order within a key, bounded parallelism over keys, pauses after a rejection. */
export const createDelivery = (
  source: DeliverySource,
  deps: { readonly clock: Clock; readonly warn: (fields: object, message: string) => void },
): Delivery => {
  const { clock, warn } = deps
  const seats: Seat[] = []
  const lanes = new Map<string, Lane>()
  const ready: Lane[] = []
  let cursor = 0
  let behind = true
  let running = 0
  let scheduled = false

  // Always through the event loop: handlers that resolve at once must not keep timers and sockets waiting.
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      fill()
      dispatch()
      if (behind && seats.length > 0 && ready.length < readAhead && lanes.size < laneLimit) schedule()
    })
  }

  const fill = () => {
    if (!behind || seats.length === 0 || ready.length >= readAhead || lanes.size >= laneLimit) return
    let page: StoredMessage[]
    try {
      page = source.page(cursor)
    } catch (error) {
      behind = false
      warn({ err: error }, 'messages could not be read; the next look is due')
      return
    }
    for (const message of page) {
      cursor = message.seq
      const lane = lanes.get(message.key)
      if (lane) lane.more = true
      else makeReady({ key: message.key, message, attempts: 0, more: false, running: false, forgotten: false })
    }
    behind = page.length === source.pageSize
  }

  const makeReady = (lane: Lane) => {
    lanes.set(lane.key, lane)
    ready.push(lane)
  }

  /** Meanwhile the group's last member may have left, or the message may have been forgotten: then it must not come back. */
  const later = (lane: Lane, ms: number, then: () => void) => {
    const { message } = lane
    void clock.delay(ms).then(() => {
      if (lanes.get(lane.key) === lane && lane.message === message) then()
    })
  }

  const advance = (lane: Lane) => {
    let next: StoredMessage | undefined
    try {
      next = lane.more ? source.nextOfKey(lane.key, lane.message.seq, cursor) : undefined
    } catch (error) {
      warn({ err: error, key: lane.key }, 'the next message of a key could not be read')
      return later(lane, pauseMs(1), () => advance(lane))
    }
    if (next) {
      Object.assign(lane, { message: next, attempts: 0, forgotten: false })
      ready.push(lane)
    } else lanes.delete(lane.key)
    schedule()
  }

  const attempt = async (seat: Seat, lane: Lane) => {
    const { seq, at, body, place = String(seq) } = lane.message
    const message = readEnvelope(body, { id: place, key: lane.key, at })
    const { id, type } = message
    try {
      await seat.handle(message)
    } catch (error) {
      lane.running = false
      if (lane.forgotten) return advance(lane)
      const ms = pauseMs(++lane.attempts)
      warn({ err: error, messageId: id, type, attempts: lane.attempts, retryMs: Math.round(ms) }, 'message not handled, delivered again')
      return later(lane, ms, () => {
        ready.push(lane)
        schedule()
      })
    }
    lane.running = false
    source.handled(seq)
    advance(lane)
  }

  const run = (seat: Seat, lane: Lane) => {
    running++
    lane.running = true
    const attempted = attempt(seat, lane).finally(() => {
      running--
      seat.running.delete(attempted)
      schedule()
    })
    seat.running.add(attempted)
  }

  // The message is taken after the gate has opened, not before: meanwhile another member may have had room for it.
  const passGate = async (seat: Seat, whenReady: () => Promise<void>) => {
    seat.gate = 'asking'
    let passed = true
    try {
      await whenReady()
    } catch (error) {
      passed = false
      warn({ err: error }, 'a member of a group could not say whether it is ready')
      await clock.delay(gatePauseMs)
    }
    seat.gate = 'open'
    const lane = passed && seats.includes(seat) ? ready.shift() : undefined
    if (lane) run(seat, lane)
    schedule()
  }

  const dispatch = () => {
    for (;;) {
      const index = seats.findIndex((seat) => seat.gate === 'open' && seat.running.size < handlersAtOnce)
      const seat = seats[index]
      if (!seat || ready.length === 0) return
      // To the back of the row: the members take turns.
      seats.push(...seats.splice(index, 1))
      if (seat.whenReady) void passGate(seat, seat.whenReady)
      else run(seat, ready.shift() as Lane)
    }
  }

  const reset = () => {
    lanes.clear()
    ready.length = 0
    cursor = 0
    behind = true
  }

  return {
    join: (member) => {
      const seat: Seat = { ...member, running: new Set(), gate: 'open' }
      seats.push(seat)
      schedule()
      return async () => {
        const index = seats.indexOf(seat)
        if (index >= 0) seats.splice(index, 1)
        await Promise.allSettled(seat.running)
        if (seats.length === 0 && running === 0) reset()
      }
    },
    wake: () => {
      behind = true
      schedule()
    },
    forget: (gone) => {
      const stays = ready.filter((lane) => !gone(lane.message))
      ready.splice(0, ready.length, ...stays)
      for (const lane of lanes.values()) {
        if (!gone(lane.message)) continue
        lane.forgotten = true
        if (!lane.running) advance(lane)
      }
    },
  }
}

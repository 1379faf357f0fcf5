import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '../clock/port.ts'
import { systemClock } from '../clock/system.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { createHandledMarks } from './handled-marks.ts'
import type { MessageBus, Subscription } from './port.ts'
import { createBusReader } from './sqlite-reader.ts'
import { createBusWriter } from './sqlite-writer.ts'

export type SqliteMessageBusOptions = {
  /** Made when missing; its directory has to exist. `-wal` and `-shm` stand beside it while the bus is open. */
  readonly file: string
  readonly clock?: Clock
  /** A message is removed at this age, handled or not. Default: 7 days. */
  readonly retentionMs?: number
  /** Hears of messages that are delivered again and of trouble with the file. */
  readonly log?: { warn(fields: object, message: string): void }
}

const hourMs = 3_600_000
/** Publishing wakes the groups itself; this look finds what slipped through and what another process has published. */
const lookMs = 5_000
const pruneMs = 600_000

/**
 * The bus of the one-process mode: one SQLite file (WAL, synchronous NORMAL), written by a thread of its own that commits
 * whatever has queued. It survives a killed process; a power cut may take the last moments, which the sweeps of the services
 * bring back.
 *
 * One process delivers; others may publish, and wait for the next look (5 s). A message goes when it is older than
 * `retentionMs`, or older than an hour and handled by every group of its topic: so a new group starts at the oldest message
 * that is kept. A file of another schema is refused with AppError `conflict`.
 */
export const sqliteMessageBus = ({
  file,
  clock = systemClock(),
  retentionMs = 7 * 24 * hourMs,
  log,
}: SqliteMessageBusOptions): MessageBus => {
  const warn = (fields: object, message: string) => log?.warn(fields, message)
  const writer = createBusWriter(file)
  const marks = createHandledMarks((groupId, seqs) => writer.run({ kind: 'handled', groupId, seqs }), warn)
  const deliveries = new Map<number, { readonly topic: string; readonly delivery: Delivery }>()
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let reader: ReturnType<typeof createBusReader> | undefined
  let looking: Promise<void> | undefined
  let closed: Promise<void> | undefined

  const prune = async () => {
    const now = clock.now()
    let after: number | undefined = 0
    while (after !== undefined && !closed) {
      const pruned: { readonly next: number | undefined } = await writer.run({
        kind: 'prune',
        after,
        expiredBefore: now - retentionMs,
        handledBefore: now - hourMs,
      })
      after = pruned.next
    }
  }

  const wake = (topic?: string) => {
    for (const entry of deliveries.values()) if (topic === undefined || entry.topic === topic) entry.delivery.wake()
  }

  const look = async () => {
    let pruneAt = clock.monotonic()
    for (;;) {
      await clock.delay(lookMs, closing.signal)
      if (closed) return
      wake()
      void marks.flush()
      if (clock.monotonic() < pruneAt) continue
      pruneAt = clock.monotonic() + pruneMs
      await prune().catch((error: unknown) => warn({ err: error }, 'old messages could not be removed'))
    }
  }

  const enter = () => {
    if (closed) throw new AppError('unavailable', 'the message bus is closed')
    looking ??= look()
  }

  const deliveryOf = (topic: string, groupId: number) => {
    const known = deliveries.get(groupId)
    if (known) return known.delivery
    reader ??= createBusReader(file)
    const source = { ...reader.sourceOf(topic, groupId), handled: (seq: number) => marks.mark(groupId, seq) }
    const delivery = createDelivery(source, { clock, warn })
    deliveries.set(groupId, { topic, delivery })
    return delivery
  }

  const closeAll = async () => {
    closing.abort()
    await Promise.all([...subscriptions].map((subscription) => subscription.close()))
    await looking
    await marks.flush()
    reader?.close()
    await writer.close()
  }

  return {
    publish: async (topic, messages) => {
      enter()
      if (messages.length === 0) return
      const rows = messages.map((message) => ({ key: message.key, body: JSON.stringify(message) }))
      await writer.run({ kind: 'publish', topic, at: clock.now(), messages: rows })
      wake(topic)
    },
    subscribe: async ({ topic, group }, handle, options) => {
      enter()
      const { groupId } = await writer.run({ kind: 'join', topic, group })
      enter()
      const leave = deliveryOf(topic, groupId).join({ handle, whenReady: options?.whenReady })
      let left: Promise<void> | undefined
      const subscription: Subscription = {
        close: () => {
          left ??= leave()
            .then(() => marks.flush())
            .finally(() => subscriptions.delete(subscription))
          return left
        },
      }
      subscriptions.add(subscription)
      return subscription
    },
    backlog: async ({ topic, group }) => {
      enter()
      const { messages, oldestAt } = await writer.run({ kind: 'backlog', topic, group })
      return { messages, oldestAgeMs: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) }
    },
    close: () => {
      closed ??= closeAll()
      return closed
    },
  }
}

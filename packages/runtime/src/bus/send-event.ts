import type { EventDefinition } from '@cairn/contracts/events'
import type { Ids } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { publish } from './publish.ts'

const patienceMs = 500

export type AnnounceDeps = {
  readonly bus: Pick<MessageBus, 'publish'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now' | 'delay'>
  readonly log: { warn(fields: object, message: string): void }
}

type Cause = { readonly correlationId: string; readonly traceparent: string | null }

/** Waits at most 500 ms and only logs a failure, because workers find the written record without the message, too. */
export const sendEvent = async <D>(
  { bus, ids, clock, log }: AnnounceDeps,
  event: EventDefinition<D>,
  data: D,
  key: string,
  { correlationId, traceparent }: Cause,
): Promise<void> => {
  const answered = new AbortController()
  const sent = publish(bus, event, data, {
    key,
    correlationId,
    ids,
    clock,
    ...(traceparent === null ? {} : { traceparent }),
  }).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error, event: event.type, key }, 'event not published')
      return true
    },
  )
  const done = await Promise.race([sent, clock.delay(patienceMs, answered.signal).then(() => false)])
  // With a reason: the default AbortError records a stack.
  answered.abort('answered')
  if (!done) log.warn({ event: event.type, key }, 'publish took longer than 500 ms')
}

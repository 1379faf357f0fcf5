import { isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/ports/clock/port'
import type { MessageBus, Subscription } from '@cairn/ports/message-bus/port'
import type { Logger } from './logger.ts'

type SubscribeDeps = {
  readonly bus: Pick<MessageBus, 'subscribe'>
  readonly clock: Pick<Clock, 'delay'>
  readonly log: Pick<Logger, 'warn'>
}

const againMs = 2_000

/**
 * Subscribes, and does not wait for a bus that is away: the store is the truth about work, and its sweeps go on without one. The
 * subscription is then made once the bus is there. Anything but `unavailable` at the first try rejects.
 *
 *     const subscription = await subscribeWhenThere({ bus, clock, log }, { topic, group }, handle)
 *     onStop(subscription.close)
 */
export const subscribeWhenThere = async (
  { bus, clock, log }: SubscribeDeps,
  ...wanted: Parameters<MessageBus['subscribe']>
): Promise<Subscription> => {
  const [{ topic }] = wanted
  const closed = new AbortController()
  let made: Subscription | undefined

  const later = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await clock.delay(againMs, closed.signal)
      if (closed.signal.aborted) return
      try {
        made = await bus.subscribe(...wanted)
        // Closed while it was being made, which nobody waits for: a bus that is away answers late.
        if (closed.signal.aborted) await made.close()
        return
      } catch (error) {
        log.warn({ err: error, topic }, 'message bus still unavailable')
      }
    }
  }

  try {
    made = await bus.subscribe(...wanted)
  } catch (error) {
    if (!isAppError(error, 'unavailable')) throw error
    log.warn({ err: error, topic }, 'message bus unavailable, subscription deferred')
    void later()
  }
  return {
    close: async () => {
      closed.abort()
      await made?.close()
    },
  }
}

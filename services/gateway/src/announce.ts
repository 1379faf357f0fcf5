import type { EventDefinition } from '@cairn/contracts/events'
import { publish } from '@cairn/runtime/publish'
import type { GatewayPorts } from './deps.ts'

const patienceMs = 500

type Cause = { readonly requestId: string; readonly traceparent: string | null }

/**
 * Tells the services that there is work. The record is written already and a sweep finds it, so this waits 500 ms at most
 * and a failure is only logged: the caller's answer does not depend on the bus.
 */
export const announce = async <D>(
  { bus, ids, clock, log }: Pick<GatewayPorts, 'bus' | 'ids' | 'clock' | 'log'>,
  event: EventDefinition<D>,
  data: D,
  key: string,
  cause: Cause,
): Promise<void> => {
  const { requestId: correlationId, traceparent } = cause
  const answered = new AbortController()
  const sent = publish(bus, event, data, { key, correlationId, ids, clock, ...(traceparent === null ? {} : { traceparent }) }).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error, event: event.type, key }, 'event not published')
      return true
    },
  )
  const done = await Promise.race([sent, clock.delay(patienceMs, answered.signal).then(() => false)])
  // With a reason, or a stack is recorded for one that nobody reads.
  answered.abort('answered')
  if (!done) log.warn({ event: event.type, key }, 'publish took longer than 500 ms')
}

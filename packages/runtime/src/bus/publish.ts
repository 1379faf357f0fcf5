import { AppError } from '@cairn/contracts/errors'
import type { EventDefinition } from '@cairn/contracts/events'
import type { Ids } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type { MessageBus } from '@cairn/domain/ports/message-bus'

export type PublishContext = {
  readonly key: string
  readonly correlationId: string
  readonly traceparent?: string | null
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
}

/** Resolves when the event is durable. Throws AppError `internal` for data that breaks its schema. */
export const publish = async <D>(
  bus: Pick<MessageBus, 'publish'>,
  event: EventDefinition<D>,
  data: D,
  context: PublishContext,
): Promise<void> => {
  const { key, correlationId, traceparent, ids, clock } = context
  const checked = event.data.safeParse(data)
  if (!checked.success)
    throw new AppError('internal', `${event.type} does not match its schema`, { cause: checked.error })
  const envelope = {
    id: ids.next('msg'),
    type: event.type,
    key,
    correlationId,
    occurredAt: new Date(clock.now()).toISOString(),
  }
  await bus.publish(event.topic, [{ ...envelope, ...(traceparent ? { traceparent } : {}), data: checked.data }])
}

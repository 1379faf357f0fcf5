import { AppError } from '@cairn/contracts/errors'
import { type Envelope, type EventDefinition, events } from '@cairn/contracts/events'
import type { HandleMessage, MessageBus } from '@cairn/domain/ports/message-bus'
import { createService, type Service } from '../process/lifecycle.ts'
import type { Logger } from '../process/logger.ts'

export type MessageContext = { readonly correlationId: string; readonly envelope: Envelope; readonly log: Logger }

type Accepted = { readonly run: (context: MessageContext) => Promise<void> } | { readonly refused: string }
export type Handler = Pick<EventDefinition<unknown>, 'type' | 'topic' | 'group'> & {
  readonly accept: (raw: unknown) => Accepted
}

/** Binds an event to its handler; the handler's type does not depend on the payload. */
export const on = <D>(
  event: EventDefinition<D>,
  handle: (data: D, context: MessageContext) => Promise<void> | void,
): Handler => ({
  type: event.type,
  topic: event.topic,
  group: event.group,
  accept: (raw) => {
    const parsed = event.data.safeParse(raw)
    if (parsed.success) return { run: async (context) => handle(parsed.data, context) }
    const [issue] = parsed.error.issues
    return { refused: `invalid: ${issue?.path.join('.') || 'data'}: ${issue?.message ?? 'not as the event says'}` }
  },
})

export type MessageRouterOptions = {
  readonly bus: Pick<MessageBus, 'subscribe'>
  readonly log: Logger
  readonly group: string
  readonly handlers: readonly Handler[]
  /** Called for each message that it can't read. */
  readonly countUnreadable?: ((group: string) => void) | undefined
}

const byType = (group: string, handlers: readonly Handler[]) => {
  const table = new Map(handlers.map((handler) => [handler.type, handler]))
  const twice = handlers.find((handler) => table.get(handler.type) !== handler)
  if (twice) throw new AppError('internal', `two handlers for ${twice.type}`)
  const foreign = handlers.find((handler) => handler.group !== group)
  if (foreign) throw new AppError('internal', `${foreign.type} is for the group ${foreign.group}, not ${group}`)
  const missing = events.find((event) => event.group === group && !table.has(event.type))
  if (missing) throw new AppError('internal', `no handler for ${missing.type}`)
  return table
}

/**
 * Subscribes the group to its handlers' topics. An unreadable message (no envelope, unknown type, invalid data) is
 * counted and logged with its position; polling finds its work in the store.
 */
export const createMessageRouter = (options: MessageRouterOptions): Service => {
  const { bus, group, handlers, countUnreadable } = options

  const dispatch =
    (table: ReadonlyMap<string, Handler>, topic: string): HandleMessage =>
    async (envelope, position) => {
      const { type, correlationId } = envelope
      const log = options.log.child({ correlationId, message: envelope.id, type })
      const accepted = table.get(type)?.accept(envelope.data) ?? {
        refused: type === 'unreadable' ? 'not an envelope' : 'unknown type',
      }
      if ('run' in accepted) return accepted.run({ correlationId, envelope, log })
      countUnreadable?.(group)
      log.error({ topic, ...position, reason: accepted.refused }, 'message unreadable')
    }

  return createService(async (onStop) => {
    const table = byType(group, handlers)
    for (const topic of new Set(handlers.map((handler) => handler.topic))) {
      const subscription = bus.subscribe({ topic, group }, dispatch(table, topic))
      onStop(subscription.close)
    }
  })
}

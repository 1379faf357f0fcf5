import { AppError } from '@cairn/contracts/errors'
import { type Envelope, type EventDefinition, events } from '@cairn/contracts/events'
import type { Ids } from '@cairn/domain/ids'
import { classify } from '@cairn/domain/jobs/job-error'
import type { Clock } from '@cairn/domain/ports/clock'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { Store } from '@cairn/domain/store'
import { createService, type Service } from '../process/lifecycle.ts'
import type { Logger } from '../process/logger.ts'

export type MessageContext = { readonly correlationId: string; readonly envelope: Envelope; readonly log: Logger }

/** The work for a message with valid data, or the reason why the data is invalid. */
type Accepted = { readonly run: (context: MessageContext) => Promise<void> } | { readonly refused: string }
export type Handler = Pick<EventDefinition<unknown>, 'type' | 'topic' | 'group'> & {
  readonly accept: (raw: unknown) => Accepted
}

/**
 * Binds an event to its handler. The type of the returned handler does not depend on the payload.
 *
 *     on(uploadAccepted, async ({ uploadId }, { log }) => { ... })
 */
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
  /** The service's name. */
  readonly group: string
  readonly handlers: readonly Handler[]
  readonly deadLetters: Pick<Store['deadLetters'], 'insert'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now' | 'delay'>
}

const againMs = 1_000
/**
 * UTF-16 units of a dead letter that are kept; limited because one response lists up to 100 dead letters. A truncated
 * dead letter is not valid JSON and can't be replayed.
 */
const keptUnits = 64 * 1024

/** Returns the message as text; never throws, whatever the message holds. */
const rawOf = (envelope: Envelope): string => {
  const text = envelope.type === 'unreadable' && typeof envelope.data === 'string' ? envelope.data : asJson(envelope)
  return text.length <= keptUnits ? text : `${text.slice(0, keptUnits).toWellFormed()}… (${text.length} characters)`
}

const asJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    // The message is nested deeper than the stack allows.
    return `a message that can't be written as text: ${error instanceof Error ? error.message : String(error)}`
  }
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
 * Subscribes the group to the topics of its handlers and passes each message to the handler of its type. A message that
 * can't be handled (unreadable, of unknown type, or with invalid data) becomes a dead letter; while the store is
 * unavailable, the message waits.
 */
export const createMessageRouter = (options: MessageRouterOptions): Service => {
  const { bus, group, handlers, deadLetters, ids, clock } = options

  const stopped = new AbortController()

  const deadLetter = async (topic: string, envelope: Envelope, reason: string, log: Logger) => {
    const id = ids.next('dead')
    const letter = { id, topic, group, reason, raw: rawOf(envelope), at: clock.now(), replayedAt: null }
    for (;;) {
      try {
        await deadLetters.insert(letter)
        break
      } catch (error) {
        if (classify(error).kind !== 'transient' || stopped.signal.aborted) throw error
        await clock.delay(againMs, stopped.signal)
      }
    }
    log.error({ deadLetter: id, topic, reason }, 'message dead-lettered')
  }

  const dispatch = (table: ReadonlyMap<string, Handler>, topic: string) => async (envelope: Envelope) => {
    const { type, correlationId } = envelope
    const log = options.log.child({ correlationId, message: envelope.id, type })
    const accepted = table.get(type)?.accept(envelope.data)
    if (!accepted)
      return deadLetter(topic, envelope, type === 'unreadable' ? 'unreadable' : `unknown_type: ${type}`, log)
    if ('refused' in accepted) return deadLetter(topic, envelope, accepted.refused, log)
    await accepted.run({ correlationId, envelope, log })
  }

  return createService(async (onStop) => {
    const table = byType(group, handlers)
    for (const topic of new Set(handlers.map((handler) => handler.topic))) {
      const subscription = bus.subscribe({ topic, group }, dispatch(table, topic))
      onStop(() => {
        stopped.abort()
        return subscription.close()
      })
    }
  })
}

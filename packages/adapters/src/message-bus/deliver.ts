import type { Envelope } from '@cairn/contracts/events'
import type { HandleMessage, MessagePosition } from '@cairn/domain/ports/message-bus'

export type BusLog = { warn(fields: object, message: string): void }

/** A rejection is only logged; the message is not delivered again. */
export const deliver = async (
  handle: HandleMessage,
  message: Envelope,
  context: { readonly topic: string; readonly log: BusLog | undefined; readonly position?: MessagePosition },
): Promise<void> => {
  const { topic, log, position } = context
  try {
    await handle(message, position)
  } catch (error) {
    log?.warn({ err: error, topic, type: message.type, messageId: message.id }, 'message handler failed')
  }
}

import type { Envelope } from '@cairn/contracts/events'

export type BusLog = { warn(fields: object, message: string): void }

/** Runs the handler. A rejection is only logged; the message is not delivered again. */
export const deliver = async (
  handle: (message: Envelope) => Promise<void>,
  message: Envelope,
  { topic, log }: { readonly topic: string; readonly log: BusLog | undefined },
): Promise<void> => {
  try {
    await handle(message)
  } catch (error) {
    log?.warn({ err: error, topic, type: message.type, messageId: message.id }, 'message handler failed')
  }
}

import type { MessageBus } from '@cairn/domain/ports/message-bus'

/**
 * Wraps the bus so that every message is delivered twice in sequence, each time as a separate object, as "at least
 * once" allows.
 */
export const deliverTwice = (bus: MessageBus): MessageBus => ({
  ...bus,
  subscribe: (from, handle) =>
    bus.subscribe(from, async (message, position) => {
      await handle(structuredClone(message), position)
      await handle(message, position)
    }),
})

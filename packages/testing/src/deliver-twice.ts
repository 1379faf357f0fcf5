import type { MessageBus } from '@cairn/domain/ports/message-bus'

/**
 * Delivers every message to its handler twice, one after the other, each time as a separate object: "at least once"
 * allows that.
 */
export const deliverTwice = (bus: MessageBus): MessageBus => ({
  ...bus,
  subscribe: (from, handle) =>
    bus.subscribe(from, async (message) => {
      await handle(structuredClone(message))
      await handle(message)
    }),
})

import type { MessageBus } from '@cairn/ports/message-bus/port'

/** Every message reaches its handler twice, one after the other, each time as an object of its own: what "at least once" allows. */
export const deliverTwice = (bus: MessageBus): MessageBus => ({
  ...bus,
  subscribe: (from, handle) =>
    bus.subscribe(from, async (message) => {
      await handle(structuredClone(message))
      await handle(message)
    }),
})

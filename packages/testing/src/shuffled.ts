import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { Random } from './seeded-random.ts'

type Held = { readonly run: () => Promise<void>; readonly settle: (outcome: Promise<void>) => void }

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Wraps the bus so that concurrent messages of all topics and groups are handled one by one, in an order that `random`
 * chooses.
 */
export const shuffledDelivery = (bus: MessageBus, random: Random): MessageBus => {
  const held: Held[] = []
  let releasing = false
  const release = async () => {
    releasing = true
    while (held.length > 0) {
      // Two turns let messages in transit arrive, so that there are several to choose from.
      await turn()
      await turn()
      const [chosen] = held.splice(random.below(held.length), 1)
      if (!chosen) break
      const outcome = chosen.run()
      chosen.settle(outcome)
      await outcome.catch(() => {})
    }
    releasing = false
  }
  return {
    ...bus,
    subscribe: (from, handle) =>
      bus.subscribe(
        from,
        (message, position) =>
          new Promise((resolve) => {
            held.push({ run: async () => handle(message, position), settle: resolve })
            if (!releasing) void release()
          }),
      ),
  }
}

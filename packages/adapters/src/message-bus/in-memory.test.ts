import { inMemoryMessageBus } from './in-memory.ts'
import { messageBusContract } from './port.contract.ts'

messageBusContract({
  open: () => {
    const warnings: { warn?: (fields: object, message: string) => void } = {}
    const bus = inMemoryMessageBus({ log: { warn: (fields, message) => warnings.warn?.(fields, message) } })
    // A process has one bus, which all its clients share.
    return {
      connect: (log) => {
        if (log) warnings.warn = log.warn
        return bus
      },
    }
  },
})

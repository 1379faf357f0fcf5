const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Turns of the event loop without a running call after which no further call is expected. */
const idleTurns = 4

/**
 * Counts the running calls on ports that use threads, so that a test with a manual clock knows when all work waits for
 * the clock.
 */
export const callsUnderWay = () => {
  let count = 0

  const watched = async (call: () => unknown): Promise<unknown> => {
    count += 1
    try {
      return await call()
    } finally {
      count -= 1
    }
  }

  /** Wraps the port so that calls of its methods, and of its nested stores' methods, are counted. */
  const watch = <P extends object>(port: P): P =>
    new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown
        if (typeof value === 'function') {
          return (...args: unknown[]) => {
            const result = Reflect.apply(value, target, args) as unknown
            return result instanceof Promise ? watched(() => result) : result
          }
        }
        return typeof value === 'object' && value !== null ? watch(value) : value
      },
    })

  return {
    watch,
    /** Resolves when no call has been running for a few turns of the event loop. */
    settle: async (): Promise<void> => {
      for (let idle = 0; idle < idleTurns; idle = count === 0 ? idle + 1 : 0) await turn()
    },
  }
}

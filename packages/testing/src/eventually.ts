import { inspect } from 'node:util'

/**
 * Reads until `accept` returns true for a value, then resolves to the value. Rejects after `withinMs` (5,000) with the
 * last value read; an error of `read` itself rejects at once.
 *
 *     const job = await eventually(() => metadata.uploads.get(id), (job) => job?.state === 'completed')
 */
export const eventually = async <T>(
  read: () => T | Promise<T>,
  accept: (value: T) => boolean,
  options: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<T> => {
  const { withinMs = 5_000, everyMs = 5 } = options
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await read()
    if (accept(value)) return value
    if (performance.now() >= deadline) {
      throw new Error(`not so within ${withinMs} ms; last seen: ${inspect(value, { depth: 4, breakLength: 120 })}`)
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

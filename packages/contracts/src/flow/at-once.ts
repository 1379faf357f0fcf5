/**
 * Runs at most `limit` items concurrently; the results are in their order. After a rejection nothing more is started;
 * once all running work has ended, the call rejects with this error, or one of several.
 */
export const atOnce = async <I, R>(limit: number, items: readonly I[], work: (item: I) => Promise<R>): Promise<R[]> => {
  const results = new Array<R>(items.length)
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < items.length && !failed) {
      const index = next
      next += 1
      try {
        results[index] = await work(items[index] as I)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}

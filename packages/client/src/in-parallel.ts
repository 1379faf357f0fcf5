/**
 * Reads a value only when another call may start. After a failure no more are read, the signal passed to `work` is
 * aborted, and the call rejects once all work has ended.
 */
export const inParallel = async <T>(
  limit: number,
  values: Iterable<T> | AsyncIterable<T>,
  work: (value: T, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]()
  let reading: Promise<unknown> = Promise.resolve()
  // Reads one value at a time: an iterator need not support concurrent reads.
  const next = (): Promise<IteratorResult<T>> => {
    const read = reading.then(() => iterator.next())
    reading = read.catch(() => undefined)
    return read
  }
  const failures: unknown[] = []
  const worker = async () => {
    try {
      while (!controller.signal.aborted) {
        const read = await next()
        if (read.done) return
        await work(read.value, controller.signal)
      }
    } catch (error) {
      failures.push(error)
      controller.abort(error)
    }
  }
  try {
    await Promise.all(Array.from({ length: limit }, worker))
  } finally {
    signal?.removeEventListener('abort', follow)
    if (controller.signal.aborted) await iterator.return?.()
  }
  if (controller.signal.aborted) throw signal?.aborted ? signal.reason : failures[0]
}

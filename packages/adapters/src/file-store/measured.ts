import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'

/** Hashing and writing in slices keeps the event loop responsive. */
const sliceBytes = 1024 * 1024

async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let from = 0; from < whole.length; from += sliceBytes) yield whole.subarray(from, from + sliceBytes)
}

/** Rejects as soon as the signal is aborted: a source may never react, not even to `destroy`. */
const interruptible = (signal: AbortSignal) => {
  let interrupt: (reason: unknown) => void = () => {}
  const stop = () => interrupt(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return {
    wait: <T>(start: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        interrupt = reject
        start().then(resolve, reject)
      })
    },
    end: () => signal.removeEventListener('abort', stop),
  }
}

/**
 * Throws `tooLarge` before a byte beyond the limit is yielded. When `signal` is aborted, throws its reason at once, even while waiting for the source. Destroys a stream
 * that is not read to its end.
 */
export async function* measured(
  source: Readable | Uint8Array,
  limits: {
    readonly maxBytes?: number | undefined
    readonly signal: AbortSignal
  },
): AsyncGenerator<Buffer, void> {
  const { maxBytes = Number.POSITIVE_INFINITY, signal } = limits
  const iterator: AsyncIterator<Uint8Array | string> = (source instanceof Readable ? source : slicesOf(source))[
    Symbol.asyncIterator
  ]()
  const { wait, end } = interruptible(signal)
  try {
    let count = 0
    for (;;) {
      const { done, value } = await wait(() => iterator.next())
      if (done) break
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value)
      count += bytes.length
      if (count > maxBytes) throw new AppError('tooLarge', `The content has more than ${maxBytes} bytes`)
      yield bytes
    }
  } finally {
    end()
    if (source instanceof Readable) source.destroy()
  }
}

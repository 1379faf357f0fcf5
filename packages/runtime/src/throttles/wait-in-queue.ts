import type { AppError } from '@cairn/contracts/errors'
import { clientLeft } from '../http/client-left.ts'

/**
 * Waits until `begin` is called. Aborted, or after `maxWaitMs`, it calls `leave`, which must remove the entry from the
 * queue, and rejects.
 */
export const waitInQueue = <T>(options: {
  readonly signal: AbortSignal
  readonly leave?: () => void
  /** Default: unlimited. */
  readonly maxWaitMs?: number | undefined
  readonly late?: () => AppError
}): { readonly begun: Promise<T>; readonly begin: (value: T) => void } => {
  const { signal, leave, maxWaitMs, late = clientLeft } = options
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const settle = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  const refuse = (error: AppError) => {
    leave?.()
    settle()
    reject(error)
  }
  const onAbort = () => refuse(clientLeft())
  const timer = maxWaitMs === undefined ? undefined : setTimeout(() => refuse(late()), maxWaitMs)
  signal.addEventListener('abort', onAbort, { once: true })
  const begin = (value: T) => {
    settle()
    resolve(value)
  }
  return { begun: promise, begin }
}

import type { Clock } from '@cairn/domain/ports/clock'

/** Node fires a timer with a longer delay at once. */
const maxTimerMs = 2 ** 31 - 1

const shortDelay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms).unref()
    signal?.addEventListener('abort', done, { once: true })
  })

const longDelay = async (ms: number, signal?: AbortSignal): Promise<void> => {
  for (let left = ms; left > 0 && !signal?.aborted; left -= maxTimerMs)
    await shortDelay(Math.min(left, maxTimerMs), signal)
}

/** Timers don't keep the process alive. */
export const systemClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delay: (ms, signal) => (ms <= maxTimerMs ? shortDelay(ms, signal) : longDelay(ms, signal)),
})

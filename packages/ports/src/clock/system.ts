import type { Clock } from './port.ts'

/** A timer of Node that is set to more ends at once. */
const longestTimerMs = 2 ** 31 - 1

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
  for (let left = ms; left > 0 && !signal?.aborted; left -= longestTimerMs) await shortDelay(Math.min(left, longestTimerMs), signal)
}

/** The machine's own clocks. Its timers don't keep a process alive. */
export const systemClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delay: (ms, signal) => (ms <= longestTimerMs ? shortDelay(ms, signal) : longDelay(ms, signal)),
})

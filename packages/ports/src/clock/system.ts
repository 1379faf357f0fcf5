import type { Clock } from './port.ts'

/** The machine's own clocks. Its timers don't keep a process alive. */
export const systemClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delay: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      signal?.addEventListener('abort', done, { once: true })
    }),
})

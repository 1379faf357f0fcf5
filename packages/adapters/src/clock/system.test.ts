import { expect, it, vi } from 'vitest'
import { systemClock } from './system.ts'

const dayMs = 86_400_000

it('waits for longer than a timer of Node can', async () => {
  vi.useFakeTimers()
  try {
    let isOver = false
    void systemClock()
      .delay(60 * dayMs)
      .then(() => {
        isOver = true
      })
    await vi.advanceTimersByTimeAsync(60 * dayMs - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('ends a long wait at once when it is aborted, and leaves no timer', async () => {
  vi.useFakeTimers()
  try {
    const stop = new AbortController()
    const waiting = systemClock().delay(60 * dayMs, stop.signal)
    await vi.advanceTimersByTimeAsync(40 * dayMs)
    stop.abort()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

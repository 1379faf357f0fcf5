import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { elapsedShare } from './deletion-progress.tsx'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-03-01T12:00:30Z') }))
afterEach(() => vi.useRealTimers())

it.each([
  ['12:00:00', '12:01:00', 0.5],
  ['12:00:00', '12:00:10', 0.95],
  ['12:01:00', '12:02:00', 0],
  ['12:00:00', '12:00:00', 0.95],
])('counts the time from %s to %s as %d over at half past', (startedAt, expectedAt, share) => {
  expect(elapsedShare(`2026-03-01T${startedAt}Z`, `2026-03-01T${expectedAt}Z`)).toBe(share)
})

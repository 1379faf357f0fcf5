import { expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'

it('stands still until time is let pass, and wakes who is due, earliest first', async () => {
  const { clock, pass, waiting } = createManualClock(1_000)
  const woken: string[] = []
  const sleeps = [clock.delay(20).then(() => woken.push('second')), clock.delay(10).then(() => woken.push('first'))]
  void clock.delay(30).then(() => woken.push('too early'))
  expect([clock.now(), clock.monotonic(), waiting()]).toEqual([1_000, 0, 3])
  pass(20)
  await Promise.all(sleeps)
  expect([clock.now(), clock.monotonic(), waiting()]).toEqual([1_020, 20, 1])
  expect(woken).toEqual(['first', 'second'])
})

it('ends a delay that is called off, before or meanwhile', async () => {
  const { clock, waiting } = createManualClock()
  const stop = new AbortController()
  const delayed = clock.delay(1_000, stop.signal)
  stop.abort()
  await delayed
  await clock.delay(1_000, stop.signal)
  expect(waiting()).toBe(0)
})

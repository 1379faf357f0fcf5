import { expect, it } from 'vitest'
import { callsUnderWay } from './calls-under-way.ts'
import { createManualClock } from './manual-clock.ts'
import { passTime } from './pass-time.ts'

it('lets what wakes wait again: a timer of 10 s goes off three times in half a minute', async () => {
  const manual = createManualClock()
  const ended = new AbortController()
  const beats: number[] = []
  const beat = async () => {
    while (!ended.signal.aborted) {
      await manual.clock.delay(10_000, ended.signal)
      beats.push(manual.clock.monotonic())
    }
  }
  const beating = beat()
  await passTime(manual, 34_500)
  expect(beats).toEqual([10_000, 20_000, 30_000])
  expect(manual.clock.monotonic()).toBe(34_500)
  ended.abort()
  await beating
})

it('waits for calls that other threads work on', async () => {
  const manual = createManualClock()
  const { watch, settle } = callsUnderWay()
  const done: number[] = []
  const port = watch({
    store: {
      write: async () => {
        await new Promise((resolve) => setTimeout(resolve, 15))
        done.push(manual.clock.monotonic())
      },
    },
  })
  const writing = port.store.write()
  await passTime(manual, 5_000, { settle })
  await writing
  expect(done).toEqual([0])
})

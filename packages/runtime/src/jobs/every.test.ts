import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { createLogger } from '../process/logger.ts'
import { every } from './every.ts'

const setUp = (task: (signal: AbortSignal) => Promise<unknown>) => {
  const manual = createManualClock()
  const lines: string[] = []
  const stopped = new AbortController()
  const log = createLogger({ level: 'warn', name: 'test', write: (line) => void lines.push(line) })
  const running = every(1_000, 'sweep', task, { clock: manual.clock, log, signal: stopped.signal })
  const waits = () => expect.poll(manual.waiting).toBe(1)
  return { manual, lines, stopped, running, waits }
}

it('runs a task after each pause, and goes on after one that failed', async () => {
  let runs = 0
  const { manual, lines, stopped, running, waits } = setUp(async () => {
    runs += 1
    if (runs === 1) throw new Error('not yet')
  })
  expect(runs).toBe(0)
  for (let round = 1; round <= 3; round += 1) {
    manual.pass(999)
    expect(runs).toBe(round - 1)
    manual.pass(1)
    await waits()
    expect(runs).toBe(round)
  }
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ task: 'sweep', err: { message: 'not yet' } })
  stopped.abort()
  await running
  expect(runs).toBe(3)
})

it('never runs a task twice at once, tells it to stop, and waits for its end', async () => {
  const ended = Promise.withResolvers<void>()
  const begun: AbortSignal[] = []
  const { manual, stopped, running } = setUp((signal) => {
    begun.push(signal)
    return ended.promise
  })
  manual.pass(1_000)
  await expect.poll(() => begun.length).toBe(1)
  manual.pass(5_000)
  expect(begun).toHaveLength(1)
  let isOver = false
  const over = running.then(() => {
    isOver = true
  })
  stopped.abort()
  expect(begun[0]?.aborted).toBe(true)
  expect(isOver).toBe(false)
  ended.resolve()
  await over
  expect(begun).toHaveLength(1)
})

import { randomIds } from '@cairn/domain/ids'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { runTask, type TaskOptions } from './run-task.ts'

const everyMs = 3_600_000

const setUp = () => {
  const { clock, pass } = createManualClock(0)
  const { tasks } = stepwiseStore({ now: clock.monotonic })
  const done: string[] = []
  /** Returns the position where a range ends. A pass has four ranges: up to `a`, `b`, `c` and the end. */
  const next = (cursor: string | null) => ({ a: 'b', b: 'c', c: null })[cursor ?? ''] ?? (cursor === null ? 'a' : null)
  const range: TaskOptions['range'] = async (cursor) => {
    const after = next(cursor)
    done.push(after ?? 'end')
    return after
  }
  const run = (more: Partial<TaskOptions> = {}, signal = new AbortController().signal) =>
    runTask({ tasks, clock, ids: randomIds(clock.now), name: 'audit', everyMs, range, ...more }, signal)
  return { clock, pass, tasks, done, range, run }
}

it('does every range once in a pass, and none until the next pass is due', async () => {
  const { run, pass, done } = setUp()
  expect(await run()).toBe(true)
  expect(await run()).toBe(false)
  pass(everyMs)
  expect(await run()).toBe(true)
  expect(done).toEqual(['a', 'b', 'c', 'end', 'a', 'b', 'c', 'end'])
})

it('is worked on by one of several processes', async () => {
  const { run, done } = setUp()
  expect((await Promise.all([run(), run(), run()])).filter(Boolean)).toHaveLength(1)
  expect(done).toEqual(['a', 'b', 'c', 'end'])
})

it('goes on in another process with the range that failed', async () => {
  const { run, range, done } = setUp()
  const failing: TaskOptions['range'] = async (cursor, signal) => {
    if (cursor === 'b') throw new Error('the engine is away')
    return range(cursor, signal)
  }
  await expect(run({ range: failing })).rejects.toThrow('the engine is away')
  expect(await run()).toBe(true)
  expect(done).toEqual(['a', 'b', 'c', 'end'])
})

it('stops after the range under way when the process stops, and is taken over at once', async () => {
  const { run, range, done } = setUp()
  const stopping = new AbortController()
  const first: TaskOptions['range'] = async (cursor, signal) => {
    stopping.abort()
    return range(cursor, signal)
  }
  expect(await run({ range: first }, stopping.signal)).toBe(false)
  expect(done).toEqual(['a'])
  expect(await run()).toBe(true)
  expect(done).toEqual(['a', 'b', 'c', 'end'])
})

it('keeps its lease through a range that takes long, and is told when it has lost it', async () => {
  const { run, pass, tasks } = setUp()
  const inRange = Promise.withResolvers<AbortSignal>()
  const long = run({
    range: async (_, signal) => {
      inRange.resolve(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return 'after'
    },
  })
  const signal = await inRange.promise
  for (let renewed = 0; renewed < 6; renewed += 1) {
    const before = (await tasks.get('audit'))?.lease?.until
    pass(10_000)
    await expect.poll(async () => (await tasks.get('audit'))?.lease?.until).not.toBe(before)
  }
  expect(await run()).toBe(false)
  expect(signal.aborted).toBe(false)
  const { token = '' } = (await tasks.get('audit'))?.lease ?? {}
  await tasks.release('audit', token)
  await tasks.lease('audit', 'another process', { everyMs })
  pass(10_000)
  expect(await long).toBe(false)
  expect(await tasks.get('audit')).toMatchObject({ cursor: null, lease: { token: 'another process' } })
})

import { expect, it, vi } from 'vitest'
import { createPartBuffers } from './part-buffers.ts'

const bytes = 16
const idleMs = 10_000

it('reuses returned buffers, and gives no buffer to two uploads', () => {
  const buffers = createPartBuffers(bytes, { keep: 2, idleMs })
  const [one, two] = [buffers.take(), buffers.take()]
  expect([one.length, two.length]).toEqual([bytes, bytes])
  expect(one.buffer).not.toBe(two.buffer)
  buffers.giveBack(one)
  expect(buffers.take()).toBe(one)
  expect(buffers.take()).not.toBe(one)
})

it('keeps at most the configured number of buffers', () => {
  const buffers = createPartBuffers(bytes, { keep: 2, idleMs })
  const taken = [buffers.take(), buffers.take(), buffers.take()]
  for (const buffer of taken) buffers.giveBack(buffer)
  expect([buffers.take(), buffers.take()].every((buffer) => taken.includes(buffer))).toBe(true)
  expect(taken).not.toContain(buffers.take())
})

it('drops buffers that were not used for a while', () => {
  vi.useFakeTimers()
  try {
    const buffers = createPartBuffers(bytes, { keep: 2, idleMs })
    const buffer = buffers.take()
    buffers.giveBack(buffer)
    vi.advanceTimersByTime(idleMs - 1)
    expect(buffers.take()).toBe(buffer)
    buffers.giveBack(buffer)
    vi.advanceTimersByTime(idleMs)
    expect(buffers.take()).not.toBe(buffer)
  } finally {
    vi.useRealTimers()
  }
})

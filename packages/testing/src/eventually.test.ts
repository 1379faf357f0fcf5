import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'

it('resolves to the first accepted value', async () => {
  let reads = 0
  expect(
    await eventually(
      () => ++reads,
      (value) => value === 3,
    ),
  ).toBe(3)
})

it('names the last value when time is up', async () => {
  const never = eventually(
    () => ({ state: 'queued' }),
    () => false,
    { withinMs: 20 },
  )
  await expect(never).rejects.toThrow("not so within 20 ms; last seen: { state: 'queued' }")
})

it('passes on what the reader throws', async () => {
  const broken = eventually(
    () => Promise.reject(new Error('gone')),
    () => true,
  )
  await expect(broken).rejects.toThrow('gone')
})

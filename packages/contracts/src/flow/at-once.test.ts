import { expect, it } from 'vitest'
import { atOnce } from './at-once.ts'

it('works on a bounded number at once and keeps the order of the results', async () => {
  let [running, maxRunning] = [0, 0]
  const results = await atOnce(3, [5, 1, 4, 2, 3, 0], async (turns) => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return turns * 10
  })
  expect(results).toEqual([50, 10, 40, 20, 30, 0])
  expect(maxRunning).toBe(3)
  expect(await atOnce(3, [], async () => 1)).toEqual([])
})

it('begins nothing more after a failure, and waits for what is under way', async () => {
  const begun: number[] = []
  let ended = 0
  const work = atOnce(2, [0, 1, 2, 3], async (item) => {
    begun.push(item)
    await new Promise((resolve) => setImmediate(resolve))
    if (item === 0) throw new Error('no')
    ended += 1
  })
  await expect(work).rejects.toThrow('no')
  expect(begun).toEqual([0, 1])
  expect(ended).toBe(1)
})

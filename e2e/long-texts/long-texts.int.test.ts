// Whatever a user's text is, computing over it never occupies the event loop for long: every place of `places.ts` is
// called with a megabyte of each text of `strings.ts`, of which it takes what the API lets through (the name of the place
// says how much). Borders and words of documents belong to the thread of the text worker. What counts is the processor
// time of the main thread between two turns of its event loop, so that a busy machine doesn't decide.
import { afterAll, expect, it } from 'vitest'
import { places, textWorker } from './places.ts'
import { strings } from './strings.ts'

const maxTurnMs = 50
const length = 1_000_000
/** A slow call is repeated: compilation, or a collection of garbage, is no fault of the place. */
const maxCalls = 3

/** Calls `work`; resolves to the longest turn of the event loop meanwhile, in milliseconds of processor time. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let from = process.threadCpuUsage()
  const endTurn = () => {
    const { user, system } = process.threadCpuUsage(from)
    longest = Math.max(longest, (user + system) / 1_000)
    from = process.threadCpuUsage()
  }
  let isOver = false
  const tick = () => {
    endTurn()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  endTurn()
  return longest
}

afterAll(() => textWorker.close())

it('has 49 texts', () => {
  expect(Object.keys(strings)).toHaveLength(49)
})

it.each(Object.entries(places))('never occupies the event loop for long: %s', { timeout: 60_000 }, async (_, place) => {
  await place('A text of several words. '.repeat(400))
  const slow: Record<string, number> = {}
  for (const [name, string] of Object.entries(strings)) {
    const text = string.repeat(Math.ceil(length / string.length)).slice(0, length)
    // A text may be refused, for instance as blank: that takes its time, too.
    const call = async () => {
      try {
        await place(text)
      } catch {}
    }
    let longest = Number.POSITIVE_INFINITY
    for (let calls = 0; calls < maxCalls && longest >= maxTurnMs; calls += 1)
      longest = Math.min(longest, await longestTurn(call))
    if (longest >= maxTurnMs) slow[name] = Math.round(longest)
  }
  expect(slow).toEqual({})
})

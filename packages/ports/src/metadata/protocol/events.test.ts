import { expect, it } from 'vitest'
import { tellFileAccepted } from './events.ts'
import { runSteps, type Step } from './steps.ts'

const file = { accountId: 'acc', namespaceId: 'ns', name: 'a.txt', version: 'v' }

/** Tells while others insert the next record first, so many times. */
const tellAmong = (others: number) => {
  let last = { seq: 7, at: 50 }
  const steps: Step[] = []
  const tell = () =>
    runSteps(tellFileAccepted(file, 40), (step) => {
      steps.push(step)
      if (step.op === 'get') return [undefined]
      if (step.op === 'find') return [last]
      if (step.op !== 'insert') return true
      const isFirst = last.seq - 7 === others
      last = { ...last, seq: last.seq + 1 }
      return [isFirst]
    })
  return { tell, steps }
}

it('tells at once after a few others, and pauses only after many', () => {
  for (const [others, pauses] of [
    [0, 0],
    [8, 0],
    [9, 1],
    [63, 55],
  ] as const) {
    const { tell, steps } = tellAmong(others)
    tell()
    expect(steps.filter(({ op }) => op === 'pause')).toHaveLength(pauses)
    expect(steps.at(-1)).toMatchObject({ op: 'insert', documents: [{ seq: 8 + others, at: 50 }] })
  }
  expect(tellAmong(64).tell).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

it('reads no content of the last event', () => {
  const { tell, steps } = tellAmong(0)
  tell()
  expect(steps.find(({ op }) => op === 'find')).toMatchObject({ only: ['seq', 'at'] })
})

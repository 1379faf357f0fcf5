import { AppError } from '@cairn/contracts/errors'
import type { Step } from '@cairn/domain/ports/store'
import { runStepsAsync } from '@cairn/domain/protocol/steps'
import { begin, type Store, storeOver } from '@cairn/domain/store'

export type ByStepOptions = {
  /** Applies one step, or one element of a bulk step, atomically. */
  readonly apply: (step: Step) => unknown
  /**
   * Awaited before each step, with its name, so that a scheduler can run other steps first. A promise that never
   * resolves simulates a process that died before the step; a promise that rejects simulates a step that failed without
   * effect. `element` counts from 0 within a bulk step.
   */
  readonly turn?: (step: string, element: number) => Promise<void> | void
  /** Called when a step that had its turn has ended, with or without an error. */
  readonly ended?: () => void
  /** Receives every step before it runs and may replace it, so that a test can remove a clause from the protocol. */
  readonly intercept?: (step: Step) => Step
  /**
   * Whether each element of a bulk step waits for its own turn, so that other steps run in between. Each element is
   * atomic.
   */
  readonly elementTurns?: boolean
  /** Milliseconds by which this process's view of store time is ahead of other processes. */
  readonly aheadMs?: number | undefined
}

const elementsOf = (step: Step): readonly Step[] => {
  switch (step.op) {
    case 'get':
      return step.keys.map((key) => ({ ...step, keys: [key] }))
    case 'insert':
      return step.documents.map((document) => ({ ...step, documents: [document] }))
    case 'update':
      return step.updates.map((update) => ({ ...step, updates: [update] }))
    case 'remove':
      return step.removals.map((removal) => ({ ...step, removals: [removal] }))
    default:
      return [step]
  }
}

/**
 * Creates metadata that runs the protocol one step at a time, like a store without transactions: a step is atomic, a
 * method is not. `apply` determines the storage.
 */
export const storeByStep = ({
  apply,
  turn,
  ended,
  intercept = (step) => step,
  elementTurns = false,
  aheadMs = 0,
}: ByStepOptions): Store => {
  let closed = false
  let pauses = 0

  const once = async (step: Step, element: number): Promise<unknown> => {
    await turn?.(step.step, element)
    try {
      return await apply(step)
    } finally {
      ended?.()
    }
  }

  const execute = async (step: Step): Promise<unknown> => {
    // Pauses differ in length, as in real time, so that the pauses of concurrent requests end one after another.
    if (step.op === 'pause')
      for (let left = 20 * (pauses++ % 4); left > 0; left -= 1) {
        await turn?.(step.step, 0)
        ended?.()
      }
    const elements = elementTurns ? elementsOf(step) : [step]
    if (elements.length <= 1) {
      const result = await once(step, 0)
      return step.op === 'now' ? Number(result) + aheadMs : result
    }
    const results: unknown[] = []
    for (const [index, element] of elements.entries()) {
      results.push(...((await once(element, index)) as unknown[]))
    }
    return results
  }

  const run = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    if (closed) throw new AppError('unavailable', 'The record store is closed.')
    const steps = begin(name, structuredClone(args))
    return structuredClone(await runStepsAsync(steps, async (step) => structuredClone(await execute(intercept(step)))))
  }

  return storeOver('stepwise', run, async () => {
    closed = true
  })
}

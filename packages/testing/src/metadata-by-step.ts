import { AppError } from '@cairn/contracts/errors'
import type { Metadata } from '@cairn/ports/metadata/port'
import { begin, metadataOver } from '@cairn/ports/metadata/protocol/metadata'
import type { Step } from '@cairn/ports/metadata/protocol/steps'

export type ByStepOptions = {
  /** Does one step, or one element of a bulk step, at once. */
  readonly apply: (step: Step) => unknown
  /**
   * Awaited before each step, with its name: here a scheduler lets others go first. One that never resolves is a process
   * that died there; one that rejects is a step that failed without effect. `element` counts from 0 within a bulk step.
   */
  readonly turn?: (step: string, element: number) => Promise<void> | void
  /** Sees every step before it is done and may give another in its place: how a clause is taken out of the protocol. */
  readonly intercept?: (step: Step) => Step
  /** Elements of a bulk step are atomic one by one; true: each has a turn of its own, so that others get in between. */
  readonly elementTurns?: boolean
  /** By how much what this process takes for store time is ahead of what others take for it. */
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
 * The metadata protocol run one step at a time: every step is atomic, a method is not. What a store without transactions
 * allows, over whatever `apply` keeps the documents in.
 */
export const metadataByStep = ({
  apply,
  turn,
  intercept = (step) => step,
  elementTurns = false,
  aheadMs = 0,
}: ByStepOptions): Metadata => {
  let closed = false
  let pauses = 0

  const execute = async (step: Step): Promise<unknown> => {
    // Pauses differ in length, as they do where time passes: those of requests at the same moment end one after the other.
    if (step.op === 'pause') for (let left = 10 * (pauses++ % 4); left > 0; left -= 1) await turn?.(step.step, 0)
    const elements = elementTurns ? elementsOf(step) : [step]
    if (elements.length <= 1) {
      await turn?.(step.step, 0)
      const result = await apply(step)
      return step.op === 'now' ? Number(result) + aheadMs : result
    }
    const results: unknown[] = []
    for (const [index, element] of elements.entries()) {
      await turn?.(step.step, index)
      results.push(...((await apply(element)) as unknown[]))
    }
    return results
  }

  const run = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    if (closed) throw new AppError('unavailable', 'The metadata store is closed.')
    const steps = begin(name, structuredClone(args))
    let next = steps.next()
    while (!next.done) next = steps.next(structuredClone(await execute(intercept(next.value))))
    return structuredClone(next.value)
  }

  return metadataOver(run, async () => {
    closed = true
  })
}

import type { Metadata } from '@cairn/ports/metadata/port'
import type { ByStepOptions } from './metadata-by-step.ts'

/**
 * Starts a call that stops just before the step of this name (of a bulk step: before the element of this number, from
 * 0). Resolves then to a function that continues it; rejects when the call ends before. `open` returns an engine with
 * turns for elements.
 */
export const stalled = <T>(
  open: (turn: NonNullable<ByStepOptions['turn']>) => Metadata,
  at: {
    readonly step: string
    readonly element?: number | undefined
    readonly call: (metadata: Metadata) => Promise<T>
  },
): Promise<() => Promise<T>> =>
  new Promise((resolve, reject) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let reached = false
    const turn = (step: string, element: number) => {
      if (reached || step !== at.step || element !== (at.element ?? 0)) return
      reached = true
      resolve(() => {
        release()
        return ended
      })
      return released
    }
    const ended = at.call(open(turn))
    ended.then(() => {
      if (!reached) reject(new Error(`ended without reaching ${at.step}`))
    }, reject)
  })

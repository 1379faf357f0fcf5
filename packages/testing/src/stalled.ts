import { setImmediate } from 'node:timers/promises'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { ByStepOptions } from './metadata-by-step.ts'

/**
 * Starts a call that stops just before the step of this name (of a bulk step: before the element of this number, from
 * 0). Resolves to a function that continues it, once the steps that go out together with that one have ended; rejects
 * when the call ends before. `open` returns an engine with turns for elements.
 */
export const stalled = <T>(
  open: (hooks: Required<Pick<ByStepOptions, 'turn' | 'ended'>>) => Metadata,
  at: {
    readonly step: string
    readonly element?: number | undefined
    readonly call: (metadata: Metadata) => Promise<T>
  },
): Promise<() => Promise<T>> =>
  new Promise((resolve, reject) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let reached = false
    let running = 0
    const whenOthersHaveEnded = async (): Promise<void> => {
      do await setImmediate()
      while (running > 0)
    }
    const turn = (step: string, element: number) => {
      if (reached || step !== at.step || element !== (at.element ?? 0)) {
        running += 1
        return
      }
      reached = true
      void whenOthersHaveEnded().then(() =>
        resolve(() => {
          running += 1
          release()
          return call
        }),
      )
      return released
    }
    const call = at.call(
      open({
        turn,
        ended: () => {
          running -= 1
        },
      }),
    )
    call.then(() => {
      if (!reached) reject(new Error(`ended without reaching ${at.step}`))
    }, reject)
  })

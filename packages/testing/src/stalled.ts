import type { StepName } from '@cairn/domain/protocol/step-names'
import type { Store } from '@cairn/domain/store'
import { stepsUnderWay } from './steps-under-way.ts'
import type { ByStepOptions } from './store-by-step.ts'

/**
 * Starts a call and stops it just before the named step (in a bulk step, before `element`, counted from 0). Waits for
 * the concurrent steps of the call to end, then resolves to a function that continues the call. Rejects if the call
 * ends before that step. `open` returns an engine with turns for elements.
 */
export const stalled = <T>(
  open: (hooks: Required<Pick<ByStepOptions, 'turn' | 'ended'>>) => Store,
  at: {
    readonly step: StepName
    readonly element?: number | undefined
    readonly call: (store: Store) => Promise<T>
  },
): Promise<() => Promise<T>> =>
  new Promise((resolve, reject) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let reached = false
    const { began, ended, quiet } = stepsUnderWay()
    const turn = (step: string, element: number) => {
      if (reached || step !== at.step || element !== (at.element ?? 0)) {
        began()
        return
      }
      reached = true
      void quiet().then(() =>
        resolve(() => {
          began()
          release()
          return call
        }),
      )
      return released
    }
    const call = at.call(open({ turn, ended }))
    call.then(() => {
      if (!reached) reject(new Error(`ended without reaching ${at.step}`))
    }, reject)
  })

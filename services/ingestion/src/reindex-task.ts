import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import { type ReindexDeps, ReindexStep } from './reindex-step.ts'

const phases = ['filling', 'filled', 'closing', 'former', 'removing'] as const
/** Always have work; the other phases last for days. */
const busyPhases = ['filling', 'closing', 'removing'] as const
const idlePhasesEveryMs = 60_000
const namespacesAtOnce = 100
/** After each step, so that reindexes never keep a machine busy. */
const pauseMs = 20

/**
 * Advances every reindex by one repeatable step: a range of a pass, a change of the phase, or a slice of the removal.
 * `range` is for `runTask`, with a cursor while there is more to do. `hasWork` checks reindexes that wait or are kept
 * once a minute.
 */
export const createReindexTask = (deps: ReindexDeps) => {
  const { clock, store } = deps
  const { namespaces } = store
  let idlePhasesAt = 0

  const advancePhase = async (phase: (typeof phases)[number], signal: AbortSignal): Promise<boolean> => {
    const steps: JobSteps = { step: (_name, call) => retryUnavailable(clock, () => call(signal), signal) }
    let isMore = false
    for (let after = ''; !signal.aborted; ) {
      const page = await namespaces.reindexing({ phase, after, limit: namespacesAtOnce })
      for (const namespace of page) {
        const { reindex, state } = namespace
        if (!reindex || state !== 'active' || signal.aborted) continue
        const step = new ReindexStep(deps, steps, namespace, reindex)
        try {
          isMore = (await step.run()) || isMore
        } catch (error) {
          signal.throwIfAborted()
          await step.reportFailure(error)
        }
      }
      const last = page.at(-1)
      if (page.length < namespacesAtOnce || !last) break
      after = last.id
    }
    return isMore
  }

  return {
    hasWork: async (): Promise<boolean> => {
      const isAll = clock.monotonic() >= idlePhasesAt
      if (isAll) idlePhasesAt = clock.monotonic() + idlePhasesEveryMs
      for (const phase of isAll ? phases : busyPhases)
        if ((await namespaces.reindexing({ phase, limit: 1 })).length > 0) return true
      return false
    },
    range: async (_cursor: string | null, signal: AbortSignal): Promise<string | null> => {
      let isMore = false
      for (const phase of phases) isMore = (await advancePhase(phase, signal)) || isMore
      if (isMore) await clock.delay(pauseMs, signal)
      return isMore ? 'more' : null
    },
  }
}

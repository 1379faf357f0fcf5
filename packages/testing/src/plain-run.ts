import type { Job } from '@cairn/domain/jobs/record'

/** Whether a worker goes on, or dies: before the step runs, or after the step, before the worker gets the result. */
export type StepVerdict = 'go on' | 'die before' | 'die after'

/**
 * Creates a job's run without a pool: steps run once, without a deadline and without quick retries. `verdict` is called
 * before each step, with the step's number from 1. A dead worker runs no further step.
 */
export const plainRun = <J extends Job>(job: J, verdict: (number: number) => StepVerdict = () => 'go on') => {
  const times: Record<string, number> = {}
  const state = { steps: 0, progress: 0 }
  const ended = new AbortController()
  const ignore = () => undefined
  const die = (): never => {
    ended.abort(new Error(`died at step ${state.steps}`))
    throw ended.signal.reason
  }
  return {
    state,
    job,
    lease: { jobId: job.id, token: job.lease?.token ?? '' },
    log: { info: ignore, warn: ignore, error: ignore },
    signal: ended.signal,
    /** Number of completed runs of each step, by its name. */
    times,
    trace: { set: ignore, phase: <T>(_name: string, work: () => Promise<T>) => work() },
    progress: () => {
      state.progress += 1
    },
    step: async <T>(name: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      ended.signal.throwIfAborted()
      state.steps += 1
      const what = verdict(state.steps)
      if (what === 'die before') die()
      const value = await call(ended.signal)
      times[name] = (times[name] ?? 0) + 1
      if (what === 'die after') die()
      return value
    },
  }
}

import { AppError } from '@cairn/contracts/errors'
import type { Upload } from '@cairn/domain/items/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { GatewayPorts } from '../deps.ts'

/** Well within the lease of 30 s, which is not renewed: when it expires, ingestion may take over the job. */
const deadlineMs = 20_000

/** Runs a job within its own request, under the lease of its acceptance. All steps together have 20 s. */
export const inlineRun = (
  { clock, log }: Pick<GatewayPorts, 'clock' | 'log'>,
  job: Upload,
  token: string,
): JobRun<Upload> => {
  const times: Record<string, number> = {}
  const ended = new AbortController()
  const from = clock.monotonic()
  return {
    job,
    lease: { jobId: job.id, token },
    log,
    signal: ended.signal,
    times,
    trace: { set: () => undefined, phase: (_name, work) => work() },
    progress: () => undefined,
    step: async (name, call) => {
      const began = clock.monotonic()
      const leftMs = deadlineMs - (began - from)
      const done = new AbortController()
      const late = clock.delay(Math.max(0, leftMs), done.signal).then((): never => {
        const message = 'The vectors are stored but not indexed yet; this goes on in the background.'
        throw new AppError('unavailable', message, { retryAfterSeconds: 5 })
      })
      late.catch(() => undefined)
      try {
        return await Promise.race([retryUnavailable(clock, () => call(done.signal), done.signal), late])
      } finally {
        done.abort()
        times[name] = Math.round((times[name] ?? 0) + clock.monotonic() - began)
      }
    },
  }
}

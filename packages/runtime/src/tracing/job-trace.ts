import type { Job } from '@cairn/domain/jobs/record'
import { noTracing, type RemoteSpan, remoteSpan, type SpanFacts, type Tracing } from './tracing.ts'

export type JobTrace = {
  /** Attributes of the whole job. */
  set(facts: SpanFacts): void
  fail(error: unknown): void
  /** A span around several steps. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** `name` of the service. */
export type JobTracing = { readonly tracing: Tracing; readonly name: string }

/** Further steps of a name get no span: a step may repeat a hundred thousand times. */
const maxAlike = 20
/** Then each run gets its own trace, with a link: a trace must not grow for hours. */
const maxRetries = 20

const isSameTrace = (one: RemoteSpan | undefined, other: RemoteSpan | undefined) =>
  one !== undefined && one.traceparent.slice(3, 35) === other?.traceparent.slice(3, 35)

/** Continues the trace of the causing request: of the message, else of the job's record. */
export const traceJob = <T>(
  { tracing, name }: JobTracing = { tracing: noTracing, name: '' },
  job: Job,
  now: number,
  work: (trace: JobTrace) => Promise<T>,
): Promise<T> => {
  const cause = remoteSpan(job.traceparent)
  // A re-check runs minutes or hours after the work, so it gets its own trace.
  const isOld = job.retries > maxRetries || job.state === 'rechecking'
  const place = isOld ? { link: cause } : isSameTrace(tracing.remote(), cause) ? {} : { parent: cause }
  const facts = {
    'cairn.service': name,
    'cairn.job.id': job.id,
    'cairn.request.id': job.correlationId,
    'cairn.job.attempts': job.attempts,
    'cairn.job.retries': job.retries,
    'cairn.job.age_ms': Math.max(0, Math.round(now - job.createdAt)),
  }
  return tracing.within({ name: `job ${name}`, kind: 'consumer', ...place, facts }, (span) => {
    const counts = new Map<string, number>()
    return work({
      set: span.set,
      fail: span.fail,
      phase: (phase, inner) => tracing.within({ name: phase }, inner),
      step: (step, inner) => {
        if (!tracing.on) return inner()
        const count = (counts.get(step) ?? 0) + 1
        counts.set(step, count)
        return count > maxAlike
          ? tracing.unrecorded(inner)
          : tracing.within({ name: step, facts: { 'cairn.step': step } }, inner)
      },
    })
  })
}

import type { Job } from '@cairn/domain/metadata/records'
import { noTracing, type RemoteSpan, remoteSpan, type SpanFacts, type Tracing } from './tracing.ts'

/** How a job adds to its trace. */
export type JobTrace = {
  /** Sets attributes of the whole job. */
  set(facts: SpanFacts): void
  fail(error: unknown): void
  /** Records a span around several steps. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** `name` is the service's. */
export type JobTracing = { readonly tracing: Tracing; readonly name: string }

/** Spans of one name in one run. Steps that repeat a hundred thousand times are summed up. */
const maxAlike = 20
/**
 * A job that is tried for hours must not grow its trace for hours: from then on each run is a trace that links to it.
 */
const maxRetries = 20

const isSameTrace = (one: RemoteSpan | undefined, other: RemoteSpan | undefined) =>
  one !== undefined && one.traceparent.slice(3, 35) === other?.traceparent.slice(3, 35)

/**
 * Runs a job in a span that continues the request which caused it: by the message that announced it, else by its
 * record, so it does not matter how the job was found.
 */
export const traceJob = <T>(
  { tracing, name }: JobTracing = { tracing: noTracing, name: '' },
  job: Job,
  now: number,
  work: (trace: JobTrace) => Promise<T>,
): Promise<T> => {
  const cause = remoteSpan(job.traceparent)
  // A re-check runs minutes and hours after the work: it gets its own trace.
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

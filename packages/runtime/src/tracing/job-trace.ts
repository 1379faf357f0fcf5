import type { Job } from '@cairn/ports/metadata/records'
import { noTracing, type RemoteSpan, remoteSpan, type SpanFacts, type Tracing } from './tracing.ts'

/** How a job tells of itself in its trace. */
export type JobTrace = {
  /** Facts of the whole job. */
  set(facts: SpanFacts): void
  fail(error: unknown): void
  /** A span around several steps. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** `name` is the service's. */
export type JobTracing = { readonly tracing: Tracing; readonly name: string }

/** Spans of one name in one run: what is repeated a hundred thousand times is a sum, not a picture. */
const mostAlike = 20
/** A job that is tried for hours must not make its trace grow for hours: from then on each run is a trace that points to it. */
const mostRetries = 20

const isSameTrace = (one: RemoteSpan | undefined, other: RemoteSpan | undefined) =>
  one !== undefined && one.traceparent.slice(3, 35) === other?.traceparent.slice(3, 35)

/**
 * Runs a job within its span, which goes on from the call that caused it: by the message that announced it, else by what the record
 * says, so that it makes no difference who found the job.
 */
export const traceJob = <T>(
  { tracing, name }: JobTracing = { tracing: noTracing, name: '' },
  job: Job,
  now: number,
  work: (trace: JobTrace) => Promise<T>,
): Promise<T> => {
  const cause = remoteSpan(job.traceparent)
  // A re-check comes minutes and hours after the work is done: it is an errand of its own.
  const isOld = job.retries > mostRetries || job.state === 'rechecking'
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
        return count > mostAlike ? tracing.unrecorded(inner) : tracing.within({ name: step, facts: { 'cairn.step': step } }, inner)
      },
    })
  })
}

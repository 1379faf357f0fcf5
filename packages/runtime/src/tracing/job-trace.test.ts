import type { Job } from '@cairn/domain/jobs/record'
import { expect, it } from 'vitest'
import { collectedSpans } from './collected-spans.fixture.ts'
import { traceJob } from './job-trace.ts'

const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const jobOf = (of: Partial<Job>) =>
  ({
    id: 'job-1',
    correlationId: 'req-1',
    attempts: 0,
    retries: 0,
    createdAt: 1_000,
    traceparent: caller,
    ...of,
  }) as Job

it('goes on from its record, whatever trace a message was of', async () => {
  const { tracing, one } = collectedSpans()
  await tracing.within({ name: 'another trace' }, () =>
    traceJob({ tracing, name: 'ingestion' }, jobOf({}), 3_500, async () => undefined),
  )
  await tracing.close()
  const span = one('job ingestion')
  expect(span.spanContext().traceId).toBe(traceId)
  expect(span.attributes).toEqual({
    'cairn.service': 'ingestion',
    'cairn.job.id': 'job-1',
    'cairn.request.id': 'req-1',
    'cairn.job.attempts': 0,
    'cairn.job.retries': 0,
    'cairn.job.age_ms': 2_500,
  })
})

it('begins a trace where nobody traced the call', async () => {
  const { tracing, one } = collectedSpans()
  await traceJob({ tracing, name: 'ingestion' }, jobOf({ traceparent: null }), 0, async () => undefined)
  await tracing.close()
  expect(one('job ingestion').parentSpanContext).toBeUndefined()
})

it.each([
  ['it was tried for long', { retries: 21 }],
  ['its work is done and only looked at again', { state: 'rechecking' }],
] as const)('points to its trace, instead of making it grow, once %s', async (_case, of) => {
  const { tracing, one } = collectedSpans()
  await traceJob({ tracing, name: 'ingestion' }, jobOf(of), 0, async () => undefined)
  await tracing.close()
  const span = one('job ingestion')
  expect(span.spanContext().traceId).not.toBe(traceId)
  expect(span.links.map(({ context }) => context.traceId)).toEqual([traceId])
})

it('shows the first twenty of what is done again and again, and all that is done once', async () => {
  const { tracing, named, chain, one } = collectedSpans()
  await traceJob({ tracing, name: 'file-pipeline' }, jobOf({}), 0, async (trace) => {
    await trace.phase('extract', async () => {
      for (let index = 0; index < 100; index += 1) await trace.step('cut', async () => undefined)
    })
    await trace.step('complete', async () => undefined)
    trace.set({ 'cairn.reason': 'no_text' })
  })
  await tracing.close()
  expect(named('cut')).toHaveLength(20)
  expect(chain(one('complete'))).toEqual(['complete', 'job file-pipeline'])
  expect(chain(named('cut')[0] as Parameters<typeof chain>[0])).toEqual(['cut', 'extract', 'job file-pipeline'])
  expect(one('job file-pipeline').attributes['cairn.reason']).toBe('no_text')
})

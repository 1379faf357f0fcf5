import { AppError } from '@cairn/contracts/errors'
import { expect, it, onTestFinished } from 'vitest'
import { collectedSpans } from './collected-spans.fixture.ts'
import { remoteSpan } from './tracing.ts'

const caller = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'vendor=1' }
const unsampled = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }

const collect = (options: Parameters<typeof collectedSpans>[0] = {}) => {
  const collected = collectedSpans(options)
  onTestFinished(() => collected.tracing.close())
  return collected
}

it('goes on from a span of another process, and hands itself on with its state', async () => {
  const { tracing, one } = collect()
  const sent = await tracing.within({ name: 'outer', kind: 'server', parent: caller }, async () =>
    tracing.within({ name: 'inner' }, async () => tracing.remote()),
  )
  await tracing.close()
  const [outer, inner] = [one('outer'), one('inner')]
  expect(outer.spanContext().traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
  expect(outer.parentSpanContext?.spanId).toBe('00f067aa0ba902b7')
  expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
  expect(sent).toEqual({
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${inner.spanContext().spanId}-01`,
    tracestate: 'vendor=1',
  })
})

it('records nothing of what the caller does not record, and still hands the trace on', async () => {
  const { tracing, spans } = collect()
  const seen = await tracing.within({ name: 'call', kind: 'server', parent: unsampled }, async (span) => ({
    isRecording: tracing.isRecording(),
    sent: span.remote()?.traceparent,
  }))
  await tracing.close()
  expect(seen.isRecording).toBe(false)
  expect(seen.sent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00$/)
  expect(spans).toEqual([])
})

it.each([
  ['always_off', undefined, 0],
  ['parentbased_always_off', undefined, 0],
  ['parentbased_always_off', caller, 1],
  ['always_off', caller, 0],
  ['traceidratio', caller, 0],
  ['parentbased_traceidratio', caller, 1],
] as const)('with %s and a caller that traces (%o)', async (sampler, parent, count) => {
  const { tracing, spans } = collect({ sampler, share: 0 })
  await tracing.within({ name: 'call', parent }, async () => undefined)
  await tracing.close()
  expect(spans).toHaveLength(count)
})

it.each([
  [new AppError('unavailable', 'the text of a user'), 'unavailable'],
  [Object.assign(new Error('the text of a user'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new RangeError('the text of a user'), 'RangeError'],
  ['the text of a user', 'string'],
])('tells of what failed by its kind alone: %s', async (error, type) => {
  const { tracing, one } = collect()
  await expect(tracing.within({ name: 'call' }, () => Promise.reject(error))).rejects.toBe(error)
  await tracing.close()
  const span = one('call')
  expect(span.attributes).toEqual({ 'error.type': type })
  expect(span.status).toEqual({ code: 2 })
  expect(span.events).toEqual([])
})

it('keeps a call to 256 spans and says how many it left out', async () => {
  const { tracing, named, one } = collect()
  await tracing.within({ name: 'call', kind: 'server' }, async () => {
    for (let index = 0; index < 300; index += 1) await tracing.within({ name: 'step' }, async () => undefined)
    await tracing.within({ name: 'job', kind: 'consumer' }, () =>
      tracing.within({ name: 'its own' }, async () => undefined),
    )
  })
  await tracing.close()
  expect(named('step')).toHaveLength(256)
  expect(one('call').attributes['cairn.spans_left_out']).toBe(44)
  expect(named('its own')).toHaveLength(1)
})

it('can leave work out of the trace without losing it', async () => {
  const { tracing, spans, one } = collect()
  const seen = await tracing.within({ name: 'call', kind: 'server' }, () =>
    tracing.unrecorded(async () => ({ isRecording: tracing.isRecording(), sent: tracing.remote()?.traceparent })),
  )
  await tracing.close()
  expect(spans).toHaveLength(1)
  const { traceId, spanId } = one('call').spanContext()
  expect(seen).toEqual({ isRecording: false, sent: `00-${traceId}-${spanId}-01` })
})

it('says once that spans can not be exported, and once that they can be again; nobody waits for it', async () => {
  const said: string[] = []
  let isDown = true
  const exported: (() => void)[] = []
  const { tracing } = collect({
    gatherMs: 1,
    exporter: {
      export: (_spans, done) => {
        done(isDown ? { code: 1, error: new Error('connect ECONNREFUSED') } : { code: 0 })
        exported.shift()?.()
      },
      shutdown: async () => undefined,
    },
  })
  tracing.reportTo({
    warn: (_fields: object | string, text?: string) => said.push(`warn ${text}`),
    info: (_fields: object | string, text?: string) => said.push(`info ${text}`),
  })
  const call = async () => {
    const sent = new Promise<void>((resolve) => exported.push(resolve))
    await tracing.within({ name: 'call' }, async () => undefined)
    await sent
  }
  await call()
  await call()
  isDown = false
  await call()
  await call()
  expect(said).toEqual(['warn trace export failed; spans are dropped until it recovers', 'info trace export recovered'])
})

it('drops what a collector that never answers does not take, and ends within a second', async () => {
  let taken = 0
  const { tracing } = collect({
    gatherMs: 1,
    exporter: {
      export: (spans) => {
        taken += spans.length
      },
      shutdown: () => new Promise<void>(() => undefined),
    },
  })
  for (let index = 0; index < 10_000; index += 1) tracing.start({ name: 'call' }).end()
  const from = performance.now()
  await tracing.close()
  expect(performance.now() - from).toBeLessThan(2_000)
  expect(taken).toBeLessThanOrEqual(512 + 2_048)
})

it.each([
  ['nothing', undefined],
  ['no text', 7],
  ['another form', '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'],
  ['the version that is none', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['no trace', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
  ['no span', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
  ['capitals', '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01'],
])('takes %s for no span', (_case, value) => {
  expect(remoteSpan(value)).toBeUndefined()
})

it('takes no state that is too long', () => {
  expect(remoteSpan(caller.traceparent, 'v'.repeat(513))).toEqual({ traceparent: caller.traceparent })
})

import { AppError } from '@cairn/contracts/errors'
import { schemaMismatch } from '@cairn/domain/ports/schema-mismatch'
import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { createHealth, watchLiveness } from './health.ts'

it('is ready when every dependency is, and names each', async () => {
  const health = createHealth(createManualClock())
  health.dependency('metadata', () => ({ ok: true }))
  health.dependency('embedder', async () => ({ ok: false, detail: 'model is loading' }))
  health.liveness('consumer', () => ({ ok: true }))
  expect(await health.report()).toEqual({
    ready: false,
    live: true,
    dependencies: { metadata: { ok: true }, embedder: { ok: false, detail: 'model is loading' } },
    liveness: { consumer: { ok: true } },
  })
})

it('takes a check that throws or does not answer as not ok', async () => {
  const { clock, pass, waiting } = createManualClock()
  const health = createHealth({ clock })
  health.dependency('bus', () => {
    throw new Error('no connection')
  })
  health.dependency('vectors', () => new Promise(() => {}))
  const report = health.report()
  await expect.poll(waiting).toBe(1)
  pass(2_000)
  expect((await report).dependencies).toEqual({
    bus: { ok: false, detail: 'not available' },
    vectors: { ok: false, detail: 'no answer within 2000 ms' },
  })
})

it('keeps an answer for half a second and shares it', async () => {
  const { clock, pass } = createManualClock()
  const health = createHealth({ clock })
  let asked = 0
  health.dependency('metadata', () => ({ ok: ++asked > 0 }))
  await Promise.all([health.report(), health.report()])
  await health.report()
  expect(asked).toBe(1)
  pass(500)
  await health.report()
  expect(asked).toBe(2)
})

it('does not ask dependencies whether the process is alive', async () => {
  const health = createHealth(createManualClock())
  health.dependency('metadata', () => new Promise(() => {}))
  health.liveness('lease', () => ({ ok: false, detail: 'not renewed' }))
  expect(await health.live()).toEqual({ live: false, liveness: { lease: { ok: false, detail: 'not renewed' } } })
})

it('says once that a liveness condition is broken, and nothing after stop', async () => {
  const { clock, pass, waiting } = createManualClock()
  const health = createHealth({ clock })
  let ok = true
  health.liveness('consumer', () => ({ ok, detail: 'stalled' }))
  const said: string[] = []
  const watch = watchLiveness({ health, clock, onDead: ({ message }) => said.push(message) })
  await watch.start()
  pass(5_000)
  await expect.poll(waiting).toBe(1)
  expect(said).toEqual([])
  ok = false
  pass(5_000)
  await expect.poll(() => said).toEqual(['unhealthy: consumer (stalled)'])
  pass(5_000)
  await watch.stop()
  expect(said).toHaveLength(1)
})

it('says which schema step is missing, and of other failures no more than that', async () => {
  const health = createHealth(createManualClock())
  const sentence = 'The schema of mongodb is at step 0 and this version needs 1: run `npm run setup` of this version.'
  health.dependency('metadata', () => Promise.reject(new AppError('unavailable', sentence, { cause: schemaMismatch })))
  health.dependency('vector-index', () =>
    Promise.reject(new AppError('unavailable', 'http://10.0.0.1:6333 does not answer')),
  )
  expect((await health.report()).dependencies).toEqual({
    metadata: { ok: false, detail: sentence },
    'vector-index': { ok: false, detail: 'not available' },
  })
})

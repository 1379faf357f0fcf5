import { embedders } from '@cairn/adapters/embedder/registry'
import { type LanguageCoverage, type Script, scripts } from '@cairn/contracts/text/scripts'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { waitForEngines, watchEmbedders, watchEngines } from './engine-health.ts'
import { createHealth } from './health.ts'

const setUp = () => {
  const { clock, pass } = createManualClock(0)
  const down = new Set<string>()
  const warned: unknown[] = []
  const answer = async <T>(name: string, value: T): Promise<T> => {
    if (down.has(name)) throw new Error('connection refused')
    return value
  }
  const health = createHealth({ clock })
  const engines = {
    store: { now: () => answer('metadata', 1) },
    vectors: { count: () => answer('vector-index', 0) },
    bus: { check: () => answer('message-bus', undefined) },
  }
  watchEngines(health, engines, 'cairn.uploads')
  const waiting = waitForEngines({
    health,
    clock,
    log: { info: () => {}, warn: (fields: unknown) => void warned.push(fields) },
  })
  return { clock, pass, down, warned, health, waiting }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('is ready only while every engine answers', async () => {
  const { health, down, pass } = setUp()
  expect((await health.report()).ready).toBe(true)
  for (const name of ['metadata', 'vector-index', 'message-bus']) {
    down.add(name)
    pass(1_000)
    expect(await health.report()).toMatchObject({ ready: false, dependencies: { [name]: { ok: false } } })
    down.delete(name)
    pass(1_000)
  }
})

it('says how far the model is loaded', async () => {
  const { health } = setUp()
  const status = { state: 'loading', detail: 'fetching', progress: 0.4 } as const
  watchEmbedders(health, embedders({ current: stubEmbedder({ status: () => status }) }), 'lexical')
  expect(await health.report()).toMatchObject({
    ready: false,
    dependencies: { embedder: { ok: false, progress: 0.4 } },
  })
})

it('goes on once all engines answer, and says what it waits for every five seconds', async () => {
  const { waiting, down, warned, pass } = setUp()
  down.add('metadata').add('message-bus')
  let started = false
  const start = waiting.start().then(() => {
    started = true
  })
  for (let second = 0; second < 8; second += 1) {
    await turns()
    pass(1_000)
  }
  await turns()
  expect(started).toBe(false)
  expect(warned).toEqual([{ missing: 'metadata, message-bus' }, { missing: 'metadata, message-bus' }])
  down.clear()
  pass(1_000)
  await start
})

it('stops waiting when it is stopped', async () => {
  const { waiting, down } = setUp()
  down.add('metadata')
  const start = waiting.start()
  await turns()
  await waiting.stop()
  await start
})

it('says which scripts the current model does not read', async () => {
  const { clock, pass } = createManualClock(0)
  const { Arabic: _, ...others } = Object.fromEntries(scripts.map((script) => [script, 1])) as Record<Script, number>
  const state: { reads?: LanguageCoverage } = {}
  const health = createHealth({ clock })
  const model = { provider: 'openai', model: 'remote', dimension: 8 } as const
  watchEmbedders(health, embedders({ current: stubEmbedder({ model }) }), 'openai', async () => state.reads)
  const report = async () => (await health.report()).dependencies['embedder']
  expect(await report()).toEqual({ ok: true })
  state.reads = others
  pass(1_000)
  const detail = 'the model remote reads most languages; texts in Arabic are found by their words'
  expect(await report()).toEqual({ ok: true, detail })
  state.reads = { Latin: 1 }
  pass(1_000)
  const english = 'the model remote reads English; texts in other languages are found by their words'
  expect(await report()).toEqual({ ok: true, detail: english })
})

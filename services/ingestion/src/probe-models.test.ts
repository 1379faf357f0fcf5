import { lazyEmbedder } from '@cairn/adapters/embedder/lazy'
import { embedders } from '@cairn/adapters/embedder/registry'
import { AppError } from '@cairn/contracts/errors'
import { identityOf } from '@cairn/domain/ports/embedder'
import { probeVersion } from '@cairn/domain/text/coverage/measure-coverage'
import { probeLanguages } from '@cairn/domain/text/coverage/probe-sentences'
import { createLanguageCoverage } from '@cairn/runtime/process/language-coverage'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { createModelProbes } from './probe-models.ts'

const never = new AbortController().signal
const remote = { provider: 'openai', model: 'remote', dimension: 256 } as const
const questions = probeLanguages.flatMap(({ language, pairs }) =>
  language === 'Arabic' ? [] : pairs.map(([question, statement]) => ({ question, statement })),
)

/** A model that reads everything but Arabic, in a process whose store other processes share. */
const setUp = () => {
  const manual = createManualClock()
  const { clock } = manual
  const data = stepwiseData()
  const store = stepwiseStore({ now: clock.monotonic, data })
  const state = { isReady: true, failures: 0, refused: '', refusesAll: false }
  const stub = stubEmbedder({
    model: remote,
    status: () => (state.isReady ? { state: 'ready' } : { state: 'failed', detail: 'away' }),
    onEmbed: (texts) => {
      if (state.refusesAll) throw new AppError('invalid', 'refused')
      if (state.refused !== '' && texts.includes(state.refused)) throw new AppError('invalid', 'refused')
      if (state.failures > 0 && texts.some((text) => text.includes('chubascos'))) {
        state.failures -= 1
        throw new AppError('unavailable', 'away')
      }
    },
  })
  const statementOf = new Map(questions.map(({ question, statement }) => [question, statement]))
  const embedder = {
    ...stub,
    embed: async (texts: readonly string[], options: Parameters<typeof stub.embed>[1]) => {
      await stub.embed(texts, options)
      return stubEmbedder({ model: remote }).embed(
        texts.map((text) => statementOf.get(text) ?? text),
        options,
      )
    },
  }
  const logged: unknown[] = []
  const log = { info: (...line: unknown[]) => logged.push(line), warn: (...line: unknown[]) => logged.push(line) }
  const open = () => createModelProbes({ store, embedders: embedders({ current: embedder }), clock, log: log as never })
  return { ...manual, clock, store, state, embedder, embedded: stub.embedded, logged, open }
}

it('measures a model once, for all processes', async () => {
  const { store, embedder, embedded, logged, open, clock } = setUp()
  const probes = open()
  expect(await probes.hasWork()).toBe(true)
  await probes.work(never)
  const probe = await store.modelProbes.get(identityOf(remote))
  expect(probe).toMatchObject({ version: probeVersion, at: clock.now(), reads: { Latin: 1, Thai: 1, Other: 1 } })
  expect(probe?.reads.Arabic ?? 0).toBeLessThan(0.5)
  expect(embedded.length).toBe(probeLanguages.flatMap(({ pairs }) => pairs.flat()).length)
  expect(logged).toMatchObject([[{ model: 'remote' }, 'model probed']])
  expect(await probes.hasWork()).toBe(false)
  expect(await open().hasWork()).toBe(false)
  expect(await createLanguageCoverage({ store, clock })(embedder)).toEqual(probe?.reads)
})

it('tries again later after a failure, and sends no language twice', async () => {
  const { store, state, embedded, logged, open, pass } = setUp()
  state.failures = 2
  const probes = open()
  await probes.work(never)
  expect(logged).toMatchObject([[{ model: 'remote', retryInMs: 60_000 }, 'model probe failed']])
  expect(await probes.hasWork()).toBe(false)
  pass(60_000)
  await probes.work(never)
  pass(60_000)
  expect(await probes.hasWork()).toBe(false)
  pass(60_000)
  await probes.work(never)
  expect(await store.modelProbes.get(identityOf(remote))).toMatchObject({ reads: { Latin: 1 } })
  const counts = Map.groupBy(embedded, (text) => text)
  expect(counts.get('Where can I buy fresh bread?')).toHaveLength(1)
  expect(counts.get('¿Lloverá mañana?')).toHaveLength(3)
})

it('takes a language that the model refuses for one that it does not read', async () => {
  const { store, state, open } = setUp()
  state.refused = 'ვინ მოიგო თამაში?'
  await open().work(never)
  const { reads } = (await store.modelProbes.get(identityOf(remote))) ?? {}
  expect(reads).toMatchObject({ Armenian: 1 })
  expect(reads).not.toHaveProperty('Georgian')
})

it('stores nothing of a server that refuses every sentence, and tries again later', async () => {
  const { store, state, logged, open, pass } = setUp()
  state.refusesAll = true
  const probes = open()
  await probes.work(never)
  expect(await store.modelProbes.get(identityOf(remote))).toBeUndefined()
  expect(logged).toMatchObject([[{ model: 'remote', retryInMs: 60_000 }, 'model probe failed']])
  state.refusesAll = false
  pass(60_000)
  await probes.work(never)
  expect(await store.modelProbes.get(identityOf(remote))).toMatchObject({ reads: { Latin: 1 } })
})

it('probes a model again after the sentences have changed', async () => {
  const { store, embedder, open, clock } = setUp()
  await store.modelProbes.record({ id: identityOf(remote), version: probeVersion - 1, reads: {}, at: 0 })
  expect(await createLanguageCoverage({ store, clock })(embedder)).toBeUndefined()
  await open().work(never)
  expect(await store.modelProbes.get(identityOf(remote))).toMatchObject({ version: probeVersion })
})

it('waits for a model that is away, and stops when the process does', async () => {
  const { store, state, logged, open, embedded } = setUp()
  state.isReady = false
  expect(await open().hasWork()).toBe(false)
  state.isReady = true
  await open().work(AbortSignal.abort())
  expect([embedded, logged]).toEqual([[], []])
  expect(await store.modelProbes.get(identityOf(remote))).toBeUndefined()
})

it('leaves models of the catalogue and the lexical embedder alone', async () => {
  const { store, clock } = setUp()
  const local = stubEmbedder({ model: { provider: 'local', model: 'known', dimension: 8 }, reads: { Latin: 1 } })
  const all = embedders({ current: local, choices: [stubEmbedder()] })
  expect(await createModelProbes({ store, embedders: all, clock, log: {} as never }).hasWork()).toBe(false)
})

it('does not load a model that is not in use', async () => {
  const { store, clock } = setUp()
  const model = { provider: 'local', model: 'unmeasured', dimension: 8 } as const
  const lazy = lazyEmbedder(model, { maxTokens: 16 }, () => stubEmbedder({ model }))
  const all = embedders({ current: stubEmbedder(), choices: [lazy] })
  const probes = createModelProbes({ store, embedders: all, clock, log: {} as never })
  expect(await probes.hasWork()).toBe(false)
  await lazy.embed(['used'], { kind: 'query' })
  expect(await probes.hasWork()).toBe(true)
})

import { identityOf } from '@cairn/domain/ports/embedder'
import { probeVersion } from '@cairn/domain/text/coverage/measure-coverage'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { createLanguageCoverage } from './language-coverage.ts'

const model = { provider: 'openai', model: 'remote', dimension: 8 } as const
const remote = stubEmbedder({ model })
const probe = { id: identityOf(model), version: probeVersion, reads: { Latin: 1 }, at: 0 }

const setUp = () => {
  const { clock, pass } = createManualClock()
  const state = { probe: undefined as typeof probe | undefined, isAway: false, reads: 0 }
  const get = async () => {
    state.reads += 1
    if (state.isAway) throw new Error('away')
    return state.probe
  }
  const coverageOf = createLanguageCoverage({ store: { modelProbes: { get, record: async () => {} } }, clock })
  return { state, pass, coverageOf }
}

it('finds the result of a probe within half a minute, and then reads it no more', async () => {
  const { state, pass, coverageOf } = setUp()
  expect(await Promise.all([coverageOf(remote), coverageOf(remote)])).toEqual([undefined, undefined])
  state.probe = probe
  expect(await coverageOf(remote)).toBeUndefined()
  expect(state.reads).toBe(1)
  pass(30_000)
  expect(await coverageOf(remote)).toEqual({ Latin: 1 })
  pass(1_000_000)
  expect(await coverageOf(remote)).toEqual({ Latin: 1 })
  expect(state.reads).toBe(2)
})

it('trusts a model while the store is away', async () => {
  const { state, coverageOf } = setUp()
  state.isAway = true
  expect(await coverageOf(remote)).toBeUndefined()
})

it('reads nothing for a model of the catalogue and for the lexical embedder', async () => {
  const { state, coverageOf } = setUp()
  expect(await coverageOf(stubEmbedder({ reads: { Han: 1 } }))).toEqual({ Han: 1 })
  expect(await coverageOf(stubEmbedder())).toBeUndefined()
  expect(state.reads).toBe(0)
})

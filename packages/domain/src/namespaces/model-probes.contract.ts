import { expect, it } from 'vitest'
import { mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const modelProbesContract = (group: Group) =>
  behaviour('model probes', group, (engine) => {
    const probe = { version: 1, reads: { Latin: 1, Han: 0.48 }, at: wallAt }

    it('has the last result for a model, also of many that are recorded at once', async () => {
      const { modelProbes } = engine.store
      const id = JSON.stringify(['openai', `${mint('model')}/with.dots $and signs`, 1_536, ''])
      expect(await modelProbes.get(id)).toBeUndefined()
      await Promise.all(times(8, () => modelProbes.record({ id, ...probe })))
      expect(await modelProbes.get(id)).toEqual({ id, ...probe })
      const later = { id, version: 2, reads: { Arabic: 0.9 }, at: wallAt + 1 }
      await modelProbes.record(later)
      expect(await modelProbes.get(id)).toEqual(later)
    })

    it('keeps models apart', async () => {
      const { modelProbes } = engine.store
      const [one, other] = [mint('model'), mint('model')]
      await modelProbes.record({ id: one, ...probe })
      expect(await modelProbes.get(other)).toBeUndefined()
    })
  })

import { expect, it } from 'vitest'
import { createScene, mint, newEvaluation, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { maxEvaluations } from './evaluations.ts'

export const evaluationsContract = (group: Group) =>
  behaviour('evaluations', group, (engine) => {
    const idAt = (place: number) => `evaluation_${String(place).padStart(3, '0')}`
    const idsOf = async (namespaceId: string) =>
      (await engine.store.evaluations.ofNamespace(namespaceId)).map(({ id }) => id)

    it('lists the evaluations of a namespace, newest first and without detail, and reads one', async () => {
      const { store } = engine
      const { namespaceId } = await createScene(store)
      const other = await createScene(store)
      const model = { provider: 'lexical', model: 'words', dimension: 256 } as const
      const change = { id: idAt(1), mode: 'lexical', model, difference: -0.1, p: 0.001 } as const
      const [first, second] = [
        newEvaluation(namespaceId, { id: idAt(1) }),
        newEvaluation(namespaceId, { id: idAt(2), mode: 'lexical', change, detail: '{"ndcg":[0.5]}' }),
      ]
      for (const one of [first, second, newEvaluation(other.namespaceId)])
        expect(await store.evaluations.insert(one)).toBe(true)
      const listed = await store.evaluations.ofNamespace(namespaceId)
      const { detail: _, ...withoutDetail } = second
      expect(listed.map(({ id }) => id)).toEqual([idAt(2), idAt(1)])
      expect(listed[0]).toMatchObject(withoutDetail)
      expect(await store.evaluations.get(namespaceId, idAt(2))).toEqual(second)
      expect(await store.evaluations.get(other.namespaceId, idAt(2))).toBeUndefined()
      expect(await idsOf(mint('ns'))).toEqual([])
    })

    it('keeps the newest only, also of many inserted at once', async () => {
      const { namespaceId } = await createScene(engine.store)
      const insert = (place: number) => engine.store.evaluations.insert(newEvaluation(namespaceId, { id: idAt(place) }))
      for (const place of times(maxEvaluations, (index) => index)) await insert(place)
      expect(await idsOf(namespaceId)).toHaveLength(maxEvaluations)
      await Promise.all(times(5, (place) => insert(maxEvaluations + place)))
      expect(await idsOf(namespaceId)).toEqual(times(maxEvaluations, (place) => idAt(maxEvaluations + 4 - place)))
      expect(await engine.store.evaluations.countOfNamespace(namespaceId)).toBe(maxEvaluations)
    })

    it('keeps nothing of a namespace that is being deleted, is unknown, or is deleted meanwhile', async () => {
      const { store } = engine
      const { namespaceId } = await createScene(store)
      const resume = await engine.stall('evaluations: read namespace', (other) =>
        other.evaluations.insert(newEvaluation(namespaceId)),
      )
      await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
      expect(await resume()).toBe(false)
      expect(await store.evaluations.insert(newEvaluation(namespaceId))).toBe(false)
      expect(await store.evaluations.countOfNamespace(namespaceId)).toBe(0)
      const unknown = mint('ns')
      expect(await store.evaluations.insert(newEvaluation(unknown))).toBe(false)
      expect(await store.evaluations.countOfNamespace(unknown)).toBe(0)
    })

    it('removes the evaluations of a namespace, a limited number at a time', async () => {
      const { store } = engine
      const [{ namespaceId }, other] = [await createScene(store), await createScene(store)]
      const all = [...times(3, () => newEvaluation(namespaceId)), newEvaluation(other.namespaceId)]
      for (const one of all) await store.evaluations.insert(one)
      const remove = () => store.evaluations.removeOfNamespace(namespaceId, 2)
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0])
      expect(await store.evaluations.countOfNamespace(other.namespaceId)).toBe(1)
    })
  })

import { expect, it } from 'vitest'
import { createScene, mint, newEvaluation, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { maxEvaluations } from './evaluations.ts'

export const evaluationsContract = (group: Group) =>
  behaviour('evaluations', group, (store) => {
    const idAt = (place: number) => `evaluation_${String(place).padStart(3, '0')}`
    const idsOf = async (namespaceId: string) =>
      (await store.metadata.evaluations.ofNamespace(namespaceId)).map(({ id }) => id)

    it('lists the evaluations of a namespace, newest first and without detail, and reads one', async () => {
      const { metadata } = store
      const { namespaceId } = await createScene(metadata)
      const other = await createScene(metadata)
      const model = { provider: 'lexical', model: 'words', dimension: 256 } as const
      const change = { id: idAt(1), mode: 'lexical', model, difference: -0.1, p: 0.001 } as const
      const [first, second] = [
        newEvaluation(namespaceId, { id: idAt(1) }),
        newEvaluation(namespaceId, { id: idAt(2), mode: 'lexical', change, detail: '{"ndcg":[0.5]}' }),
      ]
      for (const one of [first, second, newEvaluation(other.namespaceId)])
        expect(await metadata.evaluations.insert(one)).toBe(true)
      const listed = await metadata.evaluations.ofNamespace(namespaceId)
      const { detail: _, ...withoutDetail } = second
      expect(listed.map(({ id }) => id)).toEqual([idAt(2), idAt(1)])
      expect(listed[0]).toMatchObject(withoutDetail)
      expect(await metadata.evaluations.get(namespaceId, idAt(2))).toEqual(second)
      expect(await metadata.evaluations.get(other.namespaceId, idAt(2))).toBeUndefined()
      expect(await idsOf(mint('ns'))).toEqual([])
    })

    it('keeps the newest only, also of many inserted at once', async () => {
      const { namespaceId } = await createScene(store.metadata)
      const insert = (place: number) =>
        store.metadata.evaluations.insert(newEvaluation(namespaceId, { id: idAt(place) }))
      for (const place of times(maxEvaluations, (index) => index)) await insert(place)
      expect(await idsOf(namespaceId)).toHaveLength(maxEvaluations)
      await Promise.all(times(5, (place) => insert(maxEvaluations + place)))
      expect(await idsOf(namespaceId)).toEqual(times(maxEvaluations, (place) => idAt(maxEvaluations + 4 - place)))
      expect(await store.metadata.evaluations.countOfNamespace(namespaceId)).toBe(maxEvaluations)
    })

    it('keeps nothing of a namespace that is being deleted, is unknown, or is deleted meanwhile', async () => {
      const { metadata } = store
      const { namespaceId } = await createScene(metadata)
      const resume = await store.stall('evaluations: read namespace', (other) =>
        other.evaluations.insert(newEvaluation(namespaceId)),
      )
      await metadata.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
      expect(await resume()).toBe(false)
      expect(await metadata.evaluations.insert(newEvaluation(namespaceId))).toBe(false)
      expect(await metadata.evaluations.countOfNamespace(namespaceId)).toBe(0)
      const unknown = mint('ns')
      expect(await metadata.evaluations.insert(newEvaluation(unknown))).toBe(false)
      expect(await metadata.evaluations.countOfNamespace(unknown)).toBe(0)
    })

    it('removes the evaluations of a namespace, a limited number at a time', async () => {
      const { metadata } = store
      const [{ namespaceId }, other] = [await createScene(metadata), await createScene(metadata)]
      const all = [...times(3, () => newEvaluation(namespaceId)), newEvaluation(other.namespaceId)]
      for (const one of all) await metadata.evaluations.insert(one)
      const remove = () => metadata.evaluations.removeOfNamespace(namespaceId, 2)
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0])
      expect(await metadata.evaluations.countOfNamespace(other.namespaceId)).toBe(1)
    })
  })

import { describe, expect, it } from 'vitest'
import { removeNamespace, useTarget } from '../story.ts'

const story = useTarget()

describe('the evaluations of a namespace', () => {
  it('are kept, compared and read, and are gone with the namespace', async () => {
    const { api, name } = await story.room()
    const { evaluations, namespaces } = api.sdk
    const model = (await namespaces.get(name))?.model ?? ''
    const lists = { recall_at_10: [1, 1], first_ranks: [1, 2] }
    const result = { questions_hash: '0'.repeat(64), mode: 'hybrid', model, ...lists } as const
    const first = await evaluations.keep(name, { ...result, ndcg_at_10: [1, 0.5] })
    const against = { evaluation_id: first.evaluation_id, p: 0.001 }
    const second = await evaluations.keep(name, { ...result, ndcg_at_10: [0.5, 0.5], against })
    expect(second.change).toMatchObject({ difference: -0.25, significant: true })
    expect(await evaluations.list(name)).toEqual([second, first])
    expect(await evaluations.get(name, second.evaluation_id)).toMatchObject({
      ...second,
      scores: { ndcg_at_10: [0.5, 0.5], ...lists },
      worst: [],
    })

    await removeNamespace(api, name)
    await namespaces.create(name)
    expect(await evaluations.list(name)).toEqual([])
    expect(await evaluations.get(name, second.evaluation_id).catch(({ status }) => status)).toBe(404)
  })
})

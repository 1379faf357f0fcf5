import { type StepwiseData, stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Step } from '../ports/store.ts'
import { createScene, wallAt } from '../protocol/scene.fixture.ts'
import { runSteps } from '../protocol/steps.ts'
import { recordFileAccepted } from './events.ts'
import { readEvents } from './read-events.fixture.ts'

const file = { accountId: 'acc', namespaceId: 'ns', name: 'a.txt', version: 'v' }

/** Records an event while readers close the first `closed` numbers that it draws; returns what it tried to insert. */
const recordAmong = (closed: number) => {
  let last = 7
  const inserted: unknown[] = []
  runSteps(recordFileAccepted(file, 40), (step: Step) => {
    if (step.op === 'get') return [undefined]
    if (step.op === 'find') return []
    if (step.op === 'update') {
      last += 1
      return [{ last, at: 50 }]
    }
    if (step.op !== 'insert') throw new Error(`unexpected step ${step.step}`)
    inserted.push(...step.documents)
    return [last > 7 + closed]
  })
  return inserted
}

it('draws another number when the one it has is closed, again and again', () => {
  for (const closed of [0, 1, 63]) {
    const inserted = recordAmong(closed)
    expect(inserted).toHaveLength(closed + 1)
    expect(inserted.at(-1)).toMatchObject({ seq: 8 + closed, at: 50 })
  }
  expect(() => recordAmong(64)).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

it('passes the records of a version without counters that inserts while this one runs', async () => {
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: () => 0 })
  const scene = await createScene(store)
  await scene.accepted(['a'])
  const [[, record] = []] = data.get('events') ?? []
  for (let seq = 2; seq <= 100; seq += 1)
    data.get('events')?.set(`other ${seq}`, { ...record, id: `other ${seq}`, seq, at: wallAt + 7 })
  await scene.accepted(['b'])
  const events = await readEvents(store, scene.accountId)
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ at: wallAt + 7 })
})

/** Removes the event counters, which accounts from before their introduction don't have. */
const forgetCounters = (data: StepwiseData) => data.get('eventCounters')?.clear()

it('numbers on after the last record of an account without a counter', async () => {
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: () => 0 })
  const scene = await createScene(store)
  await scene.accepted(['a'], { at: wallAt + 5 })
  forgetCounters(data)
  expect(await store.events.bounds(scene.accountId)).toEqual({ first: 1, last: 1 })
  await scene.accepted(['b'])
  expect((await readEvents(store, scene.accountId)).map(({ seq, at }) => [seq, at - wallAt])).toEqual([
    [1, 5],
    [2, 5],
  ])
})

it('numbers on after the records of such an account have expired', async () => {
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: () => 0 })
  const scene = await createScene(store)
  for (const [index, id] of ['a', 'b', 'c'].entries()) await scene.accepted([id], { at: wallAt + index })
  forgetCounters(data)
  expect(await store.events.prune(wallAt + 1, 10)).toBe(1)
  forgetCounters(data)
  expect(await store.events.bounds(scene.accountId)).toEqual({ first: 2, last: 3 })
  expect(await store.events.prune(wallAt + 3, 10)).toBe(2)
  expect(await store.events.bounds(scene.accountId)).toEqual({ first: 4, last: 3 })
  await scene.accepted(['d'])
  expect(await store.events.bounds(scene.accountId)).toEqual({ first: 4, last: 4 })
})

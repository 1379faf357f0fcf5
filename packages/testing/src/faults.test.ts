import { expect, it } from 'vitest'
import { failAlways, failNth, failOnce, unknownOutcome, withFaults } from './faults.ts'

const createStore = () => {
  const written: string[] = []
  return {
    written,
    dimension: 3,
    write: async (value: string) => {
      written.push(value)
      return written.length
    },
    async *all() {
      yield* written
    },
    items: { insert: async (value: string) => void written.push(`item ${value}`), count: async () => written.length },
  }
}

it('fails the first call without effect, then passes', async () => {
  const store = createStore()
  const faulty = withFaults(store, { write: failOnce() })
  await expect(faulty.write('a')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await faulty.write('b')).toBe(1)
  expect(store.written).toEqual(['b'])
})

it('fails only the k-th call, with the given error', async () => {
  const faulty = withFaults(createStore(), { write: failNth(2, new Error('disk')) })
  expect(await faulty.write('a')).toBe(1)
  await expect(faulty.write('b')).rejects.toThrow('disk')
  expect(await faulty.write('c')).toBe(2)
})

it('takes effect and still fails where the outcome is unknown', async () => {
  const store = createStore()
  const faulty = withFaults(store, { write: unknownOutcome() })
  await expect(faulty.write('a')).rejects.toMatchObject({ code: 'unavailable' })
  expect(store.written).toEqual(['a'])
  expect(await faulty.write('b')).toBe(2)
})

it('reaches methods of nested stores and leaves the others alone', async () => {
  const store = createStore()
  const faulty = withFaults(store, { items: { insert: failAlways(new Error('no')) } })
  await expect(faulty.items.insert('a')).rejects.toThrow('no')
  expect(await faulty.items.count()).toBe(0)
  expect(await faulty.write('b')).toBe(1)
  expect(faulty.dimension).toBe(3)
  await store.items.insert('c')
  expect(store.written).toEqual(['b', 'item c'])
})

it('counts the calls of all methods together when the plan is one fault', async () => {
  const faulty = withFaults(createStore(), failNth(3))
  await faulty.write('a')
  await faulty.items.insert('b')
  await expect(faulty.items.count()).rejects.toMatchObject({ code: 'unavailable' })
  expect(await faulty.items.count()).toBe(2)
})

it('fails a method that is iterated', async () => {
  const faulty = withFaults(createStore(), { all: failOnce(new Error('cut off')) })
  await expect(Array.fromAsync(faulty.all())).rejects.toThrow('cut off')
  expect(await Array.fromAsync(faulty.all())).toEqual([])
})

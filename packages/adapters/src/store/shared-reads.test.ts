import { expect, it } from 'vitest'
import { sharedReads } from './shared-reads.ts'

const setUp = () => {
  const sent: string[] = []
  let state = 0
  const read = sharedReads(async (name, args) => {
    sent.push(`${name} ${args.join(' ')}`)
    if (name === 'broken') throw new Error('away')
    return { state }
  })
  const write = () => {
    state += 1
  }
  return { sent, read, write }
}

it('combines equal reads of one turn of the event loop', async () => {
  const { sent, read } = setUp()
  await Promise.all([read('list', ['a']), read('list', ['b']), read('get', ['a']), read('list', ['a'])])
  expect(sent).toEqual(['list a', 'list b', 'get a'])
})

it('reads again in a later turn, even while an earlier read is in progress', async () => {
  const { sent, read } = setUp()
  const early = read('list', ['a'])
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([early, read('list', ['a'])])
  expect(sent).toEqual(['list a', 'list a'])
})

it('shows every reader what was written before its read', async () => {
  const { read, write } = setUp()
  const early = read('list', ['a'])
  write()
  const late = read('list', ['a'])
  expect(await late).toEqual({ state: 1 })
  expect(await early).toEqual({ state: 1 })
})

it('fails for all readers that share a read, and for no later one', async () => {
  const { sent, read } = setUp()
  const outcomes = await Promise.allSettled([read('broken', []), read('broken', [])])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(sent).toHaveLength(1)
  await expect(read('broken', [])).rejects.toThrow('away')
  expect(sent).toHaveLength(2)
})

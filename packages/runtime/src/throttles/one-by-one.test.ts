import { expect, it } from 'vitest'
import { oneByOne } from './one-by-one.ts'

const fail = (text: string) => () => Promise.reject(new Error(text))

it('goes on behind one that fails, and tells of the first failure at the end', async () => {
  const pass = oneByOne()
  const done: number[] = []
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await pass.run(number % 2 === 0 ? fail(`${number} failed`) : async () => done.push(number))
  }
  expect(done).toEqual([1, 3, 5])
  expect(pass.finish).toThrow('2 failed')
})

it('ends at the third failure in a row', async () => {
  const pass = oneByOne()
  await pass.run(fail('1'))
  await pass.run(fail('2'))
  await expect(pass.run(fail('3'))).rejects.toThrow('3')
})

it('says nothing where nothing failed', async () => {
  const pass = oneByOne()
  await pass.run(async () => 1)
  expect(pass.finish).not.toThrow()
})

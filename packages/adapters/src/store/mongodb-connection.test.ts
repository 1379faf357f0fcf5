import { expect, it } from 'vitest'
import { mongoClientOf } from './mongodb-connection.ts'

it.each([
  ['mongodb://store:27017/', true],
  ['mongodb://store:27017/?retryWrites=false', false],
])('sends writes of %s again: %s', async (url, expected) => {
  const client = mongoClientOf(url)
  expect(client.options.retryWrites).toBe(expected)
  await client.close()
})

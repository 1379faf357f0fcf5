import { parseExact } from '@cairn/contracts/json/exact-json'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { serializeInTurns } from './json-in-turns.ts'

const textOf = (body: unknown): string => Buffer.from(body as Buffer).toString()

it('writes what JSON.stringify writes', async () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined))),
  )
  const written = fc.asyncProperty(fc.dictionary(fc.string(), values), async (fields) => {
    const body = { ...fields, list: [1, undefined, 'é'] }
    const { body: bytes, headers } = await serializeInTurns({ status: 200, body, headers: { 'x-other': 'kept' } })
    expect(textOf(bytes)).toBe(JSON.stringify(body))
    expect(headers).toEqual({ 'content-type': 'application/json; charset=utf-8', 'x-other': 'kept' })
  })
  await expect(fc.assert(written)).resolves.toBeUndefined()
})

it('keeps digits beyond the precision of a number', async () => {
  const json = '{"items":[{"n":12345678901234567890},{"n":1}]}'
  expect(textOf((await serializeInTurns({ status: 200, body: parseExact(json) })).body)).toBe(json)
})

it.each([
  ['no list', { status: 200, body: { a: 1, list: ['one'] } }],
  ['no body', { status: 204 }],
  ['a type of its own', { status: 200, body: { list: [1, 2] }, headers: { 'content-type': 'text/html' } }],
  ['only a list', { status: 200, body: [1, 2, 3] }],
])('leaves a response with %s alone', async (_, response) => {
  expect(await serializeInTurns(response)).toBe(response)
})

it('lets others run while it writes a page of long texts', async () => {
  // Each look at the clock is 6 ms later, so that the speed of the machine does not decide.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 6
    return now
  })
  const items = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, text: 'é'.repeat(50_000) }))
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const { body } = await serializeInTurns({ status: 200, body: { items } })
  isOver = true
  expect(turns).toBeGreaterThan(20)
  expect(textOf(body)).toBe(JSON.stringify({ items }))
})

it('does not look at the bytes of a body that is ready', async () => {
  const body = new Proxy(Buffer.from('{}'), {
    ownKeys: () => {
      throw new Error('each byte was looked at')
    },
  })
  const response = { status: 200, body, headers: { 'content-type': 'application/json' } }
  expect(await serializeInTurns(response)).toBe(response)
})

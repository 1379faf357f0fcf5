import { operations } from '@cairn/contracts/api/operations'
import type { ApiRequest, HttpResponse } from '@cairn/runtime/http/api-request'
import { expect, it } from 'vitest'
import type { Caller } from './call.ts'
import { createResponseBudget, itemBytes, withBudget } from './response-budget.ts'

const megabyte = 1024 * 1024
const never = new AbortController().signal

it('has room for a few large answers of an account at once, and makes the others wait for them to be sent', async () => {
  const room = createResponseBudget()
  const first = await room.reserve('a', 20 * megabyte, never)
  const second = await room.reserve('a', 20 * megabyte, never)
  const begun: number[] = []
  const wait = async (n: number) => {
    const taken = await room.reserve('a', 20 * megabyte, never)
    begun.push(n)
    return taken
  }
  const waiting = [wait(1), wait(2), wait(3)]
  await room.reserve('b', 20 * megabyte, never)
  expect(room.heldBytes('a')).toBe(40 * megabyte)
  first.shrinkTo(15 * megabyte)
  await Promise.resolve()
  expect(begun).toEqual([])
  first.release()
  first.release()
  await waiting[0]
  expect(begun).toEqual([1])
  second.release()
  for (const one of waiting) (await one).release()
  expect(begun).toEqual([1, 2, 3])
  expect(room.heldBytes('a')).toBe(0)
})

it('makes any answer where the account has no other, however large', async () => {
  const room = createResponseBudget()
  const { release } = await room.reserve('a', 100 * megabyte, never)
  release()
  expect(room.heldBytes('a')).toBe(0)
})

it('has nobody wait who has left', async () => {
  const room = createResponseBudget()
  const { release } = await room.reserve('a', 40 * megabyte, never)
  const left = new AbortController()
  const waiting = room.reserve('a', 20 * megabyte, left.signal)
  left.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'invalid' })
  release()
  expect(room.heldBytes('a')).toBe(0)
})

const requestOf = (sent: { readonly sentQuery?: object; readonly sentBody?: unknown }, ends: (() => void)[] = []) =>
  ({
    caller: { account: { id: 'a' } },
    sentQuery: {},
    signal: never,
    onEnd: (release: () => void) => void ends.push(release),
    ...sent,
  }) as unknown as ApiRequest<Caller>

it('holds what an answer has until it is sent', async () => {
  const room = createResponseBudget()
  const ends: (() => void)[] = []
  const reply: HttpResponse = { status: 200, body: { items: [{ text: 'x'.repeat(1_000), metadata: { a: 1 } }] } }
  const held: number[] = []
  const { handle } = withBudget(room)({
    operation: operations.fetchTextData,
    handle: async () => {
      held.push(room.heldBytes('a'))
      return reply
    },
  })
  expect(await handle(requestOf({}, ends))).toBe(reply)
  expect(held[0]).toBeGreaterThan(20_000_000)
  expect(room.heldBytes('a')).toBeGreaterThan(2_000)
  expect(room.heldBytes('a')).toBeLessThan(10_000)
  for (const end of ends) end()
  expect(room.heldBytes('a')).toBe(0)
})

it.each([
  ['fetchTextData', { sentQuery: {} }, 100],
  ['fetchTextData', { sentQuery: { limit: '7' } }, 7],
  ['fetchTextData', { sentQuery: { limit: 'x' } }, 100],
  ['fetchTextData', { sentQuery: { limit: '7', fields: 'head' } }, 1],
  ['filterTextData', { sentBody: { limit: 7 } }, 7],
  ['filterTextData', { sentBody: { limit: 7, fields: 'head' } }, 1],
  ['getDocuments', { sentBody: { ids: ['a', 'b'] } }, 2],
  ['getDocuments', { sentBody: null }, 1],
  ['search', { sentBody: { top_k: 5 } }, 5],
  ['search', { sentBody: { top_k: 1e9 } }, 100],
  ['search', { sentBody: { top_k: { toString: 1 } } }, 100],
  ['search', { sentBody: {} }, 10],
] as const)('reserves for %s of %j as many as %i items', async (name, sent, items) => {
  const room = createResponseBudget()
  let held = 0
  const { handle } = withBudget(room)({
    operation: operations[name],
    handle: () => {
      held = room.heldBytes('a')
      return { status: 200 }
    },
  })
  await handle(requestOf(sent))
  expect(held).toBe(items * itemBytes)
})

it('reserves nothing for other operations', () => {
  const endpoint = { operation: operations.listNamespaces, handle: () => ({ status: 200 }) }
  expect(withBudget(createResponseBudget())(endpoint)).toBe(endpoint)
})

import { keyFailures, operation } from '@cairn/contracts/http/operation'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { ApiRequest } from './api-request.ts'
import { type BodyOf, endpoint, type ParamsOf, type QueryOf, type ReplyOf } from './endpoint.ts'

const rename = operation({
  operationId: 'rename',
  method: 'post',
  path: '/v1/things/{thing}',
  tag: 'Things',
  summary: 'Rename a thing',
  auth: 'key',
  scope: 'write',
  errors: 'data',
  request: {
    params: z.object({ thing: z.string() }),
    query: z.object({ wait: z.coerce.number().default(0) }),
    body: { schema: z.object({ name: z.string().default('none'), tags: z.array(z.string()) }) },
  },
  responses: {
    200: { description: 'Renamed.', body: z.object({ names: z.array(z.string()), at: z.string().optional() }) },
    202: { description: 'Queued.' },
    203: { description: 'As text, or as events.', text: 'text/plain', events: 'names' },
  },
  failures: keyFailures({}),
})
const optional = operation({
  ...rename,
  request: { body: { schema: z.object({ name: z.string().optional() }), optional: true } },
})

const requestOf = (sent: object) =>
  ({ ...guardedRequest(rename, {}, 'someone'), ...sent }) as unknown as ApiRequest<string>

it('knows what an operation takes and returns', () => {
  expectTypeOf<ParamsOf<typeof rename>>().toEqualTypeOf<{ readonly thing: string }>()
  expectTypeOf<QueryOf<typeof rename>>().toEqualTypeOf<{ wait: number }>()
  expectTypeOf<BodyOf<typeof rename>>().toEqualTypeOf<{ name: string; tags: string[] }>()
  expectTypeOf<ParamsOf<typeof optional>>().toEqualTypeOf<Readonly<Record<string, never>>>()
  expectTypeOf<QueryOf<typeof optional>>().toEqualTypeOf<undefined>()
  type Reply = ReplyOf<typeof rename>
  expectTypeOf<Reply['status']>().toEqualTypeOf<200 | 202 | 203>()
  expectTypeOf<{ status: 200; body: { names: readonly string[] } }>().toExtend<Reply>()
  expectTypeOf<{ status: 202 }>().toExtend<Reply>()
  expectTypeOf<{ status: 203; body: string; headers: { 'content-type': string } }>().toExtend<Reply>()
  expectTypeOf<{ status: 203; events: AsyncIterable<{ event: string; data: number }> }>().toExtend<Reply>()
  expectTypeOf<{ status: 200; body: { names: number[] } }>().not.toExtend<Reply>()
  expectTypeOf<{ status: 201; body: { names: string[] } }>().not.toExtend<Reply>()
  expectTypeOf<{ status: 203; body: string }>().not.toExtend<Reply>()
})

it('refuses handlers that return something else, or read what is not sent', () => {
  // @ts-expect-error: not a status of the operation
  endpoint(rename, async () => ({ status: 204 }))
  // @ts-expect-error: `names` is missing
  endpoint(rename, async () => ({ status: 200, body: {} }))
  endpoint(rename, async ({ params }) => {
    // @ts-expect-error: the path has no such parameter
    expect(params.other).toBeUndefined()
    return { status: 202 }
  })
})

it('parses query and body when the handler asks', async () => {
  const { operation: own, handle } = endpoint(rename, async (request) => {
    const { params, caller } = request
    return {
      status: 200,
      body: { names: [String(caller), params.thing, request.body().name, `${request.query().wait}`] },
    }
  })
  expect(own).toBe(rename)
  const sent = { params: { thing: 'a' }, sentQuery: { wait: '3' }, sentBody: { tags: [] } }
  expect(await handle(requestOf(sent))).toEqual({ status: 200, body: { names: ['someone', 'a', 'none', '3'] } })
  await expect(handle(requestOf({ ...sent, sentBody: {} }))).rejects.toThrow('tags must be an array (it is missing)')
})

it('parses an optional body that was not sent as an empty object', async () => {
  const { handle } = endpoint(optional, async (request) => ({
    status: 200,
    body: { names: Object.keys(request.body()) },
  }))
  expect(await handle(requestOf({}))).toEqual({ status: 200, body: { names: [] } })
  expect(await handle(requestOf({ sentBody: { name: 'a' } }))).toEqual({ status: 200, body: { names: ['name'] } })
})

it('reads nothing of a request that the handler does not read', async () => {
  const { handle } = endpoint(rename, async () => ({ status: 202 }))
  const request = Object.defineProperty(requestOf({}), 'signal', {
    get: () => {
      throw new Error('signal was read')
    },
  })
  expect(await handle(request)).toEqual({ status: 202 })
})

import { operations } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Account } from '@cairn/domain/accounts/record'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, it } from 'vitest'
import type { Caller } from './call.ts'
import { countInNamespaces } from './count-in-namespaces.ts'
import { callerOf } from './gate.fixture.ts'

const caller: Caller = callerOf({ id: 'acc' } as Account)

const countedBy = async (
  operation: Operation,
  { status = 200, params = {}, body }: { readonly status?: number; readonly params?: object; readonly body?: unknown },
) => {
  const counted: (readonly [accountId: string, namespaces: readonly string[]])[] = []
  const route = countInNamespaces({ countIn: (...each) => void counted.push(each) })({
    operation,
    handle: () => ({ status, body: {} }),
  })
  const request = {
    ...guardedRequest<Caller>(operation, {}, caller),
    params,
    sentBody: body,
  } as unknown as ApiRequest<Caller>
  await route.handle(request)
  return counted
}

it('counts in the namespace of the path, or in those that the operation names in its body', async () => {
  const params = { namespace_name: 'notes' }
  // Body fields that an operation does not know are not counted as namespaces.
  const body = { namespace: 'invented', namespaces: ['invented'], namespace_name: 'invented' }
  expect(await countedBy(operations.uploadDocuments, { status: 202, params, body })).toEqual([['acc', ['notes']]])
  const many = { ...body, namespaces: ['a', 'b'] }
  expect(await countedBy(operations.search, { body: many })).toEqual([['acc', ['a', 'b']]])
  expect(await countedBy(operations.answer, { body: { ...body, namespace: 'a' } })).toEqual([['acc', ['a']]])
  expect(await countedBy(operations.answer, { body: { namespaces: ['a', 'b'] } })).toEqual([['acc', ['a', 'b']]])
  expect(await countedBy(operations.answer, { body: { namespace: '' } })).toEqual([['acc', []]])
  const made = { ...body, namespace_name: 'new' }
  expect(await countedBy(operations.createNamespace, { status: 201, body: made })).toEqual([['acc', ['new']]])
  expect(await countedBy(operations.listNamespaces, { body })).toEqual([['acc', []]])
})

it('counts no failure: its namespace may not exist', async () => {
  const params = { namespace_name: 'notes' }
  expect(await countedBy(operations.getDocuments, { status: 207, params })).toEqual([['acc', ['notes']]])
  expect(await countedBy(operations.getDocuments, { status: 399, params })).toEqual([['acc', ['notes']]])
  expect(await countedBy(operations.getDocuments, { status: 400, params })).toEqual([])
  expect(await countedBy(operations.getDocuments, { status: 404, params })).toEqual([])
})

it('leaves operations without an API key as they are', () => {
  const route = { operation: operations.listAccounts, handle: () => ({ status: 200 }) }
  expect(countInNamespaces({ countIn: () => undefined })(route)).toBe(route)
})

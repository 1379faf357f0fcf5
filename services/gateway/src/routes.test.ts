import { operationList } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import { type RouteTableDeps, routes } from './routes.ts'

it('has one row for each operation of contracts/src/operations.ts', () => {
  // No handler runs, so no handler needs its stores.
  const table = routes({ adminKey: 'admin' } as RouteTableDeps)
  const served = table.map(({ operation }) => operation.operationId)
  const described = operationList.map(({ operationId }) => operationId)
  expect(served.toSorted()).toEqual(described.toSorted())
})

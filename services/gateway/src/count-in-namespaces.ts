import { operations } from '@cairn/contracts/api/operations'
import type { ApiRequest, Endpoint } from '@cairn/runtime/http/api-request'
import type { Caller } from './call.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Operations that name their namespaces in the body. */
const inBody = new Map<string, (body: Readonly<Record<string, unknown>>) => unknown>([
  [operations.createNamespace.operationId, ({ namespace_name: name }) => name],
  [operations.search.operationId, ({ namespaces }) => namespaces],
  [operations.answer.operationId, ({ namespace, namespaces }) => namespace ?? namespaces],
])

const namespacesOf = ({ operation, params, sentBody: body }: ApiRequest<Caller>): readonly string[] => {
  const ofBody = inBody.get(operation.operationId)
  const names = ofBody ? [ofBody((body ?? {}) as Readonly<Record<string, unknown>>)].flat() : [params['namespace_name']]
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}

/** Counts each successful request for its namespaces: a request that names a missing one fails, so gets no row. */
export const countInNamespaces =
  (meter: Pick<UsageMeter, 'countIn'>) =>
  (endpoint: Endpoint<Caller>): Endpoint<Caller> => {
    const { operation, handle } = endpoint
    if (operation.auth !== 'key') return endpoint
    return {
      operation,
      handle: async (request) => {
        const response = await handle(request)
        const { caller } = request
        if (caller !== 'admin' && response.status < 400) meter.countIn(caller.account.id, namespacesOf(request))
        return response
      },
    }
  }

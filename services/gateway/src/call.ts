import type { Operation } from '@cairn/contracts/http/operation'
import type { Account, ApiKey } from '@cairn/domain/accounts/record'
import type { ApiRequest, Endpoint } from '@cairn/runtime/http/api-request'
import { type EndpointRequest, endpoint, type ReplyOf, type SentTo } from '@cairn/runtime/http/endpoint'
import type { Readable } from './gate.ts'

/** An account, by one of its keys, or the operator, by the admin key. */
export type Caller = { readonly account: Account; readonly key: ApiKey; readonly readable: Readable } | 'admin'

/** Returns who is charged for a request's bytes and turns. */
export const ownerOf = (caller: Caller | undefined): string =>
  caller === undefined || caller === 'admin' ? '' : caller.account.id

/** Request of an account to any operation. */
export type Call = Omit<ApiRequest<Caller>, 'caller' | 'params'> & {
  readonly account: Account
  /** API key of the request. */
  readonly keyId: string
  readonly readable: Readable
}

export type NamespaceCall = Call & { readonly params: { readonly namespace_name: string } }

/** Returns what records and messages of a request carry. */
export const causeOf = ({ requestId, traceparent }: Pick<Call, 'requestId' | 'traceparent'>) => ({
  correlationId: requestId,
  traceparent,
})

/** Admits only accounts. */
export const accountEndpoint = <O extends Operation, const R extends ReplyOf<O>>(
  operation: O,
  handle: (call: Call & SentTo<O>) => R | Promise<R>,
): Endpoint<Caller> =>
  endpoint(operation, (request: EndpointRequest<O, Caller>) => {
    const { caller } = request
    if (caller === 'admin') throw new Error('an endpoint of accounts was mounted behind the admin key')
    const { account, key, readable } = caller
    return handle(Object.assign(request, { account, keyId: key.id, readable }))
  })

import type { Account, ApiKey } from '@cairn/domain/metadata/records'
import type { ApiRequest, Endpoint, HttpResponse } from '@cairn/runtime/api-request'

/** The caller: an account by one of its keys, or the operator by the admin key. */
export type Caller = { readonly account: Account; readonly key: ApiKey } | 'admin'

/** Returns the owner of a request's bytes and turns. */
export const ownerOf = (caller: Caller | undefined): string =>
  caller === undefined || caller === 'admin' ? '' : caller.account.id

/** What an endpoint knows of an account's request. */
export type Call = {
  readonly account: Account
  /** Of the key that the request was sent with. */
  readonly keyId: string
  readonly requestId: string
  readonly traceparent: string | null
  readonly params: ApiRequest<Caller>['params']
  readonly query: ApiRequest<Caller>['query']
  readonly body: unknown
  readonly setHeader: ApiRequest<Caller>['setHeader']
  readonly onEnd: ApiRequest<Caller>['onEnd']
  /** For endpoints that store the body as it arrives. */
  readonly raw: ApiRequest<Caller>['raw']
  readonly continueBody: ApiRequest<Caller>['continueBody']
  /** Aborted when the client disconnects before it has its answer. */
  readonly signal: AbortSignal
}

export type Reply = HttpResponse

/** Returns what the records and messages of a request carry. */
export const causeOf = ({ requestId, traceparent }: Pick<Call, 'requestId' | 'traceparent'>) => ({
  correlationId: requestId,
  traceparent,
})

/** Adapts an endpoint for accounts to a row of the route table. */
export const forAccount =
  (handle: (call: Call) => Promise<Reply>): Endpoint<Caller> =>
  (request) => {
    const { caller, requestId, params, query, body, setHeader, onEnd, raw, continueBody } = request
    if (caller === 'admin') throw new Error('an endpoint of accounts was mounted behind the admin key')
    return handle({
      account: caller.account,
      keyId: caller.key.id,
      requestId,
      get traceparent() {
        return request.traceparent
      },
      params,
      query,
      body,
      setHeader,
      onEnd,
      raw,
      continueBody,
      get signal() {
        return request.signal
      },
    })
  }

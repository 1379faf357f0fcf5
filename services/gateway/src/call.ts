import type { Account, ApiKey } from '@cairn/ports/metadata/records'
import type { ApiRequest, Endpoint, HttpResponse } from '@cairn/runtime/api-request'

/** Who calls: an account by one of its keys, or the operator by the admin key. */
export type Caller = { readonly account: Account; readonly key: ApiKey } | 'admin'

/** Whose bytes and turns a request's are. */
export const ownerOf = (caller: Caller | undefined): string => (caller === undefined || caller === 'admin' ? '' : caller.account.id)

/** What an endpoint knows of a call of an account. */
export type Call = {
  readonly account: Account
  readonly requestId: string
  readonly traceparent: string | null
  readonly params: ApiRequest<Caller>['params']
  readonly query: ApiRequest<Caller>['query']
  readonly body: unknown
  readonly setHeader: ApiRequest<Caller>['setHeader']
  readonly onEnd: ApiRequest<Caller>['onEnd']
  /** For endpoints that store the body as it comes. */
  readonly raw: ApiRequest<Caller>['raw']
  readonly continueBody: ApiRequest<Caller>['continueBody']
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal
}

export type Reply = HttpResponse

/** What records and messages that a call causes carry. */
export const causeOf = ({ requestId, traceparent }: Pick<Call, 'requestId' | 'traceparent'>) => ({ correlationId: requestId, traceparent })

/** An endpoint for accounts as a row of the route table wants it. */
export const forAccount =
  (handle: (call: Call) => Promise<Reply>): Endpoint<Caller> =>
  (request) => {
    const { caller, requestId, params, query, body, setHeader, onEnd, raw, continueBody } = request
    if (caller === 'admin') throw new Error('an endpoint of accounts was mounted behind the admin key')
    return handle({
      account: caller.account,
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

import type { Account, ApiKey } from '@cairn/ports/metadata/records'
import type { Answer, ApiRequest, Endpoint } from '@cairn/runtime/api-request'

/** Who calls: an account by one of its keys, or the operator by the admin key. */
export type Caller = { readonly account: Account; readonly key: ApiKey } | 'admin'

/** What an endpoint knows of a call of an account. */
export type Call = {
  readonly account: Account
  readonly requestId: string
  /** W3C trace context, when the caller sent a well-formed one. */
  readonly traceparent: string | null
  readonly params: ApiRequest<Caller>['params']
  readonly query: ApiRequest<Caller>['query']
  readonly body: unknown
  readonly setHeader: ApiRequest<Caller>['setHeader']
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal
}

export type Reply = Answer

const traceparentForm = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/

/** An endpoint for accounts as a row of the route table wants it. */
export const forAccount =
  (handle: (call: Call) => Promise<Reply>): Endpoint<Caller> =>
  (request) => {
    const { caller, requestId, params, query, body, header, setHeader } = request
    if (caller === 'admin') throw new Error('an endpoint of accounts was mounted behind the admin key')
    const traceparent = header('traceparent')
    return handle({
      account: caller.account,
      requestId,
      traceparent: traceparent !== undefined && traceparentForm.test(traceparent) ? traceparent : null,
      params,
      query,
      body,
      setHeader,
      get signal() {
        return request.signal
      },
    })
  }

import { Cairn } from '@cairn/client'
import type { Operation } from '@cairn/contracts/http/operation'
import type * as z from 'zod'
import { checkAnswer } from './check-answer.ts'
import { createCheckedFetch } from './checked-fetch.ts'

export type Sent = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  /** Headers to add or override; `null` removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** The fields of an error response that tests use. Every error response is first checked against its full schema. */
export type Failure = {
  readonly status: 'failure'
  readonly message: string
  readonly error: string
  readonly request_id: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly suggestion?: string
  readonly namespace_name?: string
  readonly current_usage?: number
  readonly limit?: number
}

type BodyOf<O extends Operation, S> = S extends keyof O['responses']
  ? O['responses'][S] extends { readonly body: infer B extends z.ZodType }
    ? z.output<B>
    : string
  : Failure

export type Answered<B> = { readonly status: number; readonly body: B; readonly headers: Headers; readonly ms: number }

export type Client = {
  readonly url: string
  /**
   * The published client with the same URL and keys. Its responses are checked in the same way; it does not retry
   * failed calls.
   */
  readonly sdk: Cairn
  /** Calls an operation that must answer with this status, which determines the schema and type of the body. */
  call<O extends Operation, const S extends number>(
    operation: O,
    sent: Sent,
    status: S,
  ): Promise<Answered<BodyOf<O, S>>>
  /** Calls an operation that may answer with any of its documented statuses. */
  any(operation: Operation, sent?: Sent): Promise<Answered<Readonly<Record<string, unknown>>>>
  /** Returns the unread, unchecked response, for responses that are not JSON. */
  raw(operation: Operation, sent?: Sent, signal?: AbortSignal): Promise<Response>
  /** Returns a client with these headers, which override those of this client. */
  with(headers: Sent['headers']): Client
}

const withinMs = 60_000

const pathOf = ({ path }: Operation, { params = {}, query = {} }: Sent): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

const headersOf = (all: readonly Sent['headers'][]): Record<string, string> => {
  const merged = Object.assign({}, ...all) as Record<string, string | null>
  return Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/**
 * Creates a client of the documented API that checks each response against the contract of its operation and status.
 */
export const createClient = (url: string, headers: NonNullable<Sent['headers']> = {}): Client => {
  const raw: Client['raw'] = (operation, sent = {}, signal = AbortSignal.timeout(withinMs)) => {
    const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const json = payload === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(url + pathOf(operation, sent), {
      method: operation.method.toUpperCase(),
      headers: headersOf([headers, json, sent.headers]),
      redirect: 'manual',
      signal,
      ...(payload === undefined ? {} : { body: payload }),
    })
  }
  const any: Client['any'] = async (operation, sent = {}) => {
    const from = performance.now()
    const response = await raw(operation, sent)
    const text = await response.text()
    const ms = performance.now() - from
    const { status, headers: answered } = response
    const body = checkAnswer(operation, { status, headers: answered, text }) as Readonly<Record<string, unknown>>
    return { status, body, headers: answered, ms }
  }
  let sdk: Cairn | undefined
  return {
    url,
    get sdk() {
      sdk ??= new Cairn({
        url,
        apiKey: headers['x-api-key'] ?? undefined,
        adminKey: headers['x-admin-key'] ?? undefined,
        retries: 0,
        fetch: createCheckedFetch(),
      })
      return sdk
    },
    any,
    raw,
    call: async (operation, sent, status) => {
      const answered = await any(operation, sent)
      if (answered.status === status) return answered as never
      throw new Error(
        `${operation.operationId} answered ${answered.status} in place of ${status}: ${JSON.stringify(answered.body).slice(0, 1_000)}`,
      )
    },
    with: (more) => createClient(url, { ...headers, ...more }),
  }
}

/** Returns a form with one file, as the `raw` and `headers` of a call. */
export const formOf = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const whole = new Response(form)
  return {
    raw: new Uint8Array(await whole.arrayBuffer()),
    headers: { 'content-type': whole.headers.get('content-type') ?? '' },
  }
}

import { AppError } from '@cairn/contracts/errors'
import {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
  type Schemas,
} from '@qdrant/js-client-rest'
import { Agent, request as sendRequest } from 'undici'

export type QdrantConnection = {
  /** `http(s)://host:port`, with the path of a proxy. Without a port, the scheme's default applies, not 6333. */
  readonly url: string
  /** Sent as `api-key`; empty: no key. For https with a private certificate authority, set NODE_EXTRA_CA_CERTS. */
  readonly apiKey?: string | undefined
  /** For each request with its response. */
  readonly timeoutMs: number
}

export type Qdrant = {
  /**
   * Sends one request once; the caller decides on retries. All are safe to retry, because points are written and
   * removed by ids derived from their addresses. A write that timed out may still be applied. AppErrors: `unavailable`
   * (connection, deadline, rejected key, 408, 429, 5xx), `notFound` (no such collection), otherwise `internal`.
   */
  readonly request: <T>(send: (client: QdrantClient) => Promise<T>) => Promise<T>
  /**
   * As `client.upsert` with `wait`, under the rules of `request`. Bypasses the client, which passes a replacer to
   * JSON.stringify that runs for each number: an eighth of a gateway's CPU time for batches of vectors.
   */
  readonly upsert: (collection: string, points: readonly Schemas['PointStruct'][]) => Promise<Schemas['UpdateResult']>
  /**
   * One request, also without the client. Queries with long filters are split over consecutive requests, so that
   * Qdrant's threads can serve others in between. Returns the points of each query. Rejects with the reason of `signal`
   * once it is aborted.
   */
  readonly query: (
    collection: string,
    queries: readonly PointQuery[],
    signal?: AbortSignal,
  ) => Promise<Schemas['ScoredPoint'][][]>
}

export type PointQuery = Omit<Schemas['QueryRequest'], 'query'> & {
  readonly query: Float32Array | Schemas['SparseVector'] | Schemas['SampleQuery']
}

/** A rejected key is no fault of the data: work waits until the operator fixes it. */
const refusing = new Set([401, 403])
const busy = new Set([408, 429])
const maxTextLength = 300
/**
 * Limits the filters of one request. The work of a query grows with its filter: a hybrid search of 30 namespaces is one
 * request with a short filter, and five with a filter of 600 short values.
 */
const charactersPerRequest = 64_000

type Refusal = Error & { readonly status: number; readonly data?: unknown }
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

/** Returns undefined for a rejected key, whose response is plain text, and for a response that is not Qdrant's. */
const readFault = (data: unknown): string | undefined => {
  const fault = (data as { readonly status?: { readonly error?: unknown } } | null)?.status?.error
  return typeof fault === 'string' ? fault : undefined
}

/**
 * Returns undefined if the connection did not fail. The client uses fetch, which reports only "fetch failed": the
 * reason is in the cause. Node's own error codes, except TLS errors, are bugs of the caller.
 */
const connectionFault = (error: unknown): string | undefined => {
  const cause = error instanceof TypeError && error.cause !== undefined ? error.cause : error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  if (cause !== error) return code ?? (cause instanceof Error ? cause.message : String(cause))
  return code !== undefined && /^ERR_(?!TLS)/.test(code) ? undefined : code
}

const unavailable = (message: string, cause: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', message, { cause, retryAfterSeconds })

const fromRefusal = (error: Refusal, mask: (text: string) => string): AppError => {
  const { status, data } = error
  const fault = readFault(data)
  const detail = mask(fault ?? (typeof data === 'string' ? data : '')).slice(0, maxTextLength)
  const message = detail === '' ? `${status}` : `${status} ${detail}`
  if (refusing.has(status)) return unavailable(`Qdrant refuses access, check the API key: ${message}`, error, 10)
  if (busy.has(status) || status >= 500) return unavailable(`Qdrant can't answer: ${message}`, error)
  if (status === 404 && fault !== undefined) return new AppError('notFound', `Qdrant: ${message}`, { cause: error })
  if (status === 404)
    return unavailable(`What answers for Qdrant is something else, check the address: ${message}`, error, 10)
  return new AppError('internal', `Qdrant refuses the request: ${message}`, { cause: error })
}

const translate = (error: unknown, timeoutMs: number, mask: (text: string) => string): AppError => {
  if (error instanceof QdrantClientTimeoutError || (error instanceof DOMException && error.name === 'TimeoutError'))
    return unavailable(`Qdrant did not answer within ${timeoutMs} ms`, error)
  // The client reads only the first character of Retry-After, and throws another error if it is not a digit.
  if (
    error instanceof QdrantClientResourceExhaustedError ||
    (error instanceof Error && error.message.startsWith('Invalid retryAfter'))
  )
    return unavailable('Qdrant is busy (429)', error)
  if (isRefusal(error)) return fromRefusal(error, mask)
  const fault = connectionFault(error)
  if (fault !== undefined) return unavailable(`Qdrant can't be reached: ${fault}`, error)
  return new AppError('internal', `Qdrant's answer can't be used: ${mask(String(error)).slice(0, maxTextLength)}`, {
    cause: error,
  })
}

const readData = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const readUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new AppError('conflict', 'The address of Qdrant is no http URL')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new AppError(
      'conflict',
      'The address of Qdrant may have no user, query or fragment; its key is a setting of its own',
    )
  return url
}

/** Connects on first use. Idle connections do not keep the process alive, so nothing needs closing. */
export const connectQdrant = ({ url, apiKey, timeoutMs }: QdrantConnection): Qdrant => {
  const { origin, pathname } = readUrl(url)
  const path = pathname.replace(/\/+$/, '')
  const own: Record<string, string> = {
    // fetch requests gzip by default. Qdrant then sends its compressed response in several small segments. Nagle's
    // algorithm delays the second until the client's delayed acknowledgement of the first: 40 ms on every read.
    'accept-encoding': 'identity',
    ...(apiKey ? { 'api-key': apiKey } : {}),
  }
  const client = new QdrantClient({
    url: origin,
    // By default, the client uses port 6333 for a URL without a port or with its scheme's default port.
    port: null,
    ...(path === '' ? {} : { prefix: path }),
    // With the option `apiKey`, the client would print a warning for every URL that is not https.
    headers: own,
    timeout: timeoutMs,
    // Otherwise the constructor sends a request and prints the result.
    checkCompatibility: false,
  })
  const mask = (text: string): string => (apiKey ? text.replaceAll(apiKey, '…') : text)
  const request: Qdrant['request'] = async (send) => {
    try {
      return await send(client)
    } catch (error) {
      throw translate(error, timeoutMs, mask)
    }
  }
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...own }
  // Takes less than half of fetch's CPU time.
  const agent = new Agent({ allowH2: false })
  const send = <T>(
    method: 'PUT' | 'POST',
    collection: string,
    target: string,
    body: string,
    ended?: AbortSignal,
  ): Promise<T> =>
    request(async () => {
      const address = `${origin}${path}/collections/${encodeURIComponent(collection)}${target}`
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = ended ? AbortSignal.any([timeout, ended]) : timeout
      const response = await sendRequest(address, { method, headers, body, signal, dispatcher: agent })
      const text = await response.body.text()
      const status = response.statusCode
      if (status !== 200) throw Object.assign(new Error(`${status}`), { status, data: readData(text) })
      return (JSON.parse(text) as { readonly result: T }).result
    })
  return {
    request,
    upsert: (collection, points) => send('PUT', collection, '/points?wait=true', JSON.stringify({ points })),
    query: async (collection, queries, signal) => {
      signal?.throwIfAborted()
      const sendQuery = <T>(target: string, body: string): Promise<T> =>
        send<T>('POST', collection, target, body, signal).catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error
        })
      const numbers = new Map<PointQuery['query'], string>()
      const toNumbers = (query: PointQuery['query']): string => {
        const text = numbers.get(query) ?? (query instanceof Float32Array ? toJson(query) : JSON.stringify(query))
        numbers.set(query, text)
        return text
      }
      const sendAll = async (some: readonly QueryText[]): Promise<readonly Schemas['QueryResponse'][]> => {
        const [only = '', ...more] = some.map(({ query, rest }) => `{"query":${toNumbers(query)},${rest.slice(1)}`)
        if (more.length === 0) return [await sendQuery<Schemas['QueryResponse']>('/points/query', only)]
        return sendQuery('/points/query/batch', `{"searches":[${[only, ...more].join()}]}`)
      }
      const results: Schemas['QueryResponse'][] = []
      for (const some of inRequests(queries.map(({ query, ...rest }) => ({ query, rest: JSON.stringify(rest) }))))
        results.push(...(await sendAll(some)))
      return results.map(({ points }) => points)
    },
  }
}

type QueryText = { readonly query: PointQuery['query']; readonly rest: string }

/** A query that is longer than the limit is sent alone. */
const inRequests = (queries: readonly QueryText[]): QueryText[][] => {
  const requests: QueryText[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const query of queries) {
    characters += query.rest.length
    if (characters > charactersPerRequest) {
      requests.push([])
      characters = query.rest.length
    }
    requests.at(-1)?.push(query)
  }
  return requests
}

/** Nine digits identify a 32-bit number; a double would have up to seventeen. */
const toJson = (vector: Float32Array): string => `[${Array.from(vector, (value) => value.toPrecision(9)).join()}]`

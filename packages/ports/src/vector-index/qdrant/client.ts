import { AppError } from '@cairn/contracts/errors'
import { QdrantClient, QdrantClientResourceExhaustedError, QdrantClientTimeoutError, type Schemas } from '@qdrant/js-client-rest'

export type QdrantConnection = {
  /** `http(s)://host:port`, with a path where a proxy serves Qdrant under one. Without a port it is the scheme's, not 6333. */
  readonly url: string
  /** Empty: none. */
  readonly apiKey?: string | undefined
  /** Of each request, its answer included. */
  readonly timeoutMs: number
}

export type Qdrant = {
  /**
   * One request, sent once: what to repeat is the caller's policy, and all of our requests may be repeated, since points are written
   * and removed by ids that are derived from their addresses. A write that timed out may still be carried out.
   * AppErrors: `unavailable` (connection, deadline, key refused, 408, 429, 5xx), `notFound` (no such collection), else `internal`.
   */
  readonly request: <T>(send: (client: QdrantClient) => Promise<T>) => Promise<T>
  /**
   * `client.upsert`, which waits, by the same rules. Not through the client: it has JSON.stringify ask a function of its own about each
   * number, which of a batch of vectors made up an eighth of the work of a gateway.
   */
  readonly upsert: (collection: string, points: readonly Schemas['PointStruct'][]) => Promise<Schemas['UpdateResult']>
}

/** A refused key is no fault of what was to be written: it is set right by an operator, and work waits for that. */
const refusing = new Set([401, 403])
const busy = new Set([408, 429])
const longestText = 300

type Refusal = Error & { readonly status: number; readonly data?: unknown }
const isRefusal = (error: unknown): error is Refusal => error instanceof Error && 'status' in error && typeof error.status === 'number'

/** Qdrant's own words are in `status.error`, except for a refused key: text. Anything else is not from Qdrant. */
const readFault = (data: unknown): string | undefined => {
  const fault = (data as { readonly status?: { readonly error?: unknown } } | null)?.status?.error
  return typeof fault === 'string' ? fault : undefined
}

/** fetch says only "fetch failed"; what happened is in the cause. */
const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

const unavailable = (message: string, cause: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', message, { cause, retryAfterSeconds })

const fromRefusal = (error: Refusal, mask: (text: string) => string): AppError => {
  const { status, data } = error
  const fault = readFault(data)
  const said = mask(fault ?? (typeof data === 'string' ? data : '')).slice(0, longestText)
  const message = said === '' ? `${status}` : `${status} ${said}`
  if (refusing.has(status)) return unavailable(`Qdrant refuses access, check the API key: ${message}`, error, 10)
  if (busy.has(status) || status >= 500) return unavailable(`Qdrant can't answer: ${message}`, error)
  if (status === 404 && fault !== undefined) return new AppError('notFound', `Qdrant: ${message}`, { cause: error })
  if (status === 404) return unavailable(`What answers for Qdrant is something else, check the address: ${message}`, error, 10)
  return new AppError('internal', `Qdrant refuses the request: ${message}`, { cause: error })
}

const translate = (error: unknown, timeoutMs: number, mask: (text: string) => string): AppError => {
  if (error instanceof QdrantClientTimeoutError || (error instanceof DOMException && error.name === 'TimeoutError'))
    return unavailable(`Qdrant did not answer within ${timeoutMs} ms`, error)
  // The client keeps only the first character of Retry-After, and throws an error of its own where that is no digit.
  if (error instanceof QdrantClientResourceExhaustedError || (error instanceof Error && error.message.startsWith('Invalid retryAfter')))
    return unavailable('Qdrant is busy (429)', error)
  if (isRefusal(error)) return fromRefusal(error, mask)
  if (error instanceof TypeError && error.cause !== undefined) return unavailable(`Qdrant can't be reached: ${codeOf(error.cause)}`, error)
  return new AppError('internal', `Qdrant's answer can't be used: ${mask(String(error)).slice(0, longestText)}`, { cause: error })
}

/** As Qdrant's client has it: JSON if it is some, else text. */
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
    throw new AppError('conflict', 'The address of Qdrant may have no user, query or fragment; its key is a setting of its own')
  return url
}

/** Connects when first asked. Connections that idle keep no process alive; there is nothing to close. */
export const connectQdrant = ({ url, apiKey, timeoutMs }: QdrantConnection): Qdrant => {
  const { origin, pathname } = readUrl(url)
  const path = pathname.replace(/\/+$/, '')
  const own: Record<string, string> = {
    // By default fetch asks for gzip. Qdrant then sends its compressed answer in several small segments, and Nagle's algorithm holds back
    // the second until the client's delayed acknowledgement of the first: 40 ms on every read.
    'accept-encoding': 'identity',
    ...(apiKey ? { 'api-key': apiKey } : {}),
  }
  const client = new QdrantClient({
    url: origin,
    // Else a URL without a port, and so one with its scheme's own, is taken for one of port 6333.
    port: null,
    ...(path === '' ? {} : { prefix: path }),
    // As a header: given as `apiKey` the client would warn on the console of every address that is not https.
    headers: own,
    timeout: timeoutMs,
    // Else the constructor sends a request of its own, and says on the console what came of it.
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
  return {
    request,
    upsert: (collection, points) =>
      request(async () => {
        const address = `${origin}${path}/collections/${encodeURIComponent(collection)}/points?wait=true`
        const signal = AbortSignal.timeout(timeoutMs)
        const answer = await fetch(address, { method: 'PUT', headers, body: JSON.stringify({ points }), signal })
        const text = await answer.text()
        if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status, data: readData(text) })
        return (JSON.parse(text) as { readonly result: Schemas['UpdateResult'] }).result
      }),
  }
}

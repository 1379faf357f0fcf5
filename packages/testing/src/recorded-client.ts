import { Agent, request } from 'node:http'
import type { Answered, Ledger, LedgerEntry, LedgerRequest, ReturnedDocument, SentDocument } from './ledger.ts'

/** Outcome of a request: the ledger's entry, and the status and body of the answer if an answer arrived. */
export type Recorded = {
  readonly entry: LedgerEntry
  readonly status: number | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export type RecordedClientOptions = {
  /** Returns the base URL. Called for each request, because a restarted system may have another URL. */
  readonly url: () => string
  readonly apiKey: string
  readonly accountId: string
  readonly ledger: Ledger
  /** Milliseconds after which a request without an answer counts as unknown. Default: 30,000. */
  readonly withinMs?: number
}

export type RecordedClient = {
  createNamespace(name: string, vectorDimension?: number): Promise<Recorded>
  deleteNamespace(name: string): Promise<Recorded>
  /** Uploads documents, whose texts must differ from all others in the ledger. */
  upload(namespace: string, documents: readonly SentDocument[]): Promise<Recorded>
  /** Removes documents or vectors; the two delete operations accept both types. */
  remove(namespace: string, ids: readonly string[]): Promise<Recorded>
  get(namespace: string, ids: readonly string[]): Promise<Recorded>
  /** Reads all pages, with one entry in the ledger for all requests. */
  walk(namespace: string, limit: number): Promise<Recorded>
  search(namespaces: readonly string[], query: string | readonly number[], topK?: number): Promise<Recorded>
  /** Closes the client's connections. */
  close(): void
}

type Answer = Pick<Recorded, 'status' | 'body'>
type Row = {
  readonly id: string
  readonly text: string
  readonly metadata: Record<string, unknown>
  readonly namespace?: string
}

const nothing: Answer = { status: undefined, body: {} }
const isAnswered = ({ status }: Answer): boolean => status !== undefined && status < 500 && status !== 408

const toReturnedDocuments = (rows: unknown, namespace: string): ReturnedDocument[] =>
  (Array.isArray(rows) ? (rows as Row[]) : []).map((row) => ({
    id: row.id,
    text: row.text,
    metadata: row.metadata,
    namespace: row.namespace ?? namespace,
  }))

const wireOf = ({ id, text, metadata, vector }: SentDocument) => ({
  ...metadata,
  id,
  text,
  ...(vector ? { vector } : {}),
})

/** Converts an upload's answer for the ledger. A 207 names the rejected documents. */
const uploadAnswered = (body: Answer['body']): Answered => {
  const failed = (body['failed_documents'] ?? body['failed_vectors'] ?? []) as readonly { readonly id: string }[]
  return {
    uploadId: String(body['upload_id']),
    ...(failed.length > 0 ? { refusedIds: failed.map(({ id }) => id) } : {}),
  }
}

/**
 * Creates a client of the HTTP API that records requests and outcomes: acknowledged, refused, or unknown when there was
 * no whole answer or the answer was a 408 or a 5xx. It never retries.
 */
export const recordedClient = ({
  url,
  apiKey,
  accountId,
  ledger,
  withinMs = 30_000,
}: RecordedClientOptions): RecordedClient => {
  const agent = new Agent({ keepAlive: true })
  const sendOnce = (method: string, path: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const json = payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}
      const sent = request(url() + path, { method, agent, headers: { 'x-api-key': apiKey, ...json } }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve({
              status: response.statusCode,
              body: JSON.parse(Buffer.concat(parts).toString()) as Answer['body'],
            })
          } catch (error) {
            reject(error)
          }
        })
      })
      sent.setTimeout(withinMs, () => sent.destroy(new Error('no answer')))
      sent.on('error', reject)
      sent.end(payload)
    })
  // After an error, it is unknown whether the request took effect.
  const send = (...of: Parameters<typeof sendOnce>): Promise<Answer> => sendOnce(...of).catch(() => nothing)
  const note = (entry: LedgerEntry, answer: Answer, answered: (body: Answer['body']) => Answered): Recorded => {
    if (isAnswered(answer)) {
      if ((answer.status ?? 0) < 400) ledger.acknowledge(entry, answered(answer.body))
      else ledger.refuse(entry)
    }
    return { entry, ...answer }
  }
  const call = async (
    request: LedgerRequest,
    method: string,
    path: string,
    body: unknown,
    answered: (body: Answer['body']) => Answered = () => ({}),
  ): Promise<Recorded> => {
    const entry = ledger.begin(accountId, request)
    return note(entry, await send(method, path, body), answered)
  }
  const at = (namespace: string, rest = '') => `/v1/namespaces/${encodeURIComponent(namespace)}${rest}`

  return {
    close: () => agent.destroy(),
    createNamespace: (name, dimension) =>
      call({ kind: 'createNamespace', namespace: name }, 'POST', '/v1/namespaces', {
        namespace_name: name,
        ...(dimension === undefined ? { type: 'text' } : { type: 'vector', vector_dimension: dimension }),
      }),
    deleteNamespace: (name) => call({ kind: 'deleteNamespace', namespace: name }, 'DELETE', at(name), undefined),
    upload: (namespace, documents) => {
      const kind = documents.some(({ vector }) => vector) ? 'vectors' : 'documents'
      return call(
        { kind: 'upload', namespace, documents },
        'POST',
        at(namespace, `/${kind}`),
        { [kind]: documents.map(wireOf) },
        uploadAnswered,
      )
    },
    remove: (namespace, ids) =>
      call({ kind: 'delete', namespace, ids }, 'POST', at(namespace, '/documents/delete'), { ids }),
    get: (namespace, ids) =>
      call({ kind: 'get', namespace, ids }, 'POST', at(namespace, '/documents/get'), { ids }, ({ items }) => ({
        returned: toReturnedDocuments(items, namespace),
      })),
    search: (namespaces, query, topK = 10) =>
      call({ kind: 'search', namespaces }, 'POST', '/v1/search', { namespaces, query, top_k: topK }, ({ results }) => ({
        returned: toReturnedDocuments(results, ''),
      })),
    walk: async (namespace, limit) => {
      const entry = ledger.begin(accountId, { kind: 'walk', namespace })
      const returned: ReturnedDocument[] = []
      for (let requests = 1, token = ''; ; requests += 1) {
        const answer = await send(
          'GET',
          at(
            namespace,
            `/documents/fetch-text-data?limit=${limit}${token && `&next_token=${encodeURIComponent(token)}`}`,
          ),
        )
        returned.push(...toReturnedDocuments(answer.body['items'], namespace))
        const { next_token: next } = (answer.body['pagination'] ?? {}) as { readonly next_token?: string | null }
        if (!isAnswered(answer) || (answer.status ?? 0) >= 400 || !next)
          return note(entry, answer, () => ({ returned, requests }))
        token = next
      }
    },
  }
}

import type { Operation } from '@cairn/contracts/http/operation'
import type { operations } from '@cairn/contracts/operations'
import type * as z from 'zod'

// The only file that speaks HTTP. Its types are those from which docs/openapi.json is generated.

type Operations = typeof operations
type JsonOf<O extends Operation, S> = S extends keyof O['responses']
  ? O['responses'][S] extends { readonly body: infer B extends z.ZodType }
    ? z.output<B>
    : never
  : never
type BodyOf<K extends keyof Operations> = JsonOf<Operations[K], keyof Operations[K]['responses']>
type Element<T> = T extends readonly (infer E)[] ? E : never

export type Namespace = Element<BodyOf<'listNamespaces'>['namespaces']>
export type FileList = BodyOf<'listFiles'>
export type FileStatus = BodyOf<'getFileStatus'>
export type StoredDocument = Element<BodyOf<'getDocuments'>['items']>
export type Retried = BodyOf<'retryFailed'>
export type UploadState = BodyOf<'getUpload'>
export type Hits = BodyOf<'search'>
export type Hit = Element<Hits['results']>
export type Source = Element<BodyOf<'answer'>['sources']>
export type Account = Element<BodyOf<'listAccounts'>['accounts']>
export type ApiKey = Element<BodyOf<'listKeys'>['keys']>
export type OwnUsage = BodyOf<'getOwnUsage'>
export type CreatedKey = BodyOf<'createKey'>
export type Usage = BodyOf<'getUsage'>
export type DeadLetter = Element<BodyOf<'listDeadLetters'>['dead_letters']>
export type Readiness = BodyOf<'getReadiness'>
export type Scope = 'read' | 'write' | 'admin'
export type Mode = 'hybrid' | 'semantic' | 'lexical'

/** A filter as the form makes it; the API has more operators. */
export type Filter = { readonly [operator: string]: unknown }

/** One row of the list of documents: no more of the text than a row shows. */
export type DocumentRow = {
  readonly id: string
  readonly excerpt: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly isSummary: boolean
  readonly createdAt: string | null
}
export type DocumentPage = { readonly rows: readonly DocumentRow[]; readonly next: string | null }

/** A refusal. `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly suggestion: string | undefined
  constructor(status: number, message: string, suggestion?: string) {
    super(message)
    this.status = status
    this.suggestion = suggestion
  }
}

type Auth = { readonly apiKey?: string; readonly adminKey?: string }
type Sent = { readonly body?: unknown; readonly form?: FormData; readonly signal?: AbortSignal | undefined }

const failureOf = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => ({}))) as {
    message?: string
    error?: string
    suggestion?: string
  }
  const text = body.message ?? body.error ?? `The server answered ${response.status}.`
  return new ApiError(response.status, text, body.suggestion)
}

const send = async (auth: Auth, method: string, path: string, { body, form, signal }: Sent = {}): Promise<Response> => {
  const headers: Record<string, string> = {}
  if (auth.apiKey) headers['x-api-key'] = auth.apiKey
  if (auth.adminKey) headers['x-admin-key'] = auth.adminKey
  if (body !== undefined) headers['content-type'] = 'application/json'
  const payload = form ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'omit',
    ...(payload === undefined ? {} : { body: payload }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'Cairn cannot be reached. Is it running?')
  })
  if (!response.ok) throw await failureOf(response)
  return response
}

const json = async <T>(...sent: Parameters<typeof send>): Promise<T> => (await (await send(...sent)).json()) as T

const of = (namespace: string) => `/v1/namespaces/${encodeURIComponent(namespace)}`
const excerptLength = 240

/** Reads server-sent events until the stream ends. */
const readEvents = async (response: Response, onEvent: (event: string, data: unknown) => void): Promise<void> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split(/\r?\n/)
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
          .join('\n')
      const data = field('data')
      if (data !== '') onEvent(field('event'), JSON.parse(data))
    }
  }
}

/** Sends a file and reports the part that was sent, 0 to 1. `fetch` reports no progress of uploads; `XMLHttpRequest` does. */
const sendFile = (
  options: { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, string>> },
  body: FormData | File,
  onProgress: (sent: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(options.method, options.url)
    for (const [name, value] of Object.entries(options.headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => onProgress(event.total > 0 ? event.loaded / event.total : 0)
    request.onload = () => {
      if (request.status < 300) return resolve()
      const response = new Response(request.responseText, { status: request.status })
      failureOf(response).then(reject, reject)
    }
    request.onerror = () => reject(new ApiError(0, 'The connection was lost while the file was sent.'))
    request.send(body)
  })

/** Files up to this size go through the API, larger ones to their upload URL. */
export const formFileBytes = 10 * 1024 * 1024

/** The file is above 10 MB, and its upload URL is of another host, which the page may not call. */
export class ElsewhereError extends Error {
  readonly fileName: string
  constructor(fileName: string) {
    super('Files above 10 MB go to the object store directly, which this page may not call.')
    this.fileName = fileName
  }
}

/** Exchanges the code of the address for an API key. */
export const exchangeCode = async (code: string): Promise<string> =>
  (await json<{ api_key: string }>({}, 'POST', '/console/session', { body: { code } })).api_key

/** What an account may do with its key. */
export const createApi = (apiKey: string) => {
  const auth = { apiKey }
  return {
    listNamespaces: async (): Promise<readonly Namespace[]> =>
      (await json<BodyOf<'listNamespaces'>>(auth, 'GET', '/v1/namespaces')).namespaces,
    createNamespace: (body: Readonly<Record<string, unknown>>) => send(auth, 'POST', '/v1/namespaces', { body }),
    deleteNamespace: (name: string): Promise<BodyOf<'deleteNamespace'>> => json(auth, 'DELETE', of(name)),
    getDeletion: (id: string): Promise<BodyOf<'getDeletion'>> => json(auth, 'GET', `/v1/deletions/${id}`),

    /** A page of documents and chunks in the order of their ids. */
    listDocuments: async (
      namespace: string,
      options: { readonly filter?: Filter; readonly token?: string | undefined; readonly limit?: number },
    ): Promise<DocumentPage> => {
      const { filter, token, limit = 100 } = options
      const path = `${of(namespace)}/documents/fetch-text-data`
      const next = token === undefined ? {} : { next_token: token }
      const query = new URLSearchParams({ limit: String(limit), ...(token === undefined ? {} : { next_token: token }) })
      const page = filter
        ? await json<BodyOf<'filterTextData'>>(auth, 'POST', path, { body: { filter, limit, ...next } })
        : await json<BodyOf<'filterTextData'>>(auth, 'GET', `${path}?${query}`)
      const rows = page.items.map((item) => ({
        id: item.id,
        excerpt: item.text.slice(0, excerptLength),
        metadata: item.metadata,
        isSummary: item.is_summary,
        createdAt: item.created_at,
      }))
      return { rows, next: page.pagination.has_more ? page.pagination.next_token : null }
    },
    getDocument: async (namespace: string, id: string): Promise<StoredDocument> => {
      const found = await json<BodyOf<'getDocuments'>>(auth, 'POST', `${of(namespace)}/documents/get`, {
        body: { ids: [id] },
      })
      const document = found.items[0]
      if (!document) throw new ApiError(404, 'The document does not exist.')
      return document
    },
    uploadDocument: (namespace: string, document: Readonly<Record<string, unknown>>) =>
      json<BodyOf<'uploadDocuments'>>(auth, 'POST', `${of(namespace)}/documents`, { body: { documents: [document] } }),
    getUpload: (namespace: string, id: string): Promise<UploadState> =>
      json(auth, 'GET', `${of(namespace)}/uploads/${encodeURIComponent(id)}`),
    deleteDocument: (namespace: string, id: string) =>
      send(auth, 'POST', `${of(namespace)}/documents/delete`, { body: { ids: [id] } }),

    listFiles: (namespace: string): Promise<FileList> => json(auth, 'GET', `${of(namespace)}/list-files`),
    getFileStatus: (namespace: string, file: string): Promise<FileStatus> =>
      json(auth, 'GET', `${of(namespace)}/files/${encodeURIComponent(file)}/status`),
    retryFile: (namespace: string, file: string) =>
      send(auth, 'POST', `${of(namespace)}/files/${encodeURIComponent(file)}/retry`),
    /** Retries files and documents of the namespace that failed for a reason that may pass, or counts them. */
    retryFailed: (namespace: string, isDryRun: boolean): Promise<Retried> =>
      json(auth, 'POST', `${of(namespace)}/retry`, { body: { dry_run: isDryRun } }),
    deleteFile: async (namespace: string, file: string): Promise<void> => {
      const { results } = await json<BodyOf<'deleteFiles'>>(auth, 'DELETE', `${of(namespace)}/delete-file`, {
        body: { file_name: file },
      })
      const failed = results.find(({ status }) => status === 'error')
      if (failed) throw new ApiError(404, failed.message)
    },
    uploadFile: async (namespace: string, file: File, onProgress: (sent: number) => void): Promise<void> => {
      if (file.size <= formFileBytes) {
        const form = new FormData()
        form.append('file', file, file.name)
        const headers = { 'x-api-key': apiKey }
        return sendFile({ method: 'POST', url: `${of(namespace)}/upload-file`, headers }, form, onProgress)
      }
      const grant = await json<BodyOf<'createUploadUrl'>>(auth, 'POST', `${of(namespace)}/upload-url`, {
        body: { file_name: file.name, file_size: file.size },
      })
      // The one process receives the file itself, whatever name of it the address has.
      const { pathname, search } = new URL(grant.upload_url)
      const isOwn = pathname.startsWith('/files/') && new URL(grant.upload_url).port === location.port
      if (!isOwn) throw new ElsewhereError(file.name)
      const headers = { 'content-type': grant.content_type }
      return sendFile({ method: 'PUT', url: pathname + search, headers }, file, onProgress)
    },

    getUsage: (by: OwnUsage['by']): Promise<OwnUsage> => json(auth, 'GET', `/v1/usage?by=${by}`),

    search: (body: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Hits> =>
      json(auth, 'POST', '/v1/search', { body, signal }),
    /** Streams an answer. Resolves when it is complete. */
    answer: async (
      body: Readonly<Record<string, unknown>>,
      on: {
        readonly sources: (sources: readonly Source[], model: string) => void
        readonly token: (delta: string) => void
        readonly done: (answer: string) => void
      },
      signal: AbortSignal,
    ): Promise<void> => {
      const response = await send(auth, 'POST', '/v1/answer', { body: { ...body, stream: true }, signal })
      await readEvents(response, (event, data) => {
        const sent = data as { sources: Source[]; model: string; delta: string; answer: string; message: string }
        if (event === 'meta') on.sources(sent.sources, sent.model)
        if (event === 'token') on.token(sent.delta)
        if (event === 'done') on.done(sent.answer)
        if (event === 'error') throw new ApiError(500, sent.message)
      })
    },
  }
}
export type Api = ReturnType<typeof createApi>

/** What the operator may do with the admin key. */
export const createAdminApi = (adminKey: string) => {
  const auth = { adminKey }
  const account = (id: string) => `/admin/v1/accounts/${encodeURIComponent(id)}`
  return {
    listAccounts: async (): Promise<readonly Account[]> =>
      (await json<BodyOf<'listAccounts'>>(auth, 'GET', '/admin/v1/accounts')).accounts,
    createAccount: (name: string, tier: string): Promise<Account> =>
      json(auth, 'POST', '/admin/v1/accounts', { body: { name, tier } }),
    updateAccount: (id: string, tier: string) => send(auth, 'PATCH', account(id), { body: { tier } }),
    getUsage: (id: string, by: OwnUsage['by'] = 'day'): Promise<Usage> =>
      json(auth, 'GET', `${account(id)}/usage?by=${by}`),
    listKeys: async (id: string): Promise<readonly ApiKey[]> =>
      (await json<BodyOf<'listKeys'>>(auth, 'GET', `${account(id)}/keys`)).keys,
    createKey: (id: string, name: string, scopes: readonly Scope[]): Promise<CreatedKey> =>
      json(auth, 'POST', `${account(id)}/keys`, { body: { name, scopes } }),
    setKeyState: (keyId: string, state: ApiKey['state']) =>
      send(auth, 'PATCH', `/admin/v1/keys/${encodeURIComponent(keyId)}`, { body: { state } }),
    listDeadLetters: (after?: string): Promise<BodyOf<'listDeadLetters'>> =>
      json(auth, 'GET', `/admin/v1/dead-letters?limit=50${after ? `&after=${encodeURIComponent(after)}` : ''}`),
    replayDeadLetter: (id: string) => send(auth, 'POST', `/admin/v1/dead-letters/${encodeURIComponent(id)}/replay`),
  }
}
export type AdminApi = ReturnType<typeof createAdminApi>

/** Readiness has a body also when it is 503. */
export const getReadiness = async (): Promise<Readiness> => {
  const response = await fetch('/readyz', { credentials: 'omit' }).catch(() => {
    throw new ApiError(0, 'Cairn cannot be reached. Is it running?')
  })
  return (await response.json()) as Readiness
}

export type Queue = { readonly service: string; readonly jobs: number; readonly oldestSeconds: number }

/** Reads the due jobs of each service from the metrics. */
export const getQueues = async (): Promise<readonly Queue[]> => {
  const text = await (await send({}, 'GET', '/metrics')).text()
  const read = (metric: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^${metric}\\{service="([^"]+)"\\} ([0-9.eE+-]+)$`, 'gm'))].map(
        ([, service = '', value]) => [service, Number(value)],
      ),
    )
  const oldest = read('cairn_due_jobs_oldest_seconds')
  return [...read('cairn_due_jobs')].map(([service, jobs]) => ({
    service,
    jobs,
    oldestSeconds: oldest.get(service) ?? 0,
  }))
}

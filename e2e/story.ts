import { operations } from '@cairn/contracts/operations'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Client, createClient } from './client.ts'
import type {} from './global-setup.ts'
import { type Standalone, type StandaloneOptions, startStandalone, startTarget, type Target } from './target.ts'

type Scope = 'read' | 'write' | 'admin'

/** An account of its own with one key, and a client that uses it. */
export type Member = {
  readonly accountId: string
  readonly keyId: string
  readonly apiKey: string
  readonly api: Client
}

export type Story<T extends Target> = {
  /** Running while the tests of the file run. */
  readonly target: T
  /** Without any key. */
  readonly visitor: Client
  readonly admin: Client
  member(options?: { readonly tier?: string; readonly scopes?: readonly Scope[] }): Promise<Member>
  /** One more key of an account. */
  key(accountId: string, body?: { readonly scopes?: readonly Scope[]; readonly expires_at?: string }): Promise<Member>
}

let made = 0
/** A name nobody has used before, here or in an earlier run against the same system. */
export const freshName = (prefix = 'ns'): string => {
  made += 1
  return `${prefix}-${Date.now().toString(36)}-${process.pid.toString(36)}-${made}`
}

const storyOf = <T extends Target>(start: () => Promise<T>): Story<T> => {
  let target: T | undefined
  const running = (): T => {
    if (target) return target
    throw new Error('the target runs only while tests run')
  }
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.stop())

  const visitor = () => createClient(running().url)
  const admin = () => visitor().with({ 'x-admin-key': running().adminKey })
  const key: Story<T>['key'] = async (accountId, body = {}) => {
    const sent = { params: { account_id: accountId }, body: { name: 'e2e', ...body } }
    const { key_id: keyId, api_key: apiKey } = (await admin().call(operations.createKey, sent, 201)).body
    return { accountId, keyId, apiKey, api: visitor().with({ 'x-api-key': apiKey }) }
  }
  return {
    get target() {
      return running()
    },
    get visitor() {
      return visitor()
    },
    get admin() {
      return admin()
    },
    key,
    member: async ({ tier = 'enterprise', scopes } = {}) => {
      const { body } = await admin().call(operations.createAccount, { body: { name: freshName('account'), tier } }, 201)
      return key(body.account_id, scopes === undefined ? {} : { scopes })
    },
  }
}

/** The target of the run; where none was started for it, one for the tests of the file. */
const runTarget = async (): Promise<Target> => {
  const shared = inject('target')
  return shared ? { ...shared, stop: async () => undefined } : startTarget()
}

/** What the tests of a file play on: the target that `E2E_TARGET` names. */
export const useTarget = (): Story<Target> => storyOf(runTarget)

/** The same with settings of its own, where the target is ours to start: a process or a cluster. */
export const useOwnTarget = (options: StandaloneOptions): Story<Target> => storyOf(() => startTarget(options))

/** The same for tests that read the process's files or output, end it, or need settings of its own. */
export const useStandalone = (options?: StandaloneOptions): Story<Standalone> => storyOf(() => startStandalone(options))

export const createNamespace = async (api: Client, body: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const name = freshName()
  await api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text', ...body } }, 201)
  return name
}

export const upload = async (api: Client, namespace: string, documents: readonly unknown[]) =>
  (await api.call(operations.uploadDocuments, { params: { namespace_name: namespace }, body: { documents } }, 202)).body

const readUpload = async (api: Client, namespace: string, uploadId: string) =>
  (await api.call(operations.getUpload, { params: { namespace_name: namespace, upload_id: uploadId } }, 200)).body

/** What became of an upload, once all of it is known. Bounded. */
export const settled = (api: Client, namespace: string, uploadId: string) =>
  eventually(
    () => readUpload(api, namespace, uploadId),
    ({ finished_at: finishedAt }) => finishedAt !== null,
    { withinMs: 30_000, everyMs: 10 },
  )

/** Uploads and waits until all of it is found by searches. */
export const index = async (api: Client, namespace: string, documents: readonly unknown[]) => {
  const { upload_id: uploadId } = await upload(api, namespace, documents)
  const outcome = await settled(api, namespace, uploadId)
  if (outcome.counts.completed !== documents.length)
    throw new Error(`not every document was indexed: ${JSON.stringify(outcome)}`)
  return outcome
}

export const search = async (
  api: Client,
  namespaces: readonly string[],
  query: unknown,
  more: Readonly<Record<string, unknown>> = {},
) => (await api.call(operations.search, { body: { query, namespaces, ...more } }, 200)).body

export const idsFound = async (...of: Parameters<typeof search>): Promise<string[]> =>
  (await search(...of)).results.map(({ id }) => id)

/** Every page of a namespace, one after the other. Bounded. */
export const walk = async (api: Client, namespace: string, limit = 100) => {
  const pages = []
  for (let token: string | null = ''; token !== null && pages.length < 1_000; ) {
    const query: Record<string, string> = { limit: String(limit), ...(token === '' ? {} : { next_token: token }) }
    const { body } = await api.call(operations.fetchTextData, { params: { namespace_name: namespace }, query }, 200)
    pages.push(body)
    token = body.pagination.next_token
  }
  return pages
}

export const listed = async (api: Client) => (await api.call(operations.listNamespaces, {}, 200)).body.namespaces

/** Asks for its deletion and waits until the name is free. Bounded. */
export const removeNamespace = async (api: Client, namespace: string): Promise<void> => {
  await api.call(operations.deleteNamespace, { params: { namespace_name: namespace } }, 202)
  const again = () => api.any(operations.deleteNamespace, { params: { namespace_name: namespace } })
  await eventually(again, ({ status }) => status === 404, { withinMs: 30_000, everyMs: 20 })
}

/** A form with one file, as `raw` and `headers` of a call. */
export const formOf = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const whole = new Response(form)
  return {
    raw: new Uint8Array(await whole.arrayBuffer()),
    headers: { 'content-type': whole.headers.get('content-type') ?? '' },
  }
}

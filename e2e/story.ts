import type { Cairn, CreateKey, Search, SentDocument, SentVector, TextDataPage } from '@cairn/client'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Client, createClient } from './client.ts'
import type {} from './global-setup.ts'
import { type Standalone, type StandaloneOptions, startStandalone, startTarget, type Target } from './target.ts'

/** A new account with one key, and a client that uses the key. */
export type Member = {
  readonly accountId: string
  readonly keyId: string
  readonly apiKey: string
  readonly api: Client
}

export type Room = Member & {
  readonly name: string
  /** Path parameters of the namespace. */
  readonly params: { readonly namespace_name: string }
}

type Kind = Parameters<Cairn['namespaces']['create']>[1]

export type Story<T extends Target> = {
  /** The target, which runs as long as the tests of the file. */
  readonly target: T
  /** A client without any key. */
  readonly visitor: Client
  readonly admin: Client
  member(options?: { readonly tier?: string; readonly scopes?: CreateKey['scopes'] }): Promise<Member>
  /** Creates an account with one namespace. */
  room(kind?: Kind): Promise<Room>
  /** Creates another key for an account. */
  key(accountId: string, body?: Omit<CreateKey, 'name'>): Promise<Member>
}

let made = 0
/** Returns a name never used before, in this or an earlier run against the same system. */
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
    const { key_id: keyId, api_key: apiKey } = await admin().sdk.admin.keys.create(accountId, { name: 'e2e', ...body })
    return { accountId, keyId, apiKey, api: visitor().with({ 'x-api-key': apiKey }) }
  }
  const member: Story<T>['member'] = async ({ tier = 'enterprise', scopes } = {}) => {
    const { account_id: accountId } = await admin().sdk.admin.accounts.create(freshName('account'), tier)
    return key(accountId, scopes === undefined ? {} : { scopes })
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
    member,
    room: async (kind) => {
      const one = await member()
      const name = await createNamespace(one.api, kind)
      return { ...one, name, params: { namespace_name: name } }
    },
  }
}

/** Returns the target of the run; if none was started, starts one for the tests of the file. */
const runTarget = async (): Promise<Target> => {
  const shared = inject('target')
  return shared ? { ...shared, stop: async () => undefined } : startTarget()
}

/** Sets up the target that `E2E_TARGET` names for the tests of a file. */
export const useTarget = (): Story<Target> => storyOf(runTarget)

/**
 * Like `useTarget`, with custom settings: starts a process or a cluster, unless the target is an already running
 * system.
 */
export const useOwnTarget = (options: StandaloneOptions): Story<Target> => storyOf(() => startTarget(options))

/**
 * Like `useOwnTarget`, for tests that read the process's files or output, stop the process, or need exclusive use of
 * it.
 */
export const useStandalone = (options?: StandaloneOptions): Story<Standalone> => storyOf(() => startStandalone(options))

export const createNamespace = async (api: Client, kind?: Kind, name = freshName()): Promise<string> => {
  await api.sdk.namespaces.create(name, kind)
  return name
}

/** Uploads documents in one request, which must accept all of them. */
export const upload = async (api: Client, namespace: string, documents: readonly SentDocument[]) => {
  const outcome = await api.sdk.documents.upload(namespace, documents, { batchSize: documents.length })
  const [upload_id, ...others] = outcome.uploads
  if (upload_id === undefined || others.length > 0 || outcome.accepted !== documents.length)
    throw new Error(`not every document was accepted at once: ${JSON.stringify(outcome)}`)
  return { upload_id }
}

/** Uploads vectors. Throws unless all of them were stored. */
export const uploadVectors = async (api: Client, namespace: string, vectors: readonly SentVector[]): Promise<void> => {
  const { stored, failed } = await api.sdk.vectors.upload(namespace, vectors)
  if (stored !== vectors.length || failed.length > 0)
    throw new Error(`not every vector was stored: ${JSON.stringify({ stored, failed })}`)
}

/**
 * Polls an upload every 10 ms until it has finished; gives up after 30 s. Does not use `waitFor.upload`, whose interval
 * of at least 50 ms is too coarse for callers that measure time.
 */
export const settled = (api: Client, namespace: string, uploadId: string) =>
  eventually(
    () => api.sdk.uploads.get(namespace, uploadId),
    ({ finished_at: finishedAt }) => finishedAt !== null,
    { withinMs: 30_000, everyMs: 10 },
  )

/** Uploads documents and waits until the upload has finished. Throws unless every document was indexed. */
export const index = async (api: Client, namespace: string, documents: readonly SentDocument[]) => {
  const { upload_id: uploadId } = await upload(api, namespace, documents)
  const outcome = await settled(api, namespace, uploadId)
  if (outcome.counts.completed !== documents.length)
    throw new Error(`not every document was indexed: ${JSON.stringify(outcome)}`)
  return outcome
}

export const search = (
  api: Client,
  namespaces: readonly string[],
  query: Search['query'],
  more: Omit<Search, 'query' | 'namespaces'> = {},
) => api.sdk.search({ query, namespaces: [...namespaces], ...more })

export const idsFound = async (...of: Parameters<typeof search>): Promise<string[]> =>
  (await search(...of)).results.map(({ id }) => id)

/** Returns the pages of a namespace, at most 1,000. */
export const walk = async (api: Client, namespace: string, limit = 100) => {
  const pages: TextDataPage[] = []
  for await (const page of api.sdk.documents.pages(namespace, { limit })) if (pages.push(page) === 1_000) break
  return pages
}

export const listed = (api: Client) => api.sdk.namespaces.list()

/** Deletes a namespace and waits up to 30 s until its name is free. */
export const removeNamespace = async (api: Client, namespace: string): Promise<void> => {
  const { deletion_id: id } = await api.sdk.namespaces.delete(namespace)
  const { state } = await api.sdk.waitFor.deletion(id, { timeoutMs: 30_000 })
  if (state !== 'completed') throw new Error(`the deletion of ${namespace} is ${state}`)
}

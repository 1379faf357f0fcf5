import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localFileStore } from '@cairn/adapters/file-store/local'
import { signedPutsFor } from '@cairn/adapters/file-store/signed-puts-for'
import type { Envelope } from '@cairn/contracts/events'
import type { ApiKey } from '@cairn/domain/accounts/record'
import { defaultTiers, type Tier, tierOf } from '@cairn/domain/accounts/tiers'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import { mint, namespaceInput } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createHealth } from '@cairn/runtime/process/health'
import { createLogger } from '@cairn/runtime/process/logger'
import { createMetrics } from '@cairn/runtime/process/metrics'
import { forFile } from '@cairn/testing/for-file'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect } from 'vitest'
import { createGatewayService } from '../service.ts'

const secret = 'q7Rt9ZpL2xWv5KdY8sNf3HbC6mGjA4eU'
const startedAt = Date.UTC(2026, 2, 1, 12)

/** Returns a stand-in for a port that the tests never use; every access throws. */
const absent = <T extends object>(): T =>
  new Proxy({} as T, {
    get: (_, name) => {
      throw new Error(`nobody gave a store that has ${String(name)}`)
    },
  })

const tiersFileOf = (directory: string, tiers: NonNullable<SceneOptions['tiers']>): string | undefined => {
  const names = Object.keys(tiers)
  if (names.length === 0) return undefined
  const file = join(directory, 'tiers.json')
  const unlimited = tierOf(defaultTiers, 'enterprise')
  writeFileSync(
    file,
    JSON.stringify({
      ...defaultTiers,
      ...Object.fromEntries(names.map((name) => [name, { ...unlimited, ...tiers[name] }])),
    }),
  )
  return file
}

type Answered = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }

type SceneOptions = {
  /** Default true. */
  readonly legacyCamelCase?: boolean
  /** A store that accepts signed requests itself. Default: a folder. */
  readonly fileStore?: () => FileStore
  /** Limits of further tiers by name, in addition to the three built-in ones. */
  readonly tiers?: Readonly<Record<string, Partial<Tier>>>
  /** Default: embedders that no test calls. */
  readonly embedders?: Embedders
}

const openGateway = async (
  directory: string,
  { legacyCamelCase = true, fileStore, tiers = {}, embedders = absent() }: SceneOptions,
) => {
  const time = { ms: startedAt }
  const clock = {
    now: () => time.ms,
    monotonic: () => performance.now() + time.ms - startedAt,
    // No test here waits for time to pass: a delay ends only when its signal is aborted.
    delay: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
  }
  const store = stepwiseStore({ now: () => time.ms - startedAt })
  const signingKey = deriveKey(secret, 'signed-url')
  const address = { url: '' }
  const local = fileStore
    ? undefined
    : localFileStore({ directory: join(directory, 'files'), signingKey, clock, publicUrl: () => address.url })
  const files = fileStore?.() ?? local
  if (!files) throw new Error('there is no store')
  await files.ensure()
  const sent: Envelope[] = []
  const bus = {
    system: 'test',
    publish: async (_topic: string, messages: readonly Envelope[]) => void sent.push(...messages),
    subscribe: () => ({ close: async () => undefined }),
    check: async () => undefined,
    close: async () => undefined,
  }
  /** The file store that the gateway uses; tests replace it to make it fail. */
  const between: { files: FileStore } = { files }
  const gateway = createGatewayService({
    store,
    vectors: absent(),
    embedders,
    answerer: absent(),
    textWorker: directTextWorker,
    lexicalEmbedder: absent(),
    bus,
    files: new Proxy(files, { get: (_, name) => Reflect.get(between.files, name) }),
    clock,
    ids: { next: mint },
    log: createLogger({ level: 'silent', name: 'test' }),
    health: createHealth({ clock, log: createLogger({ level: 'silent', name: 'test' }) }),
    metrics: createMetrics(),
    ...(local ? { signedPuts: signedPutsFor(local, { signingKey, clock }) } : {}),
    config: {
      host: '127.0.0.1',
      port: 0,
      secret,
      adminKey: undefined,
      minTextLength: 10,
      legacyCamelCase,
      corsOrigins: ['https://app.example'],
      tiersFile: tiersFileOf(directory, tiers),
    },
  })
  await gateway.start()
  address.url = `http://127.0.0.1:${gateway.port()}`

  /** Creates an account with its own key and namespace. */
  const open = async (
    type: 'text' | 'vector' = 'text',
    tier = 'enterprise',
    subscriptionEndsAt: number | null = null,
  ) => {
    // Random rather than counted, because other runs use the same store.
    const accountId = `acc_${randomBytes(8).toString('hex')}`
    await store.accounts.insert({ id: accountId, name: 'test', tier, subscriptionEndsAt, createdAt: time.ms })
    const keyWith = async (its: Partial<Pick<ApiKey, 'scopes' | 'state' | 'expiresAt'>> = {}): Promise<string> => {
      const { apiKey: made, ...parsed } = generateApiKey()
      await store.keys.insert({
        id: parsed.keyId,
        accountId,
        name: 'test',
        hmac: hashSecret(deriveKey(secret, 'api-key'), parsed),
        scopes: ['read', 'write', 'admin'],
        state: 'active',
        expiresAt: null,
        lastUsedAt: null,
        createdAt: time.ms,
        ...its,
      })
      return made
    }
    const apiKey = await keyWith()
    const input = namespaceInput(accountId, type)
    await store.createNamespace(input)
    const { id: namespaceId, name: namespace } = input
    const path = (rest: string) => `${address.url}/v1/namespaces/${namespace}/${rest}`
    const call = async (method: string, rest: string, init: Omit<RequestInit, 'method'> = {}): Promise<Answered> => {
      const headers = { 'x-api-key': apiKey, ...(init.headers as Record<string, string> | undefined) }
      const response = await fetch(path(rest), { method, ...init, headers })
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      }
    }
    const json = (method: string, rest: string, body: unknown) =>
      call(method, rest, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    const upload = (name: string, bytes: string | Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      form.set('file', new Blob([bytes]), name)
      return call('POST', 'upload-file', { body: form })
    }
    const key = (name: string) => objectKey(files, { id: namespaceId, accountId, name: namespace }, name)
    const record = (name: string) => store.files.byName(namespaceId, name)
    const grant = (name: string) => store.grants.get(namespaceId, name)
    return { accountId, apiKey, keyWith, namespace, namespaceId, path, call, json, upload, key, record, grant }
  }

  return {
    open,
    store,
    files,
    between,
    sent,
    url: () => address.url,
    directory,
    pass: (ms: number) => {
      time.ms += ms
    },
    now: () => time.ms,
    close: async () => {
      await gateway.stop()
      await files.close()
    },
  }
}

/** Creates a gateway over stores in memory and in its own folder, for the tests of one test file. */
export const useGateway = (options: SceneOptions = {}) =>
  forFile((directory) => openGateway(mkdtempSync(join(directory, 'gateway-')), options))

/** Expects the three headers of a response to a call that used earlier names. */
export const expectDeprecated = (headers: Headers): void => {
  expect(headers.get('deprecation')).toBe('@1767225600')
  expect(headers.get('sunset')).toBe('Fri, 01 May 2026 00:00:00 GMT')
  expect(headers.get('warning')).toMatch(/^299 - ".+"$/)
}

/** Sends a `PUT` to a signed URL; resolves to its response. */
export const put = async (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
  method = 'PUT',
) => {
  const response = await fetch(url, { method, body, headers })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

import { systemClock } from '@cairn/adapters/clock/system'
import { sqliteEdgeStore } from '@cairn/adapters/edge-store/sqlite'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { createLogger } from '@cairn/runtime/process/logger'
import { temporaryFile } from '@cairn/testing/temporary'
import { onTestFinished } from 'vitest'
import { createEdgeService, type EdgeDeps } from './service.ts'

export const dimension = 128

/** Returns a vector that begins with these numbers and has the smallest dimension that a store accepts. */
export const vectorOf = (...numbers: readonly number[]): number[] => [
  ...numbers,
  ...Array<number>(dimension - numbers.length).fill(0),
]

export const textItem = (id: string, vector: readonly number[] = vectorOf(1), text = `text of ${id}`) => ({
  id,
  vector,
  text,
})
export const textUpload = (...items: readonly object[]) => ({ store_mode: 'text', embedding_model: 'small', items })
export const vectorUpload = (...items: readonly object[]) => ({ store_mode: 'vector', items })

export type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }

type Options = {
  readonly maxItems?: number
  readonly maxUploadMegabytes?: number
  readonly key?: string
  readonly corsOrigins?: readonly string[]
  readonly answerer?: EdgeDeps['answerer']
}

/** Starts a separate store over HTTP; it is removed when the test has ended. */
export const startEdge = async ({
  maxItems = 10,
  maxUploadMegabytes = 400,
  key,
  corsOrigins = [],
  answerer,
}: Options = {}) => {
  const store = sqliteEdgeStore({ file: temporaryFile('edge.db'), maxItems })
  const service = createEdgeService({
    store,
    answerer,
    lexicalEmbedder: lexicalEmbedder(),
    clock: systemClock(),
    log: createLogger({ level: 'silent', name: 'edge' }),
    config: { host: '127.0.0.1', port: 0, key, corsOrigins: [...corsOrigins], maxUploadMegabytes, maxItems },
  })
  await service.start()
  onTestFinished(async () => {
    await service.stop()
    await store.close()
  })
  const url = `http://127.0.0.1:${service.port()}`
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const call = async (...args: Parameters<typeof send>): Promise<Answer> => {
    const response = await send(...args)
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  return { url, port: service.port(), send, call, store }
}

import { parseEdgeChunk } from '@cairn/contracts/documents/edge-chunk'
import { AppError } from '@cairn/contracts/errors'
import { sendToStore } from './http-request.ts'
import type { EdgeShape, EdgeStore } from './port.ts'

type Fields = Readonly<Record<string, unknown>>

export type HttpStoreOptions = {
  readonly url: string
  readonly key: () => string | undefined
  readonly signal: AbortSignal
}

const textOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const numberOrNull = (value: unknown): boolean => value === null || Number.isSafeInteger(value)

const isHealth = ({ store_mode, embedding_model, dimension, items, max_items }: Fields): boolean =>
  (store_mode === null || store_mode === 'text' || store_mode === 'vector') &&
  textOrNull(embedding_model) &&
  numberOrNull(dimension) &&
  Number.isSafeInteger(items) &&
  Number.isSafeInteger(max_items)

const isExport = ({ items }: Fields): boolean =>
  Array.isArray(items) && items.every((item: unknown) => typeof (item as Fields | null)?.['text'] === 'string')

const isDone = ({ status }: Fields): boolean => status === 'success'

export const httpEdgeStore = ({ url, key, signal }: HttpStoreOptions): EdgeStore => {
  const call = async (
    method: string,
    path: string,
    isExpected: (body: Fields) => boolean,
    sent?: unknown,
  ): Promise<Fields> => {
    const body = await sendToStore({ url, path, method, key: key(), body: sent, signal })
    if (typeof body === 'object' && body !== null && isExpected(body as Fields)) return body as Fields
    throw new AppError(
      'internal',
      `The server at ${url} is not an edge store: its response to ${method} ${path} has an unexpected form`,
    )
  }
  return {
    name: url,
    shape: async () => {
      const { store_mode, embedding_model, dimension, items, max_items } = await call('GET', '/health', isHealth)
      return { mode: store_mode, model: embedding_model, dimension, items, maxItems: max_items } as EdgeShape
    },
    chunks: async () => {
      const { items } = (await call('GET', '/export', isExport)) as {
        readonly items: readonly { readonly text: string }[]
      }
      const found = new Map<string, Set<number>>()
      for (const { text } of items) {
        const parsed = parseEdgeChunk(text)
        if (!parsed.ok) continue
        const { docId, index } = parsed.chunk
        found.set(docId, (found.get(docId) ?? new Set()).add(index))
      }
      return found
    },
    upload: async (model, items) => {
      const sent = items.map(({ id, text, vector }) => ({ id, text, vector: Array.from(vector) }))
      await call('POST', '/upload', isDone, { store_mode: 'text', embedding_model: model, items: sent })
    },
    remove: async (ids) => {
      if (ids.length > 0) await call('DELETE', '/items', isDone, { ids })
    },
    clear: async () => void (await call('DELETE', '/store', isDone)),
  }
}

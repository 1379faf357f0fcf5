import { parseEdgeChunk } from '@cairn/contracts/documents/edge-chunk'
import type { EdgeEmbedder, EdgeItem, EdgeStore, PullMemory, PullState, Source, SourceDocument } from './port.ts'

export const signal = new AbortController().signal

/** Creates an edge store in memory, which returns texts in the order in which their ids were first added. */
export const memoryStore = (maxItems = 10_000) => {
  const items = new Map<string, EdgeItem>()
  const calls = { uploads: 0 }
  let model: string | null = null
  let failAt = Number.POSITIVE_INFINITY
  let writes = 0
  /** Counts writes, and fails the chosen write: before the work if its number is odd, after the work if it is even. */
  const fails = (work: () => void) => {
    writes += 1
    if (writes === failAt && writes % 2 === 1) throw new Error('stopped before a write')
    work()
    if (writes === failAt) throw new Error('stopped after a write')
  }
  const store: EdgeStore = {
    name: 'http://edge',
    shape: async () => ({
      mode: model === null ? null : 'text',
      model,
      dimension: model === null ? null : 4,
      items: items.size,
      maxItems,
    }),
    chunks: async () => {
      const found = new Map<string, Set<number>>()
      for (const { text } of items.values()) {
        const parsed = parseEdgeChunk(text)
        if (parsed.ok)
          found.set(parsed.chunk.docId, (found.get(parsed.chunk.docId) ?? new Set()).add(parsed.chunk.index))
      }
      return found
    },
    upload: async (by, some) =>
      fails(() => {
        calls.uploads += 1
        model = by
        for (const item of some) items.set(item.id, item)
      }),
    remove: async (ids) => {
      if (ids.length > 0) fails(() => ids.map((id) => items.delete(id)))
    },
    clear: async () => {
      items.clear()
      model = null
    },
  }
  return {
    ...store,
    items,
    calls,
    /** Makes the n-th write from now on fail. */
    failAtWrite: (n: number) => {
      writes = 0
      failAt = n
    },
    writes: () => writes,
    exported: () => ({
      status: 'ok',
      store_mode: 'text',
      embedding_model: model,
      item_count: items.size,
      items: Array.from(items.values(), ({ text }) => ({ text })),
    }),
  }
}

/**
 * Creates an embedder with one token per word. The vector of a text holds its length and its first and last characters.
 */
export const wordEmbedder = (): EdgeEmbedder & { readonly embedded: string[] } => {
  const embedded: string[] = []
  return {
    model: { model: 'words', dimension: 4 },
    maxTokens: 256,
    embedded,
    tokens: async (texts) => texts.map((text) => Uint32Array.from(text.matchAll(/\S+/g), ({ index }) => index)),
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map((text) => Float32Array.of(1, text.length, text.charCodeAt(0), text.charCodeAt(text.length - 1)))
    },
    close: async () => undefined,
  }
}

type Kept = { version: string; text: string; metadata: Record<string, unknown> }

/** Creates a namespace in memory that records the ids of the documents that are fetched. */
export const memoryNamespace = (name = 'http://cairn/v1/namespaces/notes') => {
  const kept = new Map<string, Kept>()
  const asked: string[][] = []
  let writes = 0
  const source: Source = {
    name,
    versions: async function* () {
      const all = Array.from(kept, ([id, { version }]) => ({ id, version })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      for (let from = 0; from === 0 || from < all.length; from += 100) yield all.slice(from, from + 100)
    },
    get: async (ids) => {
      asked.push([...ids])
      return ids.flatMap((id): SourceDocument[] => {
        const one = kept.get(id)
        return one ? [{ id, text: one.text, metadata: one.metadata }] : []
      })
    },
  }
  return {
    source,
    asked,
    transferred: () => asked.flat().length,
    put: (id: string, text: string, metadata: Record<string, unknown> = {}) => {
      writes += 1
      kept.set(id, { version: `upload_${writes}`, text, metadata })
    },
    remove: (id: string) => kept.delete(id),
  }
}

/** Creates a memory that serializes the state, as a file does: later changes do not count until they are written. */
export const memory = (): PullMemory & { readonly states: string[] } => {
  const states: string[] = []
  return {
    states,
    read: () => {
      const last = states.at(-1)
      if (last === undefined) return undefined
      const { documents, ...rest } = JSON.parse(last) as Omit<PullState, 'documents'> & { documents: [string, never][] }
      return { ...rest, documents: new Map(documents) }
    },
    write: (state) => void states.push(JSON.stringify({ ...state, documents: [...state.documents] })),
  }
}

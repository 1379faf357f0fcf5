import { type EdgeChunk, edgeItemId, isEdgeDocId } from '@cairn/contracts/documents/edge-chunk'
import { AppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import { cutDocuments } from './cut-document.ts'
import { embedChunks, placed } from './embed-chunks.ts'
import type { EdgeEmbedder, EdgeStore, PulledDocument, PullMemory, Source } from './port.ts'
import { type OnOthers, prepareStore, type StoredChunks } from './prepare-store.ts'

const documentsAtOnce = 100
const itemsAtOnce = 100
const removalsAtOnce = 1_000

export type PullOptions = {
  readonly source: Source
  readonly store: EdgeStore
  readonly embedder: EdgeEmbedder
  readonly memory: PullMemory
  /** Default: refuse. */
  readonly onOthers?: OnOthers
  readonly signal: AbortSignal
  /** Called as changed documents are transferred. */
  readonly onProgress?: (done: number, total: number) => void
}

export type Pulled = {
  /** In the namespace. */
  readonly items: number
  /** Fetched because they are new or changed. */
  readonly transferred: number
  readonly unchanged: number
  /** The namespace no longer has them. */
  readonly removed: number
  /** Chunks sent to the store. */
  readonly uploaded: number
  /** An edge store can't hold these ids. */
  readonly skipped: readonly string[]
}

const readVersions = async (source: Source, maxItems: number, signal: AbortSignal) => {
  const versions = new Map<string, string>()
  const skipped: string[] = []
  for await (const page of source.versions()) {
    signal.throwIfAborted()
    for (const { id, version } of page) {
      if (isEdgeDocId(id)) versions.set(id, version)
      else skipped.push(id)
    }
    if (versions.size > maxItems)
      throw new AppError(
        'conflict',
        `The namespace has more than ${maxItems} items, the limit of the edge store: pull a smaller one`,
      )
  }
  return { versions, skipped }
}

/** Returns false if another client removed some of the chunks. */
const isStored = (stored: StoredChunks, id: string, chunks: number): boolean => {
  const indexes = stored.get(id)
  return (
    chunks === (indexes?.size ?? 0) &&
    Array.from({ length: chunks }, (_, index) => index).every((index) => indexes?.has(index))
  )
}

/** Chunks from an index on that the store may have, by the recorded state and the store's own list. */
const idsFrom = (stored: StoredChunks, docId: string, pulled: PulledDocument | undefined, from: number): string[] => {
  const recorded = Array.from({ length: Math.max(0, (pulled?.chunks ?? 0) - from) }, (_, index) => from + index)
  const found = [...(stored.get(docId) ?? [])].filter((index) => index >= from)
  return [...new Set([...recorded, ...found])].map((index) => edgeItemId({ docId, index }))
}

/**
 * Compares versions with the last run and fetches only changed documents. May be interrupted anywhere and repeated: the
 * maximum number of a document's chunks is recorded before they are sent, so that every stored chunk is known, and a
 * document is done only after all of them are stored.
 */
export const pull = async (options: PullOptions): Promise<Pulled> => {
  const { source, store, embedder, memory, onOthers = 'refuse', signal, onProgress } = options
  const remembered = memory.read()
  const before = remembered?.source === source.name ? remembered : undefined
  const known = before?.documents ?? new Map<string, PulledDocument>()
  const former = remembered && !before ? ` (it was filled from ${remembered.source})` : ''
  const { shape, stored } = await prepareStore({
    store,
    embedder,
    isOurs: (docId) => known.has(docId),
    origin: `known to be from ${source.name}${former}`,
    onOthers,
  })
  const sameModel = before?.model === embedder.model.model
  const documents = new Map<string, PulledDocument>(known)
  const { versions, skipped } = await readVersions(source, shape.maxItems, signal)
  const saveState = () => memory.write({ source: source.name, model: embedder.model.model, documents })
  const remove = async (ids: readonly string[]) => {
    for (const some of slices(ids, removalsAtOnce)) await store.remove(some)
  }

  const isCurrent = (id: string, version: string): boolean => {
    const pulled = documents.get(id)
    return pulled?.version === version && sameModel && isStored(stored, id, pulled.chunks)
  }
  const removedIds = [...documents.keys()].filter((id) => !versions.has(id))
  const changed = [...versions].filter(([id, version]) => !isCurrent(id, version)).map(([id]) => id)
  let [transferred, uploaded, done] = [0, 0, 0]

  // First, to free space.
  for (const some of slices(removedIds, documentsAtOnce)) {
    signal.throwIfAborted()
    await remove(some.flatMap((id) => idsFrom(stored, id, documents.get(id), 0)))
    for (const id of some) documents.delete(id)
    saveState()
  }

  const transfer = async (ids: readonly string[]): Promise<void> => {
    const found = await source.get(ids)
    transferred += found.length
    const cut = new Map<string, readonly EdgeChunk[]>(
      (await cutDocuments(embedder, found)).map((chunks, index) => [found[index]?.id ?? '', chunks]),
    )
    const items = await embedChunks(embedder, [...cut.values()].flat().map(placed), signal)
    for (const [id, chunks] of cut)
      documents.set(id, { version: null, chunks: Math.max(chunks.length, documents.get(id)?.chunks ?? 0) })
    saveState()
    for (const some of slices(items, itemsAtOnce)) {
      signal.throwIfAborted()
      await store.upload(embedder.model.model, some)
    }
    await remove(ids.flatMap((id) => idsFrom(stored, id, documents.get(id), cut.get(id)?.length ?? 0)))
    for (const id of ids) {
      const chunks = cut.get(id)
      // Deleted after its version was read.
      if (chunks === undefined) documents.delete(id)
      else documents.set(id, { version: versions.get(id) ?? null, chunks: chunks.length })
    }
    saveState()
    uploaded += items.length
  }
  onProgress?.(0, changed.length)
  for (const ids of slices(changed, documentsAtOnce)) {
    signal.throwIfAborted()
    await transfer(ids)
    done += ids.length
    onProgress?.(done, changed.length)
  }
  return {
    items: versions.size + skipped.length,
    transferred,
    unchanged: versions.size - changed.length,
    removed: removedIds.length,
    uploaded,
    skipped,
  }
}

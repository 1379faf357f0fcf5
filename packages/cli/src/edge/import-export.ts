import { edgeItemId, parseEdgeChunk } from '@cairn/contracts/documents/edge-chunk'
import { AppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import { embedChunks, type PlacedChunk } from './embed-chunks.ts'
import type { EdgeEmbedder, EdgeStore } from './port.ts'
import { type OnOthers, prepareStore } from './prepare-store.ts'

const itemsAtOnce = 100

export type ImportOptions = {
  readonly store: EdgeStore
  readonly embedder: EdgeEmbedder
  /** A text store's `GET /export`. */
  readonly exported: unknown
  /** Default: refuse. */
  readonly onOthers?: OnOthers
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

export type Imported = {
  readonly uploaded: number
  /** Blank texts, which are omitted. */
  readonly blank: number
  /** Embedded the texts originally; null if the export does not name it. */
  readonly formerModel: string | null
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const refused = (why: string) => new AppError('invalid', `The export can't be imported: ${why}`)

/** Leaves out blank texts. One invalid item fails the import: a partial one would be hard to recognize. */
const chunksOf = (exported: unknown): { readonly chunks: readonly PlacedChunk[]; readonly blank: number } => {
  const items = fieldOf(exported, 'items')
  if (!Array.isArray(items)) throw refused('it has no array "items"')
  if (fieldOf(exported, 'store_mode') === 'vector')
    throw refused('it comes from a vector store, and exports have no vectors')
  const chunks = new Map<string, PlacedChunk>()
  let blank = 0
  for (const [index, item] of items.entries()) {
    const text = fieldOf(item, 'text')
    if (typeof text !== 'string') throw refused(`item ${index + 1} has no text`)
    if (text.trim() === '') {
      blank += 1
      continue
    }
    const parsed = parseEdgeChunk(text)
    if (!parsed.ok) throw refused(`the text of item ${index + 1} ${parsed.why}`)
    const id = edgeItemId(parsed.chunk)
    if (chunks.has(id)) throw refused(`item ${index + 1} is ${id}, as one before it is`)
    chunks.set(id, { chunk: parsed.chunk, text })
  }
  return { chunks: [...chunks.values()], blank }
}

/** Keeps texts and order, takes the ids from the texts' blocks, and embeds the texts again. */
export const importExport = async ({
  store,
  embedder,
  exported,
  onOthers = 'refuse',
  signal,
  onProgress,
}: ImportOptions): Promise<Imported> => {
  const { chunks, blank } = chunksOf(exported)
  const ids = new Set(chunks.map(({ chunk }) => edgeItemId(chunk)))
  const isOurs = (docId: string, index: number) => ids.has(edgeItemId({ docId, index }))
  const { shape } = await prepareStore({ store, embedder, isOurs, origin: 'in the export', onOthers })
  if (chunks.length > shape.maxItems)
    throw new AppError(
      'conflict',
      `The export has ${chunks.length} items, and the limit of the edge store is ${shape.maxItems}`,
    )
  let uploaded = 0
  onProgress?.(0, chunks.length)
  for (const some of slices(chunks, itemsAtOnce)) {
    await store.upload(embedder.model.model, await embedChunks(embedder, some, signal))
    uploaded += some.length
    onProgress?.(uploaded, chunks.length)
  }
  const model = fieldOf(exported, 'embedding_model')
  return { uploaded, blank, formerModel: typeof model === 'string' ? model : null }
}

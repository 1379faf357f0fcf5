import type { Metadata, Page } from '@cairn/ports/metadata/port'
import type { Body, Chunk, FileRecord } from '@cairn/ports/metadata/records'
import { filesOf } from '@cairn/runtime/files-of'

/** What a text namespace shows under an id: a document, or a chunk or summary of a file. */
export type Content = {
  readonly id: string
  readonly body: Body
  /** Wall time. */
  readonly createdAt: number
  readonly isSummary: boolean
}

const leastChunks = 100

export const isSeen = (files: ReadonlyMap<string, FileRecord>, { fileId, version }: Pick<Chunk, 'fileId' | 'version'>): boolean =>
  files.get(fileId)?.live?.version === version

const ofChunk = ({ itemId, body, createdAt, kind }: Chunk): Content => ({ id: itemId, body, createdAt, isSummary: kind === 'summary' })

/** Chunks that are seen, by id: of each file one version among those that are being read or removed. */
const seenPage = async (metadata: Metadata, namespaceId: string, { after = '', limit }: Page): Promise<Chunk[]> => {
  const seen: Chunk[] = []
  const atOnce = Math.max(leastChunks, 2 * limit)
  for (let from = after; ; ) {
    const page = await metadata.chunks.page(namespaceId, { after: from, limit: atOnce })
    const files = await filesOf(metadata, page)
    seen.push(...page.filter((chunk) => isSeen(files, chunk)))
    const last = page.at(-1)
    if (page.length < atOnce || !last || seen.length >= limit) return seen.slice(0, limit)
    from = last.itemId
  }
}

/** A page of what a namespace shows, by id in code point order. */
export const contentPage = async (metadata: Metadata, namespaceId: string, page: Page): Promise<Content[]> => {
  const [items, chunks] = await Promise.all([metadata.items.page(namespaceId, page), seenPage(metadata, namespaceId, page)])
  const documents = items.map(({ id, body, createdAt }): Content => ({ id, body, createdAt, isSummary: false }))
  return [...documents, ...chunks.map(ofChunk)].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))).slice(0, page.limit)
}

/** In no order; absent ones are left out. */
export const contentOf = async (metadata: Metadata, namespaceId: string, ids: readonly string[]): Promise<Content[]> => {
  const items = await metadata.items.get(namespaceId, ids)
  const found = new Set(items.map(({ id }) => id))
  const left = ids.filter((id) => !found.has(id))
  const chunks = left.length === 0 ? [] : await metadata.chunks.seen(namespaceId, left)
  return [...items.map(({ id, body, createdAt }) => ({ id, body, createdAt, isSummary: false })), ...chunks.map(ofChunk)]
}

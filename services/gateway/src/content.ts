import type { Chunk, ChunkWithoutBody, FileRecord } from '@cairn/domain/files/record'
import type { Body, Item, ItemWithoutBody } from '@cairn/domain/items/record'
import type { Page } from '@cairn/domain/protocol/page'
import { filesOf } from '@cairn/runtime/jobs/files-of'
import type { GatedStore, ReadableId } from './gate.ts'

/** Content of a text namespace under one id: a document, or a chunk or summary of a file. */
export type ContentWithoutBody = {
  readonly id: string
  /** Upload that wrote the returned body, or version of the file. */
  readonly version: string
  /** Wall time. */
  readonly createdAt: number
  readonly isSummary: boolean
}
export type Content = ContentWithoutBody & { readonly body: Body }

const minChunks = 100

export const isPublished = (
  files: ReadonlyMap<string, FileRecord>,
  { fileId, version }: Pick<Chunk, 'fileId' | 'version'>,
): boolean => files.get(fileId)?.live?.version === version

const itemWithoutBody = ({ id, version, createdAt }: ItemWithoutBody): ContentWithoutBody => ({
  id,
  version,
  createdAt,
  isSummary: false,
})
const chunkWithoutBody = ({ itemId, version, createdAt, kind }: ChunkWithoutBody): ContentWithoutBody => ({
  id: itemId,
  version,
  createdAt,
  isSummary: kind === 'summary',
})
const ofItem = (item: Item): Content => ({ ...itemWithoutBody(item), body: item.body })
const ofChunk = (chunk: Chunk): Content => ({ ...chunkWithoutBody(chunk), body: chunk.body })

/** Skips chunks of versions that are being processed or removed. */
const publishedPage = async <C extends ChunkWithoutBody>(
  store: GatedStore,
  read: (page: Page) => Promise<C[]>,
  { after = '', limit }: Page,
): Promise<C[]> => {
  const published: C[] = []
  const atOnce = Math.max(minChunks, 2 * limit)
  for (let from = after; ; ) {
    const page = await read({ after: from, limit: atOnce })
    const files = await filesOf(store, page)
    published.push(...page.filter((chunk) => isPublished(files, chunk)))
    const last = page.at(-1)
    if (page.length < atOnce || !last || published.length >= limit) return published.slice(0, limit)
    from = last.itemId
  }
}

const inOrder = <C extends ContentWithoutBody>(all: C[], { limit }: Page): C[] =>
  all.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))).slice(0, limit)

/** Reads a page by id in code point order. */
export const contentPage = async (store: GatedStore, namespaceId: ReadableId, page: Page): Promise<Content[]> => {
  const [items, chunks] = await Promise.all([
    store.items.page(namespaceId, page),
    publishedPage(store, (some) => store.chunks.page(namespaceId, some), page),
  ])
  return inOrder([...items.map(ofItem), ...chunks.map(ofChunk)], page)
}

export const pageWithoutBodies = async (
  store: GatedStore,
  namespaceId: ReadableId,
  page: Page,
): Promise<ContentWithoutBody[]> => {
  const [items, chunks] = await Promise.all([
    store.items.pageWithoutBodies(namespaceId, page),
    publishedPage(store, (some) => store.chunks.pageWithoutBodies(namespaceId, some), page),
  ])
  return inOrder([...items.map(itemWithoutBody), ...chunks.map(chunkWithoutBody)], page)
}

/** Reads content in no order, without absent ids. */
export const contentOf = async (
  store: GatedStore,
  namespaceId: ReadableId,
  ids: readonly string[],
): Promise<Content[]> => {
  const items = await store.items.get(namespaceId, ids)
  const found = new Set(items.map(({ id }) => id))
  const left = ids.filter((id) => !found.has(id))
  const chunks = left.length === 0 ? [] : await store.chunks.published(namespaceId, left)
  return [...items.map(ofItem), ...chunks.map(ofChunk)]
}

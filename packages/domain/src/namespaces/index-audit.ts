import { wholePage } from '../files/chunks.ts'
import type { IndexedChunk } from '../files/record.ts'
import { onlyFields } from '../items/documents.ts'
import { present } from '../items/item-marks.ts'
import type { IndexedItem, Passages } from '../items/record.ts'
import type { Condition } from '../ports/store.ts'
import type { Page } from '../protocol/page.ts'
import { type ChangeOf, find, type Protocol, type ReadProtocol, read, updateIf } from '../protocol/steps.ts'

const itemFields = ['id', 'indexed'] as const
const indexedFields = ['version', 'passages', 'second'] as const
const chunkFields = ['itemId', 'fileId', 'version', 'passages', 'second'] as const

/** Which points the index should hold. No method here changes a status. */
export const indexAudit = {
  /** Returns items by id. */
  items: read(function* (namespaceId: string, { after = '', limit }: Page): ReadProtocol<IndexedItem[]> {
    const page = yield* find(
      'index audit: items',
      'items',
      { namespaceId, id: { gt: after }, ...present },
      ['id'],
      limit,
      itemFields,
    )
    return page.map(({ id, indexed }) => ({ id, indexed: indexed && onlyFields(indexedFields)(indexed) }))
  }),
  /** Returns chunks of every version by `itemId`; as in `chunks.page`, a page may exceed `limit`. */
  chunks: read(function* (namespaceId: string, page: Page): ReadProtocol<IndexedChunk[]> {
    const read = (name: 'page' | 'rest of page', itemId: Condition, limit: number) =>
      find(`index audit: chunks ${name}`, 'chunks', { namespaceId, itemId }, ['itemId'], limit, ['id', ...chunkFields])
    return (yield* wholePage(page, read)).map(onlyFields(chunkFields))
  }),
  /** Does nothing when the version is no longer indexed. */
  *setPassages(
    namespaceId: string,
    id: string,
    { version, passages, second }: Passages & { readonly version: string },
  ): Protocol<void> {
    const set = { 'indexed.passages': passages, ...(second && { 'indexed.second': second }) }
    const change: ChangeOf<'items'> = { set }
    yield* updateIf('index audit: set passages', 'items', [namespaceId, id], { 'indexed.version': version }, change)
  },
  /** Records the wall time at which points were found missing; null: none are. */
  *markLost(namespaceId: string, at: number | null): Protocol<void> {
    yield* updateIf('index audit: mark lost', 'namespaces', [namespaceId], {}, { set: { lostPointsAt: at } })
  },
}

import { wholePage } from './chunks.ts'
import { present } from './item-marks.ts'
import type { ProtocolOf } from './jobs.ts'
import type { IndexAuditStore } from './port.ts'
import { type ChangeOf, type Condition, find, read, updateOne } from './steps.ts'

const itemFields = ['id', 'indexed'] as const
const chunkFields = ['id', 'itemId', 'fileId', 'version', 'passages', 'second'] as const

export const indexAudit: ProtocolOf<IndexAuditStore> = {
  items: read(function* (namespaceId, { after = '', limit }) {
    const page = yield* find(
      'index audit: items',
      'items',
      { namespaceId, id: { gt: after }, ...present },
      ['id'],
      limit,
      itemFields,
    )
    return page.map(({ id, indexed }) => ({
      id,
      indexed: indexed && {
        version: indexed.version,
        passages: indexed.passages,
        ...(indexed.second && { second: indexed.second }),
      },
    }))
  }),
  chunks: read(function* (namespaceId, page) {
    const read = (name: string, itemId: Condition, limit: number) =>
      find(`index audit: chunks ${name}`, 'chunks', { namespaceId, itemId }, ['itemId'], limit, chunkFields)
    return (yield* wholePage(page, read)).map(({ itemId, fileId, version, passages, second }) => ({
      itemId,
      fileId,
      version,
      passages,
      ...(second && { second }),
    }))
  }),
  *setPassages(namespaceId, id, { version, passages, second }) {
    const set = { 'indexed.passages': passages, ...(second && { 'indexed.second': second }) }
    const change: ChangeOf<'items'> = { set }
    yield* updateOne('index audit: set passages', 'items', [namespaceId, id], { 'indexed.version': version }, change, [
      'id',
    ])
  },
  *markLost(namespaceId, at) {
    yield* updateOne('index audit: mark lost', 'namespaces', [namespaceId], {}, { set: { lostPointsAt: at } }, ['id'])
  },
}

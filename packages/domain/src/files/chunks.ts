import { recordFileProgress } from '../events/events.ts'
import { onlyFields } from '../items/documents.ts'
import type { ChunkBatch, Passages } from '../items/record.ts'
import { bytesOf, fresh, shortTextBytes, sized } from '../jobs/new-job.ts'
import type { Lease } from '../jobs/record.ts'
import type { Condition } from '../ports/store.ts'
import type { Page } from '../protocol/page.ts'
import {
  count,
  find,
  get,
  getOne,
  insert,
  insertOne,
  now,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  removeAll,
  removeFound,
  updateBlindly,
  updateIf,
} from '../protocol/steps.ts'
import { chunkIdsIn } from './ids-of-files.ts'
import type { Chunk, ChunkWithoutBody, FileProgress, FileRecord } from './record.ts'

export type ChunkDraft = Pick<Chunk, 'itemId' | 'kind' | 'body' | 'extracted' | 'places'>

const keyOf = ({ version, itemId }: { readonly version: string; readonly itemId: string }) => [
  chunkIdOf(version, itemId),
]

/** Versions of one file at one time. All but two await removal, which takes seconds. */
const maxVersions = 1_000

/** Versions contain no space. */
export const chunkIdOf = (version: string, itemId: string): string => `${version} ${itemId}`

const withoutBodyFields = ['id', 'fileId', 'version', 'itemId', 'kind', 'createdAt'] as const
/** Reads a page by item id, with all versions of its last id. */
export function* wholePage<C extends Pick<Chunk, 'id' | 'itemId'>>(
  { after = '', limit }: Page,
  read: (name: 'page' | 'rest of page', itemId: Condition, limit: number) => ReadProtocol<C[]>,
): ReadProtocol<C[]> {
  const page = yield* read('page', { gt: after }, limit)
  const last = page.at(-1)
  if (page.length < limit || !last) return page
  // The next page begins after the last id, so versions cut off by the limit would be lost.
  const versions = yield* read('rest of page', last.itemId, maxVersions)
  const listed = new Set(page.map(({ id }) => id))
  return [...page, ...versions.filter(({ id }) => !listed.has(id))]
}

export const chunks = {
  /** Leaves out missing ones. */
  get: read(function* (
    references: readonly { readonly version: string; readonly itemId: string }[],
  ): ReadProtocol<Chunk[]> {
    return (yield* get('chunks: get', 'chunks', references.map(keyOf))).filter((chunk) => chunk !== undefined)
  }),
  /** Reads the latest committed state, because the removal of points depends on it. */
  latestWithoutBodies: readLatest(function* (
    references: readonly { readonly version: string; readonly itemId: string }[],
  ): ReadProtocol<ChunkWithoutBody[]> {
    const found = yield* get('chunks: latest without bodies', 'chunks', references.map(keyOf), withoutBodyFields)
    return found.filter((chunk) => chunk !== undefined).map(onlyFields(withoutBodyFields))
  }),
  published: read(function* (namespaceId: string, itemIds: readonly string[]): ReadProtocol<Chunk[]> {
    const keys: string[][] = []
    for (const [idBase, some] of chunkIdsIn(itemIds)) {
      const [file] = yield* find('chunks: published of file', 'files', { namespaceId, idBase }, ['id'], 1, ['live'])
      if (file?.live) for (const { id } of some) keys.push(keyOf({ version: file.live.version, itemId: id }))
    }
    return (yield* get('chunks: get published', 'chunks', keys)).filter((chunk) => chunk !== undefined)
  }),
  /** Returns chunks by `id`; `after` is an id. */
  ofVersion: read(function* (version: string, { after = '', limit }: Page): ReadProtocol<Chunk[]> {
    // The range of ids lets a sharded store read one shard.
    const id = { gt: after === '' ? chunkIdOf(version, '') : after, lt: `${version}!` }
    return yield* find('chunks: of version', 'chunks', { version, id }, ['id'], limit)
  }),
  /**
   * Returns chunks of every version by `itemId`; `after` is an `itemId`. One `itemId` is never split over pages, so a
   * page may exceed `limit`.
   */
  page: read((namespaceId: string, page: Page) =>
    wholePage(page, (name, itemId, limit) =>
      find(`chunks: ${name}`, 'chunks', { namespaceId, itemId }, ['itemId'], limit),
    ),
  ),
  pageWithoutBodies: read(function* (namespaceId: string, page: Page): ReadProtocol<ChunkWithoutBody[]> {
    const read = (name: 'page' | 'rest of page', itemId: Condition, limit: number) =>
      find(
        `chunk page without bodies: ${name}`,
        'chunks',
        { namespaceId, itemId },
        ['itemId'],
        limit,
        withoutBodyFields,
      )
    return (yield* wholePage(page, read)).map(onlyFields(withoutBodyFields))
  }),
  /**
   * Writes chunks and the job that indexes them, then the file's checkpoint. Repeatable under the same ids. Returns
   * false when the lease is lost or another version is being processed.
   */
  *submit({
    lease,
    uploadId,
    drafts,
    file,
    checkpoint,
    progress,
    at: wallAt,
  }: {
    readonly lease: Lease
    /** Derived from the drafts, so that a repetition has the same id. */
    readonly uploadId: string
    readonly file: { readonly id: string; readonly version: string }
    readonly drafts: readonly ChunkDraft[]
    readonly checkpoint: FileRecord['checkpoint']
    readonly progress: FileProgress
    /** Wall time. */
    readonly at: number
  }): Protocol<boolean> {
    const at = yield* now()
    // So that a worker that lost its lease writes little; the checkpoint's conditional write decides.
    const record = yield* getOne('submit: read file', 'files', file.id)
    if (record?.lease?.token !== lease.token || record.version !== file.version) return false
    const { namespaceId, accountId, correlationId, traceparent } = record
    yield* insert(
      'submit: insert chunks',
      'chunks',
      drafts.map(({ itemId, kind, body, extracted, places }) => ({
        id: chunkIdOf(file.version, itemId),
        namespaceId,
        fileId: file.id,
        version: file.version,
        itemId,
        kind,
        body,
        ...(extracted === undefined ? {} : { extracted }),
        ...(places === undefined ? {} : { places }),
        passages: null,
        createdAt: wallAt,
      })),
    )
    const batch: ChunkBatch = {
      id: uploadId,
      kind: 'chunks',
      file,
      accountId,
      namespaceId,
      state: 'queued',
      ...fresh(at),
      overdueAt: at,
      leaseSeq: 0,
      ...sized(bytesOf(drafts.map(({ body }) => body)), shortTextBytes),
      correlationId,
      traceparent,
      createdAt: wallAt,
      updatedAt: wallAt,
      ids: drafts.map(({ itemId }) => itemId),
      outcomes: [],
      times: {},
    }
    yield* insertOne('submit: record', 'uploads', batch)
    const noted = yield* updateIf(
      'submit: checkpoint',
      'files',
      [file.id],
      { 'lease.token': lease.token, version: file.version },
      { set: { checkpoint, progress, updatedAt: wallAt } },
    )
    if (noted) yield* recordFileProgress({ ...record, progress }, wallAt)
    return noted
  },
  *markIndexed(version: string, marks: readonly (Passages & { readonly itemId: string })[]): Protocol<void> {
    yield* updateBlindly(
      'chunks: mark indexed',
      'chunks',
      marks.map(({ itemId, passages, second }) => ({
        key: keyOf({ version, itemId }),
        where: {},
        change: { set: { passages, ...(second && { second }) } },
      })),
    )
  },
  *remove(references: readonly { readonly version: string; readonly itemId: string }[]): Protocol<void> {
    yield* removeAll('chunks: remove', 'chunks', references.map(keyOf))
  },
  removeOfNamespace: (namespaceId: string, limit: number) =>
    removeFound(
      'chunks: remove of namespace',
      'chunks',
      find('chunks: find of namespace', 'chunks', { namespaceId }, ['itemId'], limit, ['id']),
    ),
  countOfNamespace: readLatest((namespaceId: string) => count('chunks: count of namespace', 'chunks', { namespaceId })),
}

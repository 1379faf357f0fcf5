import { limits } from './api-constants.ts'
import { batches, slices } from './batches.ts'
import { inParallel } from './in-parallel.ts'
import { pagesOf } from './pages-of.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type {
  CairnDocument,
  Chunk,
  ChunkHead,
  Filter,
  ItemsDeleted,
  SentDocument,
  SentId,
  TextDataHeads,
  TextDataPage,
  Upload,
} from './types.ts'
import type { WaitFor } from './wait-for.ts'

/** Below the 10 MB limit of a request body. */
export const batchBytes = 8_000_000

export type BatchOptions = CallOptions & {
  /** Batch size: maximum items per request. */
  readonly batchSize?: number
  /** Maximum concurrent requests. Default: 4. */
  readonly concurrency?: number
}

/** Documents that the server has stored, rejected and indexed until now. */
export type DocumentProgress = {
  readonly accepted: number
  readonly failed: number
  /** Accepted documents that are searchable by now; with `wait`, it grows until all are, or have failed. */
  readonly indexed: number
}
/** `error` is the kind of the failure; for a document that failed in processing, the reason code. */
type FailedItem = { readonly id: string; readonly error: string; readonly message: string }
export type DocumentUpload = {
  /** Documents that the server stored. They are searchable once their upload is completed. */
  readonly accepted: number
  /** Documents that the server rejected; with `wait`, also documents that could not be indexed. */
  readonly failed: readonly FailedItem[]
  /** Ids of the uploads, for `waitFor.upload`. */
  readonly uploads: readonly string[]
}
export type DocumentUploadOptions = BatchOptions & {
  /** Wait until the documents are searchable. Default: false. */
  readonly wait?: boolean
  /** Called after each request, with the sums until then. */
  readonly onProgress?: (progress: DocumentProgress) => void
}

/** Items by id, or those that match a filter. */
export type ItemSelection =
  | readonly SentId[]
  | {
      readonly filter: Filter
      /** Whether to delete nothing and only count. Default: false. */
      readonly dry_run?: boolean
      /** Whether the filter may match every item: required if items without metadata pass it. Default: false. */
      readonly all?: boolean
    }

export type PageOptions = CallOptions & {
  /** Default: all items. */
  readonly filter?: Filter
  /** Maximum items of a page, 1 to 100. */
  readonly limit?: number
  /** Start of the page: `pagination.next_token` of an earlier page. */
  readonly next_token?: string
}

export type Documents = {
  /**
   * Uploads documents in batches. A document with an existing id is replaced, so a failed upload may be repeated as a
   * whole. Ids within one call should be distinct: batches are sent in parallel.
   *
   * @example
   * const documents = [{ id: '1', text: 'Cairns mark a path.', topic: 'hiking' }]
   * const { accepted, failed } = await cairn.documents.upload('notes', documents, { wait: true })
   */
  upload(
    namespace: string,
    documents: Iterable<SentDocument> | AsyncIterable<SentDocument>,
    options?: DocumentUploadOptions,
  ): Promise<DocumentUpload>
  /** Returns documents by id; takes any number of ids. Unknown ids are in `not_found_ids`. */
  get(
    namespace: string,
    ids: readonly SentId[],
    options?: CallOptions,
  ): Promise<{ readonly items: CairnDocument[]; readonly not_found_ids: string[] }>
  /**
   * Deletes any number of ids, or items that match a filter; repeat a call with a filter while the response has
   * `has_more`. Resolves to one response with the counts and ids of all requests.
   *
   * @example
   * await cairn.documents.delete('notes', ['1', '2'])
   * await cairn.documents.delete('notes', { filter: { key: 'year', lt: 2020 }, dry_run: true })
   */
  delete(namespace: string, selection: ItemSelection, options?: CallOptions): Promise<ItemsDeleted>
  /** Yields every item, ordered by id. With `fields: 'head'`, the items have no text and metadata. */
  page(namespace: string, options: PageOptions & { readonly fields: 'head' }): AsyncGenerator<ChunkHead>
  /**
   * Yields every item, ordered by id, or those that match a filter.
   *
   * @example
   * for await (const { id, text } of cairn.documents.page('notes')) console.log(id, text)
   */
  page(namespace: string, options?: PageOptions): AsyncGenerator<Chunk>
  /** Like `page`, but yields whole pages. A page of a filtered listing may be empty. */
  pages(namespace: string, options: PageOptions & { readonly fields: 'head' }): AsyncGenerator<TextDataHeads>
  /** Like `page`, but yields whole pages. A page of a filtered listing may be empty. */
  pages(namespace: string, options?: PageOptions): AsyncGenerator<TextDataPage>
}

type DeletePath = '/v1/namespaces/{namespace_name}/documents/delete' | '/v1/namespaces/{namespace_name}/vectors/delete'

export const createDeletion =
  ({ call }: Transport, path: DeletePath) =>
  async (namespace: string, selection: ItemSelection, options?: CallOptions): Promise<ItemsDeleted> => {
    const params = inNamespace(namespace)
    const request = (body: { readonly ids: SentId[] } | Exclude<ItemSelection, readonly SentId[]>) =>
      call('post', path, { params, body }, options)
    if (!('length' in selection)) return request(selection)
    const [first = [], ...rest] = slices(selection, limits.idsPerDelete)
    let sum: ItemsDeleted = await request({ ids: first })
    for (const ids of rest) {
      const next = await request({ ids })
      sum = {
        ...next,
        ...(sum.status === 'partial' ? { status: sum.status } : {}),
        requested_deletions: sum.requested_deletions + next.requested_deletions,
        actual_deletions: sum.actual_deletions + next.actual_deletions,
        requested_ids: [...sum.requested_ids, ...next.requested_ids],
        deleted_ids: [...sum.deleted_ids, ...next.deleted_ids],
        unprocessed_ids: [...sum.unprocessed_ids, ...next.unprocessed_ids],
      } as ItemsDeleted
    }
    return sum
  }

export const createDocuments = (transport: Transport, waitFor: WaitFor): Documents => {
  const { call, asInit } = transport

  const pages = (
    namespace: string,
    { filter, limit, next_token: start, fields, ...options }: PageOptions & { readonly fields?: 'head' } = {},
  ): AsyncGenerator<TextDataPage | TextDataHeads> => {
    const params = inNamespace(namespace)
    const path = '/v1/namespaces/{namespace_name}/documents/fetch-text-data'
    return pagesOf((next): Promise<TextDataPage | TextDataHeads> => {
      const query = { ...(limit === undefined ? {} : { limit }), ...(fields && { fields }), ...next }
      return filter
        ? call('post', path, { params, body: { filter, ...query } }, options)
        : call('get', path, { params: { ...params, query } }, options)
    }, start)
  }

  return {
    upload: async (namespace, documents, options = {}) => {
      const { batchSize = 50, concurrency = 4, wait = false, onProgress, signal, ...rest } = options
      const failed: FailedItem[] = []
      const uploads: string[] = []
      const indexed = new Map<string, number>()
      let accepted = 0
      const report = () => {
        const sum = [...indexed.values()].reduce((total, count) => total + count, 0)
        onProgress?.({ accepted, failed: failed.length, indexed: sum })
      }
      const upload = async (batch: SentDocument[], whileGoing: AbortSignal) => {
        const answer = await call(
          'post',
          '/v1/namespaces/{namespace_name}/documents',
          { params: inNamespace(namespace), body: { documents: batch }, ...asInit },
          { ...rest, signal: whileGoing },
        )
        accepted += answer.documents_processed
        if ('failed_documents' in answer) failed.push(...answer.failed_documents)
        if (answer.documents_processed > 0) uploads.push(answer.upload_id)
        report()
      }
      await inParallel(concurrency, batches(documents, batchSize, batchBytes), upload, signal)
      if (wait) {
        const rejected = new Set(failed.map(({ id }) => id))
        const waitForOne = async (uploadId: string, whileGoing: AbortSignal) => {
          const onState = ({ counts }: Upload) => {
            indexed.set(uploadId, counts.completed)
            report()
          }
          const waiting = { signal: whileGoing, ...(onProgress && { onState }) }
          const ended = await waitFor.upload(namespace, uploadId, waiting)
          for (const { id, outcome, reason, message } of ended.documents)
            if (outcome === 'failed' && !rejected.has(id))
              failed.push({ id, error: reason ?? 'internal', message: message ?? '' })
        }
        await inParallel(concurrency, uploads, waitForOne, signal)
      }
      return { accepted, failed, uploads }
    },
    get: async (namespace, ids, options) => {
      const items: CairnDocument[] = []
      const not_found_ids: string[] = []
      for (const some of slices(ids, limits.idsPerGet)) {
        const init = { params: inNamespace(namespace), body: { ids: some } }
        const found = await call('post', '/v1/namespaces/{namespace_name}/documents/get', init, options)
        items.push(...found.items)
        if ('not_found_ids' in found) not_found_ids.push(...found.not_found_ids)
      }
      return { items, not_found_ids }
    },
    delete: createDeletion(transport, '/v1/namespaces/{namespace_name}/documents/delete'),
    pages: pages as Documents['pages'],
    page: async function* (namespace: string, options?: PageOptions) {
      for await (const { items } of pages(namespace, options)) yield* items
    } as Documents['page'],
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { slices } from '@cairn/contracts/flow/slices'
import { type ApiAddress, callApi, withApi } from './api-client.ts'
import { kilobyte, nextId, type UploadTarget } from './upload-request.ts'

export type DocumentTarget = UploadTarget & ApiAddress

const batch = 100
const connections = 2
const timeoutMs = 3_600_000

export const newIds = (count: number): string[] => Array.from({ length: count }, nextId)

/**
 * Uploads a document for each id, at most 100 per request, without waiting for the index; resolves to the upload ids.
 * Default: documents of a kilobyte.
 */
export const sendDocuments = (
  target: DocumentTarget,
  ids: readonly string[],
  documentOf: (id: string, index: number) => object = (id) => ({ text: `${id} ${kilobyte}`, source: 'bench' }),
): Promise<string[]> =>
  atOnce(connections, [...slices(ids, batch).entries()], async ([number, some]) => {
    const documents = some.map((id, index) => ({ id, ...documentOf(id, number * batch + index) }))
    const path = `/v1/namespaces/${target.namespace}/documents`
    return (await callApi<{ upload_id: string }>(target, 'POST', path, 202, { documents })).upload_id
  })

type Upload = { readonly state: string; readonly counts: { readonly failed: number }; readonly finished_at: string }

/** Waits until every document of these uploads can be found; rejects if one failed. */
export const untilIndexed = (
  target: DocumentTarget,
  uploads: readonly string[],
  // Each poll is a request to the measured process.
  { withinMs = timeoutMs, everyMs = 50 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<Upload[]> =>
  withApi(target, async (api) => {
    const from = performance.now()
    const finished: Upload[] = []
    while (finished.length < uploads.length) {
      const path = `/v1/namespaces/${target.namespace}/uploads/${uploads[finished.length]}`
      const upload = await api.call<Upload>('GET', path, 200)
      if (upload.state === 'failed' || upload.counts.failed > 0) throw new Error('documents could not be indexed')
      if (upload.state === 'completed') finished.push(upload)
      else if (performance.now() - from > withinMs) throw new Error('documents were not indexed in time')
      else await pause(everyMs)
    }
    return finished
  })

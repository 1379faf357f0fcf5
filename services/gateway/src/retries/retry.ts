import { foreignNextToken } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { IndexJob } from '@cairn/domain/items/record'
import type { ReplyOf } from '@cairn/runtime/http/endpoint'
import { accountEndpoint, type Call } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { Cursors } from '../documents/cursor.ts'
import type { ReadableNamespace } from '../gate.ts'
import { retryDocuments } from './retry-documents.ts'
import { retryFailedFile } from './retry-files.ts'
import { createRetry, type Retry } from './retry-tally.ts'

/** Records that one request reads. */
const maxRead = 2_000
const readAtOnce = 100

type Walk = {
  readonly deps: GatewayPorts
  readonly call: Call
  readonly namespace: ReadableNamespace
  readonly retry: Retry
  /** `finishedAt`: wall time. */
  readonly isInPeriod: (finishedAt: number | null) => boolean
}
/** `next`: position for the next request; undefined at the end. */
type Walked = { readonly count: number; readonly next: string | undefined }

const failedOf = (job: IndexJob) =>
  job.outcomes.flatMap(({ id, outcome, reason }) =>
    outcome === 'failed' ? [{ id, version: job.id, ...(reason === undefined ? {} : { reason }) }] : [],
  )

/** Reads uploads, newest first, until `limit` documents are retried. */
const walkUploads = async (walk: Walk, after: string, limit: number): Promise<Walked> => {
  const { deps, call, namespace, retry, isInPeriod } = walk
  let before = after === '' ? undefined : after
  let count = 0
  for (let read = 0; read < maxRead; read += readAtOnce) {
    const page = await deps.store.uploads.newest(namespace.id, { before, limit: readAtOnce })
    for (const job of page) {
      before = job.id
      const failed = isInPeriod(job.finishedAt) ? failedOf(job) : []
      if (failed.length > 0) count += await retryDocuments(deps, call, namespace, failed, retry)
      if (count >= limit) return { count, next: before }
    }
    if (page.length < readAtOnce) return { count, next: undefined }
  }
  return { count, next: before }
}

/** Reads files by name until `limit` files are retried. */
const walkFiles = async (walk: Walk, after: string, limit: number): Promise<Walked> => {
  const { deps, call, namespace, retry, isInPeriod } = walk
  let last = after
  let count = 0
  for (let read = 0; read < maxRead; read += readAtOnce) {
    const page = await deps.store.files.page(namespace.id, { after: last, limit: readAtOnce })
    for (const file of page) {
      if (count >= limit) return { count, next: last }
      last = file.name
      const isFailed = file.state === 'failed' && isInPeriod(file.finishedAt)
      if (isFailed && (await retryFailedFile(deps, call, namespace, file, retry))) count += 1
    }
    if (page.length < readAtOnce) return { count, next: undefined }
  }
  return { count, next: last }
}

const replyOf = (
  namespace: ReadableNamespace,
  retry: Retry,
  counts: { readonly documents: number; readonly files: number },
  token: string | null = null,
): ReplyOf<typeof operations.retryFailed> => {
  const { documents, files } = counts
  const isQueued = documents + files > 0 && !retry.isDryRun
  const what = `${documents} ${documents === 1 ? 'document' : 'documents'} and ${files} ${files === 1 ? 'file' : 'files'}`
  return {
    status: isQueued ? 202 : 200,
    body: {
      status: 'success',
      message: retry.isDryRun ? `${what} would be retried` : `${what} queued again`,
      namespace_name: namespace.name,
      ...counts,
      upload_ids: retry.uploadIds,
      file_names: retry.fileNames,
      refused: retry.refused(),
      has_more: token !== null,
      next_token: token,
    },
  }
}

const phases = ['documents', 'files'] as const
type Phase = (typeof phases)[number]

/** Retries documents by id, or all failures in a namespace. */
export const retryFailed = (deps: GatewayPorts & { readonly cursors: Cursors }) =>
  accountEndpoint(operations.retryFailed, async (call) => {
    const { cursors } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const sent = call.body()
    const retry = createRetry(sent)
    if (sent.ids) {
      const failed = [...new Set(sent.ids)].map((id) => ({ id }))
      const documents = await retryDocuments(deps, call, namespace, failed, retry)
      return replyOf(namespace, retry, { documents, files: 0 })
    }
    const binding = { accountId: call.account.id, namespaceId: `${namespace.id} retries` }
    const opened = sent.next_token === undefined ? 'documents ' : cursors.open(sent.next_token, binding)
    const begin = phases.find((phase) => opened?.startsWith(`${phase} `))
    if (opened === undefined || begin === undefined) throw foreignNextToken()
    const [after, before] = [sent.after, sent.before].map((time) => (time === undefined ? undefined : Date.parse(time)))
    const isInPeriod = (finishedAt: number | null) =>
      finishedAt !== null && finishedAt >= (after ?? 0) && finishedAt < (before ?? Number.POSITIVE_INFINITY)
    const walk: Walk = { deps, call, namespace, retry, isInPeriod }
    const counts = { documents: 0, files: 0 }
    for (const phase of phases.slice(phases.indexOf(begin))) {
      if (sent.kind !== undefined && sent.kind !== phase) continue
      const from = phase === begin ? opened.slice(phase.length + 1) : ''
      const left = limits.retriedAtOnce - counts.documents
      const { count, next } =
        left <= 0 ? { count: 0, next: from } : await (phase === 'documents' ? walkUploads : walkFiles)(walk, from, left)
      counts[phase satisfies Phase] = count
      if (next !== undefined) return replyOf(namespace, retry, counts, cursors.seal(`${phase} ${next}`, binding))
    }
    return replyOf(namespace, retry, counts)
  })

export const retryUpload = (deps: GatewayPorts) =>
  accountEndpoint(operations.retryUpload, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const job = await call.readable.upload(namespace, call.params.upload_id)
    const retry = createRetry(call.body())
    if (job.finishedAt === null)
      throw new AppError('conflict', 'The upload is being processed; try again when it is completed or failed')
    const documents = job.kind === 'chunks' ? 0 : await retryDocuments(deps, call, namespace, failedOf(job), retry)
    return replyOf(namespace, retry, { documents, files: 0 })
  })

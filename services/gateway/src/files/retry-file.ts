import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { fileStored } from '@cairn/contracts/events'
import { type FileOptions, fileVersionPrefix } from '@cairn/domain/files/record'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import type { BodyOf } from '@cairn/runtime/http/endpoint'
import { accountEndpoint, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { fileNameOf } from './file-name.ts'
import { fileView } from './file-status.ts'

const optionsOf = ({ ocr, languages, encoding }: BodyOf<typeof operations.retryFile>): FileOptions => ({
  ...(ocr === undefined ? {} : { ocr }),
  ...(languages === undefined ? {} : { languages: [...new Set(languages)] }),
  ...(encoding === undefined ? {} : { encoding }),
})

const bytesRemoved = () => new AppError('conflict', 'The bytes of the failed file were removed; upload it again')

/** Processes a finished file once more. Omitted options have their defaults. */
export const retryFile = (deps: FilePorts) =>
  accountEndpoint(operations.retryFile, async (call) => {
    const { store, clock, ids } = deps
    const { requestId: correlationId, traceparent } = call
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { name } = fileNameOf(call.params.file_name)
    const options = optionsOf(call.body())
    const existing = await store.files.byName(namespace.id, name)
    if (!existing) throw notFound('file')
    if (existing.bytesRemovedAt) throw bytesRemoved()
    const version = ids.next(fileVersionPrefix)
    const file = await store.files.reprocess(existing.id, {
      from: existing.version,
      version,
      options,
      at: clock.now(),
      correlationId,
      traceparent,
    })
    if (!file) throw new AppError('conflict', 'The file is being processed; try again when it is completed or failed')
    await sendEvent(deps, fileStored, { namespaceId: namespace.id, fileId: file.id }, file.id, causeOf(call))
    return { status: 202, body: await fileView(deps, namespace, file) }
  })

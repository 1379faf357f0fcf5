import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { fileStored } from '@cairn/contracts/events'
import { fileVersionPrefix } from '@cairn/domain/files/record'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { accountEndpoint, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { fileNameOf } from './file-name.ts'
import { fileView } from './file-status.ts'

/** Replaces the metadata, as a new version of the file's chunks. */
export const updateFile = (deps: FilePorts) =>
  accountEndpoint(operations.updateFile, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { name } = fileNameOf(call.params.file_name)
    const { metadata } = call.body()
    const version = deps.ids.next(fileVersionPrefix)
    const change = { metadata, version, at: deps.clock.now(), ...causeOf(call) }
    const changed = await deps.store.files.changeMetadata(namespace.id, name, change)
    if (!changed) throw notFound('file')
    const { outcome, file } = changed
    if (outcome === 'withoutBytes')
      throw new AppError('conflict', 'The bytes of the failed file were removed; upload it again with its metadata')
    const body = await fileView(deps, namespace, file)
    if (outcome === 'unchanged') return { status: 200, body }
    await sendEvent(deps, fileStored, { namespaceId: namespace.id, fileId: file.id }, file.id, causeOf(call))
    return { status: 202, body }
  })

import { fileStored } from '@cairn/contracts/events'
import { isPassing, messageOf, remedyOf } from '@cairn/contracts/files/file-reasons'
import { type FileRecord, fileVersionPrefix } from '@cairn/domain/files/record'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { type Call, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import type { Retry } from './retry-tally.ts'

const uploadAgain = 'Its bytes were removed: upload the file again.'

/** Keeps the file's options. Resolves to whether it was queued, or would be. */
export const retryFailedFile = async (
  deps: GatewayPorts,
  call: Call,
  namespace: ReadableNamespace,
  file: FileRecord,
  retry: Retry,
): Promise<boolean> => {
  const { store, clock, ids } = deps
  const { outcome, name } = file
  if (outcome?.state !== 'failed' || !retry.isWanted(outcome.reason)) return false
  const { reason } = outcome
  const refuse = (remedy: string) => {
    retry.refuse(name, { kind: 'files', reason, message: messageOf(reason), remedy })
    return false
  }
  if (file.bytesRemovedAt) return refuse(uploadAgain)
  if (!isPassing(reason) && !retry.isNamed(reason)) return refuse(remedyOf(reason))
  if (!retry.isDryRun) {
    const queued = await store.files.reprocess(file.id, {
      from: file.version,
      version: ids.next(fileVersionPrefix),
      options: file.options,
      at: clock.now(),
      ...causeOf(call),
    })
    // Replaced, deleted or retried in the meantime.
    if (!queued) return false
    await sendEvent(deps, fileStored, { namespaceId: namespace.id, fileId: file.id }, file.id, causeOf(call))
  }
  retry.fileNames.push(name)
  return true
}

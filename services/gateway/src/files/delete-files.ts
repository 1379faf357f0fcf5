import { namespaceNotFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { deletionRequested } from '@cairn/contracts/events'
import { checkFileName, composedName } from '@cairn/contracts/files/file-rules'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { deleteFilesBody } from '@cairn/contracts/http/file-uploads'
import { limits } from '@cairn/contracts/limits'
import { isOwned, objectKey } from '@cairn/domain/files/object-keys'
import type { Grant } from '@cairn/domain/files/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { parse } from '@cairn/runtime/http/parse'
import { accountEndpoint, type Call, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { hasEarlierNames, markFileNamesDeprecated } from './legacy-names.ts'

const filesAtOnce = 8

type Result = { readonly status: 'deleted' | 'error'; readonly message: string }
const initiated: Result = { status: 'deleted', message: 'File deletion initiated successfully' }
const absent: Result = { status: 'error', message: 'File not found' }
const tryAgain: Result = { status: 'error', message: 'The file could not be deleted now; try again' }

/** Two spellings of one name are the same file. */
const namesOf = ({ sentBody: body, sentQuery: query }: Call, isLegacy: boolean): readonly string[] => {
  const {
    file_name,
    file_names = [],
    fileName,
    fileNames = [],
  } = body === undefined ? {} : parse(deleteFilesBody, body)
  const legacy = isLegacy ? [fileName ?? [], fileNames, query['fileName'] ?? []].flat(2) : []
  const sent = [file_name ?? [], file_names, query['file_name'] ?? [], legacy].flat(2)
  const names = [...Map.groupBy(sent, composedName).values()].map(([first = '']) => first)
  if (!names.some((name) => name !== ''))
    throw new AppError('invalid', 'At least one file name is required: file_name or file_names')
  if (names.length > limits.fileNamesPerDelete) {
    throw new AppError(
      'invalid',
      `At most ${limits.fileNamesPerDelete} file names are accepted (given: ${names.length})`,
    )
  }
  return names
}

/** A file that is still being uploaded, whole or in parts, must not be registered. */
const revoke = async ({ store, files }: FilePorts, grant: Grant | undefined): Promise<void> => {
  if (grant?.state !== 'open') return
  await store.grants.revoke(grant.namespaceId, grant.name)
  if (grant.uploadId !== null) await files.abortMultipart(grant.key, grant.uploadId)
}

/** Resolves to the deletion's id; undefined when there was nothing to delete. */
const deleteFile = async (
  deps: FilePorts,
  call: Call,
  namespace: ReadableNamespace,
  sent: string,
): Promise<string | undefined> => {
  const { store, ungatedStore, files, clock, ids } = deps
  const checked = checkFileName(sent)
  if (!checked.ok) return undefined
  const { name } = checked
  const { id: namespaceId, accountId, name: namespaceName } = namespace
  const grant = await store.grants.get(namespaceId, name)
  const file = await store.files.byName(namespaceId, name)
  const key = file?.key ?? grant?.key ?? objectKey(files, namespace, name)
  const exists = file !== undefined || (grant?.state !== 'revoked' && (await files.head(key)) !== undefined)
  await revoke(deps, grant)
  if (!exists) return undefined
  const deletionId = ids.next('deletion')
  const result = await store.deleteFile({
    deletionId,
    accountId,
    namespaceId,
    namespaceName,
    space: embeddingSpaceOf(namespace),
    name,
    key,
    ...causeOf(call),
    at: clock.now(),
  })
  if (result.outcome === 'namespaceGone') throw namespaceNotFound(namespaceName)
  try {
    // A file uploaded again in the meantime is kept.
    if (!(await isOwned(ungatedStore, files, key))) await files.remove([key])
  } catch (error) {
    if (!isAppError(error, 'unavailable')) throw error
    deps.log.warn({ err: error, deletionId }, 'object removal left to the deletion job')
  }
  return deletionId
}

export const deleteFiles = (deps: FilePorts & { readonly legacyCamelCase: boolean }) =>
  accountEndpoint(operations.deleteFiles, async (call) => {
    const isLegacy =
      deps.legacyCamelCase && (hasEarlierNames(call.sentBody) || call.sentQuery['fileName'] !== undefined)
    if (isLegacy) markFileNamesDeprecated(call)
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const names = namesOf(call, isLegacy)
    const namespaceId = namespace.id
    // Together: while the bus is unavailable, each of a thousand messages takes half a second.
    const announced: Promise<void>[] = []
    let outage: AppError | undefined
    const remove = async (name: string): Promise<Result> => {
      // While a store is unavailable, each further name would wait for it too.
      if (outage) return tryAgain
      try {
        const deletionId = await deleteFile(deps, call, namespace, name)
        if (deletionId === undefined) return absent
        announced.push(sendEvent(deps, deletionRequested, { namespaceId, deletionId }, deletionId, causeOf(call)))
        return initiated
      } catch (error) {
        if (!isAppError(error, 'unavailable')) throw error
        outage = error
        return tryAgain
      }
    }
    const results = await atOnce(filesAtOnce, names, async (name) => {
      const { status, message } = await remove(name)
      return { file_name: name, status, message, ...(isLegacy && { fileName: name }) }
    })
    await Promise.all(announced)
    const deleted = results.filter(({ status }) => status === 'deleted').length
    if (outage && deleted === 0) throw outage
    return {
      status: 200,
      body: {
        success: true,
        message: `File deletion process completed: ${deleted} of ${names.length} deleted`,
        namespace: namespace.name,
        results,
      },
    }
  })

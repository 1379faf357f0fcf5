import { setImmediate as nextTurn } from 'node:timers/promises'
import { namespaceNotFound, notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import { limits } from '@cairn/contracts/limits'
import type { Grant } from '@cairn/domain/files/record'
import { partsUntil } from '@cairn/domain/files/reserve-parts'
import { accountEndpoint, type Call } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { type FileName, fileNameOf } from './file-name.ts'
import { openGrant } from './open-grant.ts'
import { registerUpload } from './register-upload.ts'
import { reserveStorage } from './reserve-storage.ts'

/** Recommended; 5 GB are 640 such parts, which fit into one request. */
const partSize = 8 * 1024 * 1024
const signaturesAtOnce = 16
const hint =
  'Send each part with PUT to its upload_url and keep the ETag of the answer; a part may be sent again. Then send all parts with their etags to upload-multipart/complete.'

/** Throws AppError `notFound` when the upload does not belong to this file. */
const grantOf = async (
  { store }: FilePorts,
  namespace: ReadableNamespace,
  { name }: FileName,
  uploadId: string,
): Promise<Grant> => {
  const grant = await store.grants.get(namespace.id, name)
  if (grant?.state !== 'open' || grant.uploadId !== uploadId) throw notFound('upload')
  return grant
}

const begin = async (
  deps: FilePorts,
  call: Call,
  namespace: ReadableNamespace,
  file: FileName & { readonly metadata: string | null },
  expiresAt: number,
): Promise<Grant> => {
  const { files, store } = deps
  const reserve = { of: 'parts' as const, bytes: null, until: partsUntil(expiresAt) }
  // First without the upload, so that none begins in the store under an unusable name.
  const { key } = await openGrant(deps, call, namespace, { ...file, expiresAt, reserve })
  const uploadId = await files.startMultipart(key, { contentType: file.contentType })
  const grant = await openGrant(deps, call, namespace, { ...file, expiresAt, uploadId, reserve }).catch(
    async (error: unknown) => {
      await files.abortMultipart(key, uploadId)
      throw error
    },
  )
  // A deletion of the namespace may have listed multipart uploads before this one existed.
  if ((await store.namespaces.get(namespace.id))?.state === 'active') return grant
  await files.abortMultipart(key, uploadId)
  throw namespaceNotFound(namespace.name, 'text')
}

const resume = async (
  deps: FilePorts,
  call: Call,
  namespace: ReadableNamespace,
  file: FileName,
  expiresAt: number,
  uploadId: string,
) => {
  const { key } = await grantOf(deps, namespace, file, uploadId)
  const bytes = (await deps.files.multipartBytes(key, uploadId)) || null
  return openGrant(deps, call, namespace, {
    ...file,
    expiresAt,
    uploadId,
    reserve: { of: 'parts', uploadId, bytes, stored: bytes ?? 0, until: partsUntil(expiresAt) },
  })
}

export const startMultipartUpload = (deps: FilePorts) =>
  accountEndpoint(operations.startMultipartUpload, async (call) => {
    const { files, clock } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const { file_name, upload_id: startedId, first_part: first, parts: count, metadata: sent = null } = call.body()
    const file = fileNameOf(file_name)
    if (first + count - 1 > limits.partNumber) {
      throw new AppError(
        'invalid',
        `A part number is at most ${limits.partNumber} (requested: ${first} to ${first + count - 1})`,
      )
    }
    const expiresInSeconds = limits.uploadUrlSeconds
    const expiresAt = clock.now() + expiresInSeconds * 1_000
    const { key, uploadId } =
      startedId === undefined
        ? await begin(deps, call, namespace, { ...file, metadata: sent }, expiresAt)
        : await resume(deps, call, namespace, file, expiresAt, startedId)
    if (uploadId === null) throw notFound('upload')
    const sign = async (part: number) => ({
      part,
      upload_url: await files.signPart(key, uploadId, part, { expiresInSeconds }),
    })
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    const signed: { readonly part: number; readonly upload_url: string }[] = []
    for (const some of slices(numbers, signaturesAtOnce)) {
      signed.push(...(await Promise.all(some.map(sign))))
      // A thousand signatures take tenths of a second: other requests must run in between.
      await nextTurn()
    }
    return {
      status: 200,
      body: {
        upload_id: uploadId,
        key,
        content_type: file.contentType,
        method: 'PUT',
        part_size: partSize,
        expires_in: expiresInSeconds,
        parts: signed,
        hint,
      },
    }
  })

export const completeMultipartUpload = (deps: FilePorts) =>
  accountEndpoint(operations.completeMultipartUpload, async (call) => {
    const { files, store } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const { file_name, upload_id: uploadId, parts } = call.body()
    const file = fileNameOf(file_name)
    const grant = await grantOf(deps, namespace, file, uploadId)
    const bytes = await files.multipartBytes(grant.key, uploadId)
    if (bytes === undefined) throw notFound('upload')
    const until = partsUntil(Math.max(grant.expiresAt, deps.clock.now()))
    const upload = { namespaceId: namespace.id, name: file.name, uploadId }
    // An earlier attempt with unknown outcome has already moved the reservation.
    if (grant.partsUntil === null) await store.grants.moveReservation(upload, 'parts', { bytes, until })
    await reserveStorage(deps, call.account, grant, { of: 'parts', uploadId, bytes, stored: bytes, until })
    // A sweep may register the object first; the reservation of the parts must not count in addition.
    if (!(await store.grants.moveReservation(upload, 'put', { bytes, until }))) throw notFound('upload')
    const object = await files
      .completeMultipart(grant.key, uploadId, parts, { maxBytes: limits.fileBytes })
      .catch(async (error: unknown) => {
        // When the outcome is unknown, the sweep finds the object or the parts, and counts them.
        if (isAppError(error) && error.code !== 'unavailable')
          await store.grants.moveReservation(upload, 'parts', { bytes, until })
        throw isAppError(error, 'notFound') ? notFound('upload') : error
      })
    await store.grants.endMultipart(namespace.id, file.name, uploadId)
    const next = await registerUpload(deps, call, { namespace, grant, object })
    return {
      status: 200,
      body: {
        success: true,
        message: `File uploaded successfully. ${next}`,
        namespace: namespace.name,
        file_name: file.name,
        size: object.sizeBytes,
        etag: object.etag,
      },
    }
  })

export const abortMultipartUpload = (deps: FilePorts) =>
  accountEndpoint(operations.abortMultipartUpload, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const { file_name, upload_id: uploadId } = call.body()
    const file = fileNameOf(file_name)
    const { key } = await grantOf(deps, namespace, file, uploadId)
    await deps.files.abortMultipart(key, uploadId)
    await deps.store.grants.endMultipart(namespace.id, file.name, uploadId)
    return {
      status: 200,
      body: {
        success: true,
        message: 'The upload was aborted; its parts are removed',
        namespace: namespace.name,
        file_name: file.name,
      },
    }
  })

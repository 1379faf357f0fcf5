import { Readable } from 'node:stream'
import { idempotencyKeyHeader, namespaceNotFound, notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { checkFileMetadata } from '@cairn/contracts/files/file-metadata'
import { parseWithDigits } from '@cairn/contracts/json/exact-json'
import { limits } from '@cairn/contracts/limits'
import type { Grant } from '@cairn/domain/files/record'
import { accountEndpoint } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { endFileHash, receiveForm, startFileHash } from '../guards/form-body.ts'
import type { InFlight } from './bytes-in-flight.ts'
import { fileNameOf } from './file-name.ts'
import { openGrant } from './open-grant.ts'
import { registerUpload } from './register-upload.ts'
import { enterInFlight } from './reserve-storage.ts'

/** Returns compact JSON; undefined without the field. AppError `invalid`. */
const metadataOf = (sent: unknown): string | undefined => {
  if (sent === undefined) return undefined
  const checked = checkFileMetadata(typeof sent === 'string' ? parsedOrUndefined(sent) : undefined)
  if (!checked.ok) throw new AppError('invalid', `metadata ${checked.requirement}, as JSON`)
  return checked.json
}
const parsedOrUndefined = (json: string): unknown => {
  try {
    return parseWithDigits(json)
  } catch {
    return undefined
  }
}

/** Runs behind `formHeaders`. Streams the file to the store, neither through memory nor a temporary file. */
export const uploadFile = (deps: FilePorts) =>
  accountEndpoint(operations.uploadFile, async (call) => {
    const { files, clock, store } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    let onItsWay: InFlight | undefined
    /** Replaces the file's earlier count, if the account has capacity. */
    const count = async (grant: Grant, bytes: number): Promise<InFlight> => {
      onItsWay?.leave()
      onItsWay = await enterInFlight(deps, call.account, grant, bytes, async () => ({ of: 'put', bytes }))
      return onItsWay
    }
    try {
      const { grant, object, name, counted, contentHash } = await receiveForm(
        call,
        async ({ name: sent, bytes, minBytes, field, signal }) => {
          const { name, contentType } = fileNameOf(sent, 'The name of the file')
          // Expires at once: the upload happens in this request.
          const reserve = { of: 'put' as const, bytes: 1, until: null }
          let grant: Grant = await openGrant(deps, call, namespace, {
            name,
            contentType,
            expiresAt: clock.now(),
            metadata: null,
            reserve,
          })
          let counted = await count(grant, Math.max(1, minBytes))
          // Hashing costs a third as much as receiving: only for requests that may be repeated.
          const hash =
            call.raw.headers[idempotencyKeyHeader.toLowerCase()] === undefined ? undefined : startFileHash(sent)
          /**
           * A form may take minutes, in which its namespace may be deleted and created again with a file of this name.
           * So the grant is checked once more before the last byte is stored; from then on a deletion reserves the name
           * for long enough.
           */
          const untilAllowed = async function* () {
            let sizeBytes = 0
            for await (const chunk of bytes as AsyncIterable<Buffer>) {
              sizeBytes += chunk.length
              hash?.update(chunk)
              yield chunk
            }
            counted = await count(grant, sizeBytes)
            // Before the store's event can announce the object.
            const fileMetadata = metadataOf(field('metadata'))
            const extended = await store.grants.extend(namespace.id, name, clock.now(), fileMetadata)
            if ((await store.namespaces.get(namespace.id))?.state !== 'active')
              throw namespaceNotFound(namespace.name, 'text')
            if (!extended) throw notFound('file')
            grant = extended
          }
          const content = Readable.from(untilAllowed(), { objectMode: false })
          const object = await files.put(grant.key, content, { contentType, maxBytes: limits.directFileBytes, signal })
          return { grant, object, name, counted, contentHash: hash && endFileHash(hash, field) }
        },
      )
      const next = await counted.register(() => registerUpload(deps, call, { namespace, grant, object, inForm: true }))
      return {
        status: 200,
        body: {
          success: true,
          message: `File uploaded successfully. ${next}`,
          namespace: namespace.name,
          fileName: name,
          fileSize: object.sizeBytes,
        },
        ...(contentHash === undefined ? {} : { contentHash }),
      }
    } finally {
      onItsWay?.leave()
    }
  })

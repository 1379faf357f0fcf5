import { operations } from '@cairn/contracts/api/operations'
import { uploadUrlBody } from '@cairn/contracts/http/file-uploads'
import { limits } from '@cairn/contracts/limits'
import { parse } from '@cairn/runtime/http/parse'
import { accountEndpoint } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { fileNameOf } from './file-name.ts'
import { markFileNamesDeprecated, presentNames } from './legacy-names.ts'
import { openGrant } from './open-grant.ts'

const hintOf = (contentType: string, size: number | undefined): string =>
  `Send the bytes of the file with PUT to upload_url, with the header Content-Type: ${contentType}${size === undefined ? '' : ` and exactly ${size} bytes`}. Example: curl -X PUT -H 'Content-Type: ${contentType}' --upload-file <file> '<upload_url>'`

export const createUploadUrl = (deps: FilePorts & { readonly legacyCamelCase: boolean }) =>
  accountEndpoint(operations.createUploadUrl, async (call) => {
    const { files, clock, legacyCamelCase } = deps
    const { body, isLegacy } = presentNames(call.sentBody, legacyCamelCase)
    if (isLegacy) markFileNamesDeprecated(call)
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const { file_name, file_size: sizeBytes, metadata = null } = parse(uploadUrlBody, body)
    const { name, contentType } = fileNameOf(file_name)
    const expiresInSeconds = limits.uploadUrlSeconds
    const expiresAt = clock.now() + expiresInSeconds * 1_000
    const reserve = { of: 'put' as const, bytes: sizeBytes ?? null, until: expiresAt }
    const { key } = await openGrant(deps, call, namespace, { name, contentType, metadata, expiresAt, reserve })
    const url = await files.signPut(key, {
      contentType,
      expiresInSeconds,
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
    })
    return {
      status: 200,
      body: {
        upload_url: url,
        key,
        content_type: contentType,
        expires_in: expiresInSeconds,
        method: 'PUT',
        hint: hintOf(contentType, sizeBytes),
        ...(isLegacy ? { uploadUrl: url, contentType, expiresIn: expiresInSeconds } : {}),
      },
    }
  })

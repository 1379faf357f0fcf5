import * as z from 'zod'
import { operation } from './operation.ts'

/**
 * The PUT to a signed address, in S3's form, for deployments without an object store. Not part of the API's documents:
 * clients know only the address.
 */
export const putSignedFile = operation({
  operationId: 'putSignedFile',
  method: 'put',
  path: '/files/{+key}',
  tag: 'Files',
  summary: 'Send a file to its signed address',
  errors: 's3',
  auth: 'signature',
  request: { body: { schema: z.unknown(), mediaType: 'application/octet-stream' } },
  responses: { 200: { description: 'Stored.' } },
  failures: {},
})

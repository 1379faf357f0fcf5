import * as z from 'zod'
import { operation } from './operation.ts'

/** S3's form, for deployments without an object store. Not in the published documents: clients know only the URL. */
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

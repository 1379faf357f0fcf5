import * as z from 'zod'
import { count, namespaceParams, text, timestamp } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'

const reextractionView = z
  .object({
    namespace_name: text,
    state: z.enum(['idle', 'running']),
    extraction_version: count.describe('Version of the extraction that the server has.'),
    outdated_files: count.describe(
      'Files whose searchable content an earlier version has read; while it runs, those that it has not dealt with.',
    ),
    progress: z
      .object({
        total: count.describe('Outdated files when it began.'),
        extracted: count.describe('Files whose new content is searchable.'),
        failed: count.describe('Files that could not be extracted again. Their former content stays searchable.'),
        without_bytes: count.describe('Files that are left as they are, because their bytes are not stored any more.'),
      })
      .nullable()
      .describe(
        'Of the last one, also after its end; null before the first. Files that users replace or delete meanwhile are not counted.',
      ),
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'Reextraction' })

const common = {
  path: '/v1/namespaces/{namespace_name}/reextract',
  tag: 'Maintenance',
  auth: 'key',
  errors: 'data',
  request: { params: namespaceParams },
} as const
const failures = { 400: 'It is a vector namespace.', 404: 'The namespace does not exist or is not yours.' }

export const reextractionOperations = operationsOf(common, {
  startReextraction: {
    idempotencyKey: true,
    method: 'post',
    scope: 'admin',
    summary: 'Extract the files again that an earlier version has read',
    description:
      'Once after an upgrade: every outdated file of the namespace is processed again, a few at a time, with the options it had. Search returns its previous chunks until the new ones are published, and passages that did not change are not embedded again. A second request returns the one that runs.',
    responses: {
      200: { description: 'No file is outdated. Nothing was begun.', body: reextractionView },
      202: { description: 'It has begun, or was running.', body: reextractionView },
    },
    failures: keyFailures(failures),
  },
  getReextraction: {
    method: 'get',
    scope: 'read',
    summary: 'Get how many files are outdated, and how far their extraction is',
    responses: { 200: { description: 'The state.', body: reextractionView } },
    failures: keyFailures(failures),
  },
})

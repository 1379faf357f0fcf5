import * as z from 'zod'
import { count, estimatedCompletion, text, timestamp, waitQuery } from './common.ts'
import { keyFailures, operation } from './operation.ts'

export const deletionParams = z.object({
  deletion_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the id of a deletion'),
})

export const deletionView = z
  .object({
    deletion_id: text,
    target: z.enum(['items', 'namespace', 'file']),
    namespace_name: text,
    file_name: text.nullable(),
    state: z
      .enum(['queued', 'running', 'completed', 'failed'])
      .describe('`completed` when every store has been checked and nothing is left; a name is free again then.'),
    removed: z.record(z.string(), count).describe('Number removed, by store.'),
    attempts: count.describe('Number of times the removal was started.'),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
    estimated_completion: estimatedCompletion,
    next_attempt_at: timestamp
      .nullable()
      .describe('Time of the next attempt; null while the removal runs and once it is finished.'),
  })
  .meta({ id: 'Deletion' })

export const deletionOperations = {
  getDeletion: operation({
    operationId: 'getDeletion',
    method: 'get',
    path: '/v1/deletions/{deletion_id}',
    tag: 'Namespaces',
    summary: 'Get the state of a deletion',
    description: 'How far the deletion of a namespace is. Kept for some weeks.',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    request: { params: deletionParams, query: waitQuery },
    responses: { 200: { description: 'The deletion.', body: deletionView } },
    failures: keyFailures({
      400: 'The deletion is missing in the path, or `wait` is not usable.',
      404: 'The deletion does not exist or is not yours.',
    }),
  }),
}

import * as z from 'zod'
import { namespaceParams } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'

/** A client of server-sent events continues after this position. */
export const lastEventIdHeader = 'last-event-id'

/**
 * `<record>.<index of the event in the record>`, or `<record>` after its last event; `0`: the start. Parsed to the next
 * record and the last event that the client has of it; -1: none.
 */
export const eventPosition = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,9})?$/, 'must be the id of an event, or 0')
  .transform((value) => {
    const [seq = 0, index] = value.split('.').map(Number)
    return index === undefined ? { seq: seq + 1, index: -1 } : { seq, index }
  })
  .meta({ type: 'string', pattern: '^[0-9]{1,15}(\\.[0-9]{1,9})?$' })

/** Error messages use this name of the header. */
export const lastEventId = z.object({ 'Last-Event-ID': eventPosition })

export const eventsQuery = z.object({
  after: eventPosition
    .optional()
    .describe(
      'Id of the last event that the client has, or `0` for all that are kept. Without it, and without the header `Last-Event-ID`, only new events are sent.',
    ),
})

const events = [
  '`document.accepted`, then one of `document.searchable`, `document.failed` (`reason`) and `document.superseded` (`reason`: `overwritten` or `deleted`), for each document of an upload (`id`, `upload_id`); the same with `vector`.',
  '`document.deleted`, `vector.deleted` (`id`, `deletion_id`).',
  '`file.accepted`, `file.progress` (`stage`, `progress`), then `file.searchable` (with `notes`, if parts of the file were not read: their number, `count`, and their `codes`) or `file.failed` (`reason`); `file.deleted` (`file_name`).',
  '`namespace.deleted`.',
  'Each has `type`, `namespace_name` and `at`. `ready`: all before are sent, and new events follow. `missed`: events after the given one have expired.',
].join(' ')

const shared = {
  method: 'get',
  tag: 'Events',
  auth: 'key',
  scope: 'read',
  errors: 'data',
  responses: { 200: { description: 'The events, as they happen.', events } },
} as const

const description =
  'Server-sent events, each once, in the order in which they happened. They are kept for a day. The server ends the stream after some minutes; a client goes on with the id of the last event, as `after` or as the header `Last-Event-ID`, at any gateway.'

export const eventOperations = operationsOf(shared, {
  getEvents: {
    path: '/v1/events',
    summary: 'Follow what happens to the content of the account',
    description,
    request: { query: eventsQuery },
    failures: keyFailures({ 400: '`after` or `Last-Event-ID` is not usable.' }),
  },
  getNamespaceEvents: {
    path: '/v1/namespaces/{namespace_name}/events',
    summary: 'Follow what happens in a namespace',
    description: `${description} The stream ends when the namespace is deleted.`,
    request: { params: namespaceParams, query: eventsQuery },
    failures: keyFailures({
      400: '`after` or `Last-Event-ID` is not usable, or the namespace is missing in the path.',
      404: 'The namespace does not exist or is not yours.',
    }),
  },
})

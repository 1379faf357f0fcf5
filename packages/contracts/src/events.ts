import * as z from 'zod'

/** What travels on the bus. Messages carry references, never bodies: the store is the truth, the bus only carries hints to it. */
export type Envelope<D = unknown> = {
  readonly id: string
  readonly type: string
  /** The id of the job, so that one huge job can't block a namespace; order is never relied on. */
  readonly key: string
  /** The request id of the call that caused it. */
  readonly correlationId: string
  /** ISO 8601. */
  readonly occurredAt: string
  /** W3C trace context, when the call had one. */
  readonly traceparent?: string
  readonly tracestate?: string
  readonly data: D
}

export type EventDefinition<D> = { readonly type: string; readonly topic: string; readonly data: z.ZodType<D> }

const event = <D>(type: string, topic: string, data: z.ZodType<D>): EventDefinition<D> => ({ type, topic, data })

const id = z.string().min(1).max(200)

export const namespaceCreated = event('namespace.created', 'cairn.namespaces', z.strictObject({ namespaceId: id }))
export const uploadAccepted = event('upload.accepted', 'cairn.uploads', z.strictObject({ namespaceId: id, uploadId: id }))
export const fileStored = event('file.stored', 'cairn.files', z.strictObject({ namespaceId: id, fileId: id }))
export const deletionRequested = event('deletion.requested', 'cairn.deletions', z.strictObject({ namespaceId: id, deletionId: id }))

/** The topics the services publish to, and the group that reads each. */
export const topics = [
  { topic: namespaceCreated.topic, group: 'namespace' },
  { topic: uploadAccepted.topic, group: 'ingestion' },
  { topic: fileStored.topic, group: 'file-pipeline' },
  { topic: deletionRequested.topic, group: 'deletion' },
] as const

/** Where an object store tells of objects that arrived, in words of its own: no envelope, and not published by a service. */
export const objectEventsTopic = 'cairn.object-events'

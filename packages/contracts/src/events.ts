import * as z from 'zod'

/** Carries references, never bodies: a message is only a hint to read the stores. */
export type Envelope<D = unknown> = {
  readonly id: string
  readonly type: string
  /** Partition key: the job's id, so that one huge job can't block a namespace. No consumer relies on order. */
  readonly key: string
  /** Request that caused the event. */
  readonly correlationId: string
  /** ISO 8601. */
  readonly occurredAt: string
  /** W3C trace context, if the request had one. */
  readonly traceparent?: string
  readonly tracestate?: string
  readonly data: D
}

/** `group`: the one consumer group that handles the event, named after its service. */
export type EventDefinition<D> = {
  readonly type: string
  readonly topic: string
  readonly group: string
  readonly data: z.ZodType<D>
}

const id = z.string().min(1).max(200)

export const namespaceCreated = {
  type: 'namespace.created',
  topic: 'cairn.namespaces',
  group: 'namespace',
  data: z.strictObject({ namespaceId: id }),
}
export const uploadAccepted = {
  type: 'upload.accepted',
  topic: 'cairn.uploads',
  group: 'ingestion',
  data: z.strictObject({ namespaceId: id, uploadId: id }),
}
export const fileStored = {
  type: 'file.stored',
  topic: 'cairn.files',
  group: 'file-pipeline',
  data: z.strictObject({ namespaceId: id, fileId: id }),
}
export const deletionRequested = {
  type: 'deletion.requested',
  topic: 'cairn.deletions',
  group: 'deletion',
  data: z.strictObject({ namespaceId: id, deletionId: id }),
}

/** All events of a topic have one group. */
export const events: readonly EventDefinition<unknown>[] = [
  namespaceCreated,
  uploadAccepted,
  fileStored,
  deletionRequested,
]

/** An object store publishes uploaded objects here, in its own format, without an envelope. */
export const objectEventsTopic = 'cairn.object-events'

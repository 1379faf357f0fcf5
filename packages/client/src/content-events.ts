import { CairnError } from './error.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { sleep, type Transport } from './transport.ts'
import type { FileStatus } from './types.ts'

type Common = {
  /** Position of the event. Pass it as `after` to continue after this event. */
  readonly position: string
  readonly namespace_name: string
  /** ISO 8601, UTC. */
  readonly at: string
}
type OfItem = 'document' | 'vector'

/** A change of an account's content. */
export type ContentEvent =
  | (Common & {
      readonly type: `${OfItem}.accepted` | `${OfItem}.searchable`
      readonly id: string
      readonly upload_id: string
    })
  | (Common & {
      readonly type: `${OfItem}.failed` | `${OfItem}.superseded`
      readonly id: string
      readonly upload_id: string
      readonly reason: string
    })
  | (Common & { readonly type: `${OfItem}.deleted`; readonly id: string; readonly deletion_id: string })
  | (Common & { readonly type: 'file.accepted'; readonly file_name: string })
  | (Common & {
      readonly type: 'file.searchable'
      readonly file_name: string
      /** Set if parts of the file were skipped or read inexactly; the file's status lists these parts. */
      readonly notes?: { readonly count: number; readonly codes: readonly string[] }
    })
  | (Common & {
      readonly type: 'file.progress'
      readonly file_name: string
      readonly stage: FileStatus['stage']
      readonly progress: FileStatus['progress']
    })
  | (Common & { readonly type: 'file.failed'; readonly file_name: string; readonly reason: string })
  | (Common & { readonly type: 'file.deleted'; readonly file_name: string; readonly deletion_id: string })
  | (Common & { readonly type: 'namespace.deleted'; readonly deletion_id: string })
  /** Some events after the requested position have expired. */
  | { readonly type: 'missed'; readonly position: string }

export type EventOptions = {
  /** Only events of this namespace; CairnError `not_found` once it is deleted. Default: all namespaces. */
  readonly namespace?: string
  /** `position` of the last known event, or `0` for all stored events (one day). Default: only new events. */
  readonly after?: string
  /** Ends the iteration, which throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** A connection without data is considered dead; the server sends something every 15 s. */
const idleMs = 45_000
const beforeReconnectMs = 500

/** Yields each event once and in order; reconnects while the server is unreachable. Throws when it answers an error. */
export const contentEvents = async function* (
  transport: Transport,
  { namespace, after, signal }: EventOptions = {},
): AsyncGenerator<ContentEvent> {
  const { api, timeoutMs } = transport
  let position = after
  for (;;) {
    const query = position === undefined ? {} : { after: position }
    const open = (opened: AbortSignal) => {
      const init = { parseAs: 'stream', signal: opened } as const
      return namespace === undefined
        ? api.GET('/v1/events', { params: { query }, ...init })
        : api.GET('/v1/namespaces/{namespace_name}/events', {
            params: { path: { namespace_name: namespace }, query },
            ...init,
          })
    }
    try {
      for await (const { id, event, data } of serverSentEvents(transport, open, {
        signal,
        timeoutMs,
        idleMs,
        repeat: 'idempotent',
      })) {
        signal?.throwIfAborted()
        position = id ?? position
        if (event !== 'ready') yield { ...(data as object), position } as ContentEvent
      }
    } catch (error) {
      const isBroken = error instanceof CairnError && (error.code === 'network' || error.code === 'timeout')
      if (!isBroken) throw error
    }
    await sleep(beforeReconnectMs, signal)
  }
}

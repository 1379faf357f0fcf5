import { setImmediate as nextTurn } from 'node:timers/promises'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { lastEventId, lastEventIdHeader } from '@cairn/contracts/http/events'
import { limits } from '@cairn/contracts/limits'
import type { EventGroup, EventRecord } from '@cairn/domain/events/record'
import { createHoldings } from '@cairn/domain/jobs/holdings'
import type { ServerSentEvent } from '@cairn/runtime/http/api-request'
import type { ReplyOf, SentTo } from '@cairn/runtime/http/endpoint'
import { parse } from '@cairn/runtime/http/parse'
import { accountEndpoint, type Call } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import type { Authentication } from '../guards/authenticate.ts'
import { iso } from '../iso.ts'
import { closeGaps } from './close-gaps.ts'

/** Between two reads without events. */
const pauses = { first: 100, max: 1_000 }
/** A record may name all documents of one upload. */
const recordsAtOnce = 20

/** The next record, and the last event of it that the client has; -1: none. */
type Position = { readonly seq: number; readonly index: number }

const subjectOf = ({ type }: EventGroup, { jobId }: EventRecord) => {
  if (jobId === null) return {}
  return type.endsWith('.deleted') ? { deletion_id: jobId } : { upload_id: jobId }
}

const nameOf = ({ type }: EventGroup, id: string) => {
  if (type.startsWith('file.')) return { file_name: id }
  return type.startsWith('namespace.') ? {} : { id }
}

/** Gives each event its id in the stream. */
const eventsOf = (record: EventRecord, namespaceName: string): ServerSentEvent[] =>
  record.groups
    .flatMap((group) => group.ids.map((id) => ({ id, group })))
    .map(({ id, group }, index, { length }) => ({
      id: index === length - 1 ? `${record.seq}` : `${record.seq}.${index}`,
      event: group.type,
      data: {
        type: group.type,
        namespace_name: group.type === 'namespace.deleted' ? id : namespaceName,
        ...nameOf(group, id),
        ...subjectOf(group, record),
        ...(group.reason === undefined ? {} : { reason: group.reason }),
        ...(group.stage === undefined ? {} : { stage: group.stage, progress: group.progress }),
        ...(group.notes === undefined ? {} : { notes: group.notes }),
        at: iso(record.at),
      },
    }))

type EventsCall = Call & Pick<SentTo<typeof operations.getEvents>, 'query'>

/** The header is newer than the URL, which a client repeats when it reconnects. */
const positionOf = ({ query, raw }: EventsCall): Position | undefined => {
  const header = raw.headers[lastEventIdHeader]
  const { after } = query()
  return typeof header === 'string' && header !== ''
    ? parse(lastEventId, { 'Last-Event-ID': header })['Last-Event-ID']
    : after
}

/** Streams changes. Ends after a while, so that no gateway keeps a stream forever, and once its key is rejected. */
export const streamEvents = (deps: GatewayPorts & Pick<Authentication, 'readableBy'>) => {
  const { store, clock, stopping, readableBy } = deps
  const streams = createHoldings()

  async function* follow(call: Call, from: Position | undefined, namespace: ReadableNamespace | undefined) {
    const { readable, keyId, signal } = call
    const operation = namespace ? operations.getNamespaceEvents : operations.getEvents
    const ended = stopping ? AbortSignal.any([signal, stopping]) : signal
    const until = clock.monotonic() + limits.eventStreamMs
    const isOver = async () => ended.aborted || clock.monotonic() >= until || !(await readableBy(keyId, operation))
    const names = new Map<string, string>(namespace && [[namespace.id, namespace.name]])
    /** Undefined: the namespace is deleted, and its events are being removed. */
    const nameOfNamespace = async (id: string): Promise<string | undefined> => {
      const name = names.get(id) ?? (await readable.namespaceById(id))?.name
      if (name !== undefined) names.set(id, name)
      return name
    }
    const bounds = await store.events.bounds(readable.accountId)
    const [first, last] = [bounds?.first ?? 1, bounds?.last ?? 0]
    // A position beyond the last event is of another account, or of a store restored since.
    const isKept = from && from.seq >= first && from.seq <= last + 1
    let position: Position = isKept ? from : { seq: from && from.seq < first ? first : last + 1, index: -1 }
    if (!isKept) {
      const type = from ? 'missed' : 'ready'
      yield { id: `${position.seq - 1}`, event: type, data: { type } }
    }
    // In a quiet namespace of a busy account, the client's position would expire although no event was missed.
    let behind = namespace && last >= position.seq
    const closeGap = closeGaps(deps, readable.accountId)
    for (let pause = pauses.first; !(await isOver()); ) {
      const page = await store.events.after(readable.accountId, position.seq - 1, {
        namespaceId: namespace?.id,
        limit: recordsAtOnce,
      })
      for (const record of page.records) {
        const name = record.namespaceId === null ? '' : await nameOfNamespace(record.namespaceId)
        const all = name === undefined ? [] : eventsOf(record, name)
        for (const event of record.seq === position.seq ? all.slice(position.index + 1) : all) {
          // A client may read one page for longer than a stream may last.
          if (await isOver()) return
          yield event
        }
        pause = pauses.first
      }
      if (page.last >= position.seq) position = { seq: page.last + 1, index: -1 }
      const kept = await closeGap(page)
      if (kept !== undefined) {
        position = { seq: kept, index: -1 }
        yield { id: `${kept - 1}`, event: 'missed', data: { type: 'missed' } }
      }
      if (behind && position.seq > last) {
        behind = false
        yield { id: `${position.seq - 1}`, event: 'ready', data: { type: 'ready' } }
      }
      if (page.next === 'more') {
        // Records without content are otherwise read without a pause; a deleted namespace may have a day of them.
        await nextTurn()
        continue
      }
      if (namespace && (await store.namespaces.get(namespace.id))?.state !== 'active') return
      await clock.delay(pause, ended).catch(() => undefined)
      pause = page.next === 'missing' ? pauses.first : Math.min(pauses.max, 2 * pause)
    }
  }

  /** A failure can't be reported within a stream: the client resumes after its last event. */
  async function* untilFailure(call: Call, events: AsyncIterable<ServerSentEvent>): AsyncGenerator<ServerSentEvent> {
    try {
      yield* events
    } catch (error) {
      deps.log.warn({ err: error, requestId: call.requestId }, 'stream of events ended')
    }
  }

  const stream = (call: EventsCall, namespace?: ReadableNamespace): ReplyOf<typeof operations.getEvents> => {
    const from = positionOf(call)
    if (streams.of(call.account.id) >= limits.eventStreams)
      throw new AppError(
        'limited',
        `An account follows events at most ${limits.eventStreams} times at once; close a stream first.`,
        { retryAfterSeconds: 5 },
      )
    call.onEnd(streams.hold(call.account.id))
    return { status: 200, events: untilFailure(call, follow(call, from, namespace)) }
  }

  return {
    ofAccount: accountEndpoint(operations.getEvents, async (call) => stream(call)),
    ofNamespace: accountEndpoint(operations.getNamespaceEvents, async (call) =>
      stream(call, await call.readable.namespace(call.params.namespace_name)),
    ),
  }
}

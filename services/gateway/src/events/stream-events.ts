import { setImmediate as nextTurn } from 'node:timers/promises'
import { operations } from '@cairn/contracts/api/operations'
import { lastEventId, lastEventIdHeader } from '@cairn/contracts/http/events'
import { limits } from '@cairn/contracts/limits'
import type { EventGroup, EventRecord } from '@cairn/domain/events/record'
import type { ServerSentEvent } from '@cairn/runtime/http/api-request'
import type { ReplyOf, SentTo } from '@cairn/runtime/http/endpoint'
import { parse } from '@cairn/runtime/http/parse'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { accountEndpoint, type Call } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import type { Authentication } from '../guards/authenticate.ts'
import { iso } from '../iso.ts'
import { slots } from '../slots.ts'
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

type StreamDeps = GatewayPorts & Pick<Authentication, 'readableBy'>

/** One stream of changes, from a position on. */
class EventStream {
  readonly #deps: StreamDeps
  readonly #call: Call
  readonly #namespace: ReadableNamespace | undefined
  readonly #names: Map<string, string>
  readonly #closeGap: ReturnType<typeof closeGaps>
  readonly #ended: AbortSignal
  readonly #until: number
  #position: Position = { seq: 1, index: -1 }

  constructor(deps: StreamDeps, call: Call, namespace: ReadableNamespace | undefined) {
    const { stopping, clock } = deps
    this.#deps = deps
    this.#call = call
    this.#namespace = namespace
    this.#names = new Map(namespace && [[namespace.id, namespace.name]])
    this.#closeGap = closeGaps(deps, call.readable.accountId)
    this.#ended = stopping ? AbortSignal.any([call.signal, stopping]) : call.signal
    this.#until = clock.monotonic() + limits.eventStreamMs
  }

  async *follow(from: Position | undefined): AsyncGenerator<ServerSentEvent> {
    const { store, clock } = this.#deps
    const bounds = await store.events.bounds(this.#call.readable.accountId)
    const [first, last] = [bounds?.first ?? 1, bounds?.last ?? 0]
    // A position beyond the last event is of another account, or of a store restored since.
    const isKept = from && from.seq >= first && from.seq <= last + 1
    this.#position = isKept ? from : { seq: from && from.seq < first ? first : last + 1, index: -1 }
    if (!isKept) yield this.#marker(from ? 'missed' : 'ready')
    // In a quiet namespace of a busy account, the client's position would expire although no event was missed.
    let behind = this.#namespace && last >= this.#position.seq
    for (let pause = pauses.first; !(await this.#isOver()); ) {
      const page = await this.#readPage()
      for await (const event of this.#eventsIn(page.records)) {
        pause = pauses.first
        // A client may read one page for longer than a stream may last.
        if (await this.#isOver()) return
        yield event
      }
      if (page.last >= this.#position.seq) this.#position = { seq: page.last + 1, index: -1 }
      const kept = await this.#closeGap(page)
      if (kept !== undefined) {
        this.#position = { seq: kept, index: -1 }
        yield this.#marker('missed')
      }
      if (behind && this.#position.seq > last) {
        behind = false
        yield this.#marker('ready')
      }
      if (page.next === 'more') {
        // Records without content are otherwise read without a pause; a deleted namespace may have a day of them.
        await nextTurn()
        continue
      }
      if (await this.#isDeleted()) return
      await clock.delay(pause, this.#ended).catch(() => undefined)
      pause = page.next === 'missing' ? pauses.first : Math.min(pauses.max, 2 * pause)
    }
  }

  #readPage() {
    return this.#deps.store.events.after(this.#call.readable.accountId, this.#position.seq - 1, {
      namespaceId: this.#namespace?.id,
      limit: recordsAtOnce,
    })
  }

  async *#eventsIn(records: readonly EventRecord[]): AsyncGenerator<ServerSentEvent> {
    for (const record of records) {
      const name = record.namespaceId === null ? '' : await this.#nameOf(record.namespaceId)
      const all = name === undefined ? [] : eventsOf(record, name)
      yield* record.seq === this.#position.seq ? all.slice(this.#position.index + 1) : all
    }
  }

  /** Undefined: the namespace is deleted, and its events are being removed. */
  async #nameOf(namespaceId: string): Promise<string | undefined> {
    const name = this.#names.get(namespaceId) ?? (await this.#call.readable.namespaceById(namespaceId))?.name
    if (name !== undefined) this.#names.set(namespaceId, name)
    return name
  }

  /** Its id makes a client that reconnects continue here. */
  #marker(type: 'ready' | 'missed'): ServerSentEvent {
    return { id: `${this.#position.seq - 1}`, event: type, data: { type } }
  }

  /** So that no gateway keeps a stream forever, nor one whose key is no longer accepted. */
  async #isOver(): Promise<boolean> {
    if (this.#ended.aborted || this.#deps.clock.monotonic() >= this.#until) return true
    const operation = this.#namespace ? operations.getNamespaceEvents : operations.getEvents
    return !(await this.#deps.readableBy(this.#call.keyId, operation))
  }

  async #isDeleted(): Promise<boolean> {
    return (
      this.#namespace !== undefined && (await this.#deps.store.namespaces.get(this.#namespace.id))?.state !== 'active'
    )
  }
}

/** A failure can't be reported within a stream: the client resumes after its last event. */
async function* untilFailure(
  { log }: Pick<StreamDeps, 'log'>,
  { requestId }: Call,
  events: AsyncIterable<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  try {
    yield* events
  } catch (error) {
    log.warn({ err: error, requestId }, 'stream of events ended')
  }
}

export const streamEvents = (deps: StreamDeps) => {
  const streams = new FairSlots(slots.eventStreams)
  const stream = (call: EventsCall, namespace?: ReadableNamespace): ReplyOf<typeof operations.getEvents> => {
    const from = positionOf(call)
    call.onEnd(streams.takeNow(call.account.id))
    const events = new EventStream(deps, call, namespace).follow(from)
    return { status: 200, events: untilFailure(deps, call, events) }
  }
  return {
    ofAccount: accountEndpoint(operations.getEvents, async (call) => stream(call)),
    ofNamespace: accountEndpoint(operations.getNamespaceEvents, async (call) =>
      stream(call, await call.readable.namespace(call.params.namespace_name)),
    ),
  }
}

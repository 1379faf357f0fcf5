import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@cairn/contracts/limits'
import { defaultTiers } from '@cairn/domain/accounts/tiers'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { namespaceInput, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { ApiRequest, ServerSentEvent } from '@cairn/runtime/http/api-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stalled } from '@cairn/testing/stalled'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { callerOf } from '../gate.fixture.ts'
import { streamEvents } from './stream-events.ts'

const setUp = async () => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: clock.monotonic })
  const scene = await createFileScene(store)
  const stopping = new AbortController()
  const admission = { isAdmitted: true }
  const caller = callerOf(await scene.account(), 'key', store)
  const streams = streamEvents({
    store,
    clock,
    tiers: defaultTiers,
    stopping: stopping.signal,
    readableBy: async () => (admission.isAdmitted ? caller.readable : undefined),
  } as unknown as Parameters<typeof streamEvents>[0])
  const open = async (query: { readonly after?: string }, namespaceName?: string, headers = {}) => {
    const request = {
      caller,
      sentQuery: query,
      raw: { headers },
      params: { namespace_name: namespaceName },
      signal: new AbortController().signal,
      onEnd: () => undefined,
    } as unknown as ApiRequest<Caller>
    const { events } = await (namespaceName === undefined ? streams.ofAccount : streams.ofNamespace).handle(request)
    return (events as AsyncIterable<ServerSentEvent>)[Symbol.asyncIterator]()
  }
  const next = async (stream: AsyncIterator<ServerSentEvent>) => {
    const { value } = (await stream.next()) as { readonly value: ServerSentEvent | undefined }
    return value && `${value.id} ${value.event}`
  }
  /** Uploads a document in a process that stalls before it records the event. */
  const stalledUpload = (id: string) =>
    stalled((hooks) => stepwiseStore({ data, now: clock.monotonic, ...hooks }), {
      step: 'record event',
      call: (other) => other.accept(scene.acceptInput([id])),
    })
  /** Returns the next event of the stream; undefined if none comes within `ms`. */
  const nextWithin = async (stream: Promise<string | undefined>, ms: number): Promise<string | undefined> => {
    let came: string | undefined
    void stream.then((event) => {
      came = event
    })
    for (let passed = 0; came === undefined && passed < ms; passed += 100) {
      await expect.poll(() => manual.waiting() > 0 || came !== undefined).toBe(true)
      manual.pass(100)
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    }
    return came
  }
  return { manual, store, scene, stopping, admission, open, next, stalledUpload, nextWithin }
}

it('says that events were missed when all have expired that the client does not have', async () => {
  const { store, scene, open, next } = await setUp()
  await scene.accepted(['a'])
  await scene.accepted(['b'])
  await store.events.prune(wallAt + 1, 10)
  expect(await next(await open({ after: '1' }))).toBe('2 missed')
  await scene.accepted(['c'])
  expect(await next(await open({ after: '1' }))).toBe('2 missed')
  expect(await next(await open({ after: '2' }))).toBe('3 document.accepted')
})

it('moves the position of a quiet namespace on, so that it does not expire', async () => {
  const { store, scene, open, next } = await setUp()
  const { accountId } = scene
  const other = namespaceInput(accountId, 'text')
  expect(await store.createNamespace(other)).toBe('created')
  await scene.accepted(['a'])
  await scene.accepted(['b'], { namespaceId: other.id })
  const stream = await open({ after: '0' }, scene.deleteInput([]).namespaceName)
  expect([await next(stream), await next(stream)]).toEqual(['1 document.accepted', '2 ready'])
})

it('ends within a page of events when the process stops, its time is up, or its key is refused', async () => {
  for (const how of ['stop', 'time', 'refused']) {
    const { manual, scene, stopping, admission, open, next } = await setUp()
    await scene.accepted(['a', 'b', 'c'])
    const stream = await open({ after: '0' })
    expect(await next(stream)).toBe('1.0 document.accepted')
    if (how === 'stop') stopping.abort()
    else if (how === 'refused') admission.isAdmitted = false
    else manual.pass(limits.eventStreamMs)
    expect(await next(stream)).toBeUndefined()
  }
})

it('sends the number of notes of a searchable file, and their codes', async () => {
  const { store, scene, open } = await setUp()
  const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
  const set = { notes: [{ code: 'value_cut', message: 'A value was cut.', at: { page: 2 } }] }
  await store.files.recordProgress(lease, { version: file.version, set, at: wallAt })
  await scene.publish(file, lease, 1)
  await store.files.complete(lease, { times: {}, at: wallAt })
  const stream = await open({ after: '1' })
  expect((await stream.next()).value).toMatchObject({
    event: 'file.searchable',
    data: { type: 'file.searchable', file_name: 'a.txt', notes: { count: 1, codes: ['value_cut'] } },
  })
})

it('names the header in the error about it', async () => {
  const { open } = await setUp()
  await expect(open({}, undefined, { 'last-event-id': 'x' })).rejects.toMatchObject({
    code: 'invalid',
    message: 'Last-Event-ID must be the id of an event, or 0 (given: "x")',
  })
})

it('lets other requests run while it reads records without content', async () => {
  const { store, scene, open, next } = await setUp()
  for (let index = 0; index < 40; index += 1) await scene.accepted([`d${index}`])
  await store.events.removeOfNamespace(scene.namespaceId, 100)
  await scene.accepted(['last'])
  let turns = 0
  const turn = () => {
    turns += 1
    immediate = setImmediate(turn)
  }
  let immediate = setImmediate(turn)
  expect(await next(await open({ after: '0' }))).toBe('41 document.accepted')
  clearImmediate(immediate)
  expect(turns).toBeGreaterThanOrEqual(2)
})

it.each([undefined, 'the namespace'])(
  'waits for an event that is recorded late, and keeps the order (%s)',
  async (of) => {
    const { scene, open, next, nextWithin, stalledUpload } = await setUp()
    await scene.accepted(['a'])
    const goOn = await stalledUpload('b')
    await scene.accepted(['c'])
    const stream = await open({ after: '0' }, of && scene.deleteInput([]).namespaceName)
    expect(await next(stream)).toBe('1 document.accepted')
    const late = next(stream)
    expect(await nextWithin(late, limits.eventGapMs - 100)).toBeUndefined()
    await goOn()
    expect([await nextWithin(late, 200), await next(stream)]).toEqual(['2 document.accepted', '3 document.accepted'])
  },
)

it('goes on after five seconds without the events of a process that died, and closes all that it left at once', async () => {
  const { store, scene, open, next, nextWithin, stalledUpload } = await setUp()
  const dead: (() => Promise<unknown>)[] = []
  for (const id of ['a', 'b', 'c']) {
    dead.push(await stalledUpload(`dead ${id}`))
    await scene.accepted([id])
  }
  const stream = await open({ after: '0' })
  const first = next(stream)
  expect(await nextWithin(first, limits.eventGapMs - 100)).toBeUndefined()
  expect(await nextWithin(first, 300)).toBe('2 document.accepted')
  expect([await next(stream), await next(stream)]).toEqual(['4 document.accepted', '6 document.accepted'])
  // The processes were only slow: when they continue, their events get new numbers.
  for (const goOn of dead) await goOn()
  expect([await nextWithin(next(stream), 1_000), await next(stream), await next(stream)]).toEqual(
    [7, 8, 9].map((seq) => `${seq} document.accepted`),
  )
  const { records, next: more } = await store.events.after(scene.accountId, 0, { limit: 10 })
  expect({ numbers: records.length, more }).toEqual({ numbers: 9, more: 'nothing' })
})

it('says that events were missed when they expire while they are read', async () => {
  const { store, scene, open, next, nextWithin } = await setUp()
  await scene.accepted(['a'])
  for (const id of ['b', 'c']) await scene.accepted([id], { at: wallAt + 1 })
  await scene.accepted(['d'], { at: wallAt + 2 })
  const after = store.events.after
  let reads = 0
  // The records expire between the read of the bounds and the read of a page.
  store.events.after = async (...args) => {
    reads += 1
    if (reads === 1) await store.events.prune(wallAt + 2, 10)
    return after(...args)
  }
  const stream = await open({ after: '0' })
  expect(await next(stream)).toBe('3 missed')
  expect(await nextWithin(next(stream), 200)).toBe('4 document.accepted')
})

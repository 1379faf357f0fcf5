import { limits } from '@cairn/contracts/limits'
import { defaultTiers } from '@cairn/domain/tiers'
import { createScene, namespaceInput, wallAt } from '@cairn/ports/metadata/contract/scene'
import type { ServerSentEvent } from '@cairn/runtime/api-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { expect, it } from 'vitest'
import type { Call } from '../call.ts'
import { streamEvents } from './stream-events.ts'

const setUp = async () => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const metadata = stepwiseMetadata({ now: clock.monotonic })
  const scene = await createScene(metadata)
  const stopping = new AbortController()
  const admission = { isAdmitted: true }
  const streams = streamEvents({
    metadata,
    clock,
    tiers: defaultTiers,
    stopping: stopping.signal,
    isAdmitted: async () => admission.isAdmitted,
  } as unknown as Parameters<typeof streamEvents>[0])
  const account = await scene.account()
  const open = async (query: { readonly after?: string }, namespaceName?: string, headers = {}) => {
    const call = {
      account,
      query,
      raw: { headers },
      params: { namespace_name: namespaceName },
      signal: new AbortController().signal,
      onEnd: () => undefined,
    } as unknown as Call
    const { events } = await (namespaceName === undefined ? streams.ofAccount(call) : streams.ofNamespace(call))
    return (events as AsyncIterable<ServerSentEvent>)[Symbol.asyncIterator]()
  }
  const next = async (stream: AsyncIterator<ServerSentEvent>) => {
    const { value } = (await stream.next()) as { readonly value: ServerSentEvent | undefined }
    return value && `${value.id} ${value.event}`
  }
  return { manual, metadata, scene, stopping, admission, open, next }
}

it('says that events were missed when all have expired that the client does not have', async () => {
  const { metadata, scene, open, next } = await setUp()
  await scene.accepted(['a'])
  await scene.accepted(['b'])
  await metadata.events.prune(wallAt + 1, wallAt + 1, 10)
  expect(await next(await open({ after: '1' }))).toBe('2 missed')
  await scene.accepted(['c'])
  expect(await next(await open({ after: '1' }))).toBe('2 missed')
  expect(await next(await open({ after: '2' }))).toBe('3 document.accepted')
})

it('moves the position of a quiet namespace on, so that it does not expire', async () => {
  const { metadata, scene, open, next } = await setUp()
  const { accountId } = scene
  const other = namespaceInput(accountId, 'text')
  expect(await metadata.createNamespace(other)).toBe('created')
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

it('names the header in the error about it', async () => {
  const { open } = await setUp()
  await expect(open({}, undefined, { 'last-event-id': 'x' })).rejects.toMatchObject({
    code: 'invalid',
    message: 'Last-Event-ID must be the id of an event, or 0 (given: "x")',
  })
})

it('lets other requests run while it reads records without content', async () => {
  const { metadata, scene, open, next } = await setUp()
  for (let index = 0; index < 40; index += 1) await scene.accepted([`d${index}`])
  await metadata.events.removeOfNamespace(scene.namespaceId, 100)
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

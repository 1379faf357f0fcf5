import { setTimeout as delay } from 'node:timers/promises'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { type Envelope, uploadAccepted } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { deliverTwice } from '@cairn/testing/deliver-twice'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { createLogger } from '../process/logger.ts'
import { createMessageRouter, type MessageRouterOptions, on } from './message-router.ts'

const stored = {
  type: 'thing.stored',
  topic: 'cairn.things',
  group: 'things',
  data: z.strictObject({ thingId: z.string(), count: z.number() }),
}
const dropped = {
  type: 'thing.dropped',
  topic: 'cairn.drops',
  group: 'things',
  data: z.strictObject({ thingId: z.string() }),
}

const envelope = (type: string, data: unknown, id = 'm-1'): Envelope => ({
  id,
  type,
  key: id,
  correlationId: 'request-1',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data,
})

const setUp = (options: Partial<MessageRouterOptions> & { readonly wrap?: (bus: MessageBus) => MessageBus }) => {
  const { wrap = (bus) => bus, ...rest } = options
  const bus = wrap(inMemoryMessageBus())
  const unreadable: string[] = []
  const lines: string[] = []
  const router = createMessageRouter({
    bus,
    log: createLogger({ level: 'debug', name: 'test', write: (line) => void lines.push(line) }),
    group: 'things',
    handlers: [],
    countUnreadable: (unreadableBy) => void unreadable.push(unreadableBy),
    ...rest,
  })
  onTestFinished(async () => {
    await router.stop()
    await bus.close()
  })
  return { bus, router, unreadable, lines }
}

it('hands each message to the handler of its type, with parsed data and a context', async () => {
  const seen: unknown[] = []
  const { bus, router, lines } = setUp({
    handlers: [
      on(stored, async ({ thingId, count }, { correlationId, envelope: { id }, log }) => {
        log.info({ thingId }, 'seen')
        seen.push([thingId, count + 1, correlationId, id])
      }),
      on(dropped, ({ thingId }) => void seen.push(thingId)),
    ],
  })
  await router.start()
  await bus.publish(stored.topic, [envelope(stored.type, { thingId: 'a', count: 1 })])
  await bus.publish(dropped.topic, [envelope(dropped.type, { thingId: 'b' })])
  await expect.poll(() => seen).toHaveLength(2)
  expect(seen).toEqual(expect.arrayContaining([['a', 2, 'request-1', 'm-1'], 'b']))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    correlationId: 'request-1',
    message: 'm-1',
    type: 'thing.stored',
    thingId: 'a',
  })
})

it.each([
  ['of unknown type', envelope('thing.melted', {}), 'unknown type'],
  [
    'with data against its schema',
    envelope(stored.type, { thingId: 'a', count: 'secret words' }),
    'invalid: count: Invalid input: expected number, received string',
  ],
  ['that is no envelope', envelope('unreadable', 'secret words'), 'not an envelope'],
])('counts and logs a message %s with its position, and goes on', async (_, message, reason) => {
  const seen: string[] = []
  const position = { partition: 3, offset: '17' }
  const { bus, router, unreadable, lines } = setUp({
    handlers: [on(stored, ({ thingId }) => void seen.push(thingId))],
    wrap: (inner) => ({
      ...inner,
      subscribe: (from, handle) => inner.subscribe(from, (received) => handle(received, position)),
    }),
  })
  await router.start()
  await bus.publish(stored.topic, [message, envelope(stored.type, { thingId: 'good', count: 0 }, 'm-2')])
  await expect.poll(() => [unreadable, seen]).toEqual([['things'], ['good']])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: 'message unreadable', topic: stored.topic, ...position, reason },
  ])
  expect(lines.join('')).not.toContain('secret words')
})

it('handles what is delivered twice twice', async () => {
  let calls = 0
  const { bus, router } = setUp({ handlers: [on(stored, () => void calls++)], wrap: deliverTwice })
  await router.start()
  await bus.publish(stored.topic, [envelope(stored.type, { thingId: 'a', count: 1 })])
  await expect.poll(() => calls).toBe(2)
})

it('refuses to start with two handlers for one type', async () => {
  const { router } = setUp({ handlers: [on(stored, () => {}), on(stored, () => {})] })
  await expect(router.start()).rejects.toThrow('two handlers for thing.stored')
})

it('refuses to start without a handler for one of its events, or with one for an event of another group', async () => {
  const ingestion = setUp({ group: 'ingestion' })
  await expect(ingestion.router.start()).rejects.toThrow('no handler for upload.accepted')
  const foreign = setUp({ group: 'deletion', handlers: [on(uploadAccepted, () => {})] })
  await expect(foreign.router.start()).rejects.toThrow('upload.accepted is for the group ingestion, not deletion')
})

it('takes nothing more after stop', async () => {
  const seen: string[] = []
  const { bus, router } = setUp({ handlers: [on(stored, ({ thingId }) => void seen.push(thingId))] })
  await router.start()
  await bus.publish(stored.topic, [envelope(stored.type, { thingId: 'a', count: 1 })])
  await expect.poll(() => seen).toEqual(['a'])
  await router.stop()
  await bus.publish(stored.topic, [envelope(stored.type, { thingId: 'b', count: 1 }, 'm-2')])
  await delay(20)
  expect(seen).toEqual(['a'])
})

import { setTimeout as delay } from 'node:timers/promises'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { type Envelope, uploadAccepted } from '@cairn/contracts/events'
import type { DeadLetter } from '@cairn/domain/jobs/record'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { deliverTwice } from '@cairn/testing/deliver-twice'
import { failAlways, failOnce, withFaults } from '@cairn/testing/faults'
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
  const letters: DeadLetter[] = []
  const lines: string[] = []
  let made = 0
  const router = createMessageRouter({
    bus,
    log: createLogger({ level: 'debug', name: 'test', write: (line) => void lines.push(line) }),
    group: 'things',
    handlers: [],
    deadLetters: { insert: async (letter) => void letters.push(letter) },
    ids: { next: (prefix) => `${prefix}_${++made}` },
    clock: { now: () => 1_000, delay: () => delay(1) },
    ...rest,
  })
  onTestFinished(async () => {
    await router.stop()
    await bus.close()
  })
  return { bus, router, letters, lines }
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
  [
    'of unknown type',
    envelope('thing.melted', {}),
    'unknown_type: thing.melted',
    JSON.stringify(envelope('thing.melted', {})),
  ],
  [
    'with data against its schema',
    envelope(stored.type, { thingId: 'a', count: 'secret words' }),
    'invalid: count: Invalid input: expected number, received string',
    JSON.stringify(envelope(stored.type, { thingId: 'a', count: 'secret words' })),
  ],
  [
    'that calls itself unreadable',
    envelope('unreadable', { toString: 1 }),
    'unreadable',
    JSON.stringify(envelope('unreadable', { toString: 1 })),
  ],
  [
    'that is huge',
    envelope('thing.huge', 'x'.repeat(100_000)),
    'unknown_type: thing.huge',
    `${JSON.stringify(envelope('thing.huge', 'x'.repeat(100_000))).slice(0, 65_536)}… (${JSON.stringify(envelope('thing.huge', 'x'.repeat(100_000))).length} characters)`,
  ],
])('puts a message %s aside and goes on', async (_, message, reason, raw) => {
  const seen: string[] = []
  const { bus, router, letters, lines } = setUp({ handlers: [on(stored, ({ thingId }) => void seen.push(thingId))] })
  await router.start()
  await bus.publish(stored.topic, [message, envelope(stored.type, { thingId: 'good', count: 0 }, 'm-2')])
  await expect.poll(() => [letters.length, seen.length]).toEqual([1, 1])
  expect(letters).toEqual([
    { id: 'dead_1', topic: 'cairn.things', group: 'things', reason, raw, at: 1_000, replayedAt: null },
  ])
  expect(seen).toEqual(['good'])
  expect(lines.join('')).toContain('message dead-lettered')
  expect(lines.join('')).not.toContain('secret words')
})

it('waits with a message that nobody can handle for a store that is away', async () => {
  const letters: DeadLetter[] = []
  const store = { insert: async (letter: DeadLetter) => void letters.push(letter) }
  const { bus, router } = setUp({
    handlers: [on(stored, () => {})],
    deadLetters: withFaults(store, { insert: failOnce() }),
  })
  await router.start()
  await bus.publish(stored.topic, [envelope('thing.melted', {})])
  await expect.poll(() => letters).toHaveLength(1)
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

it('stops while the store that it waits for is away', async () => {
  const away = withFaults({ insert: async (_: DeadLetter) => undefined }, { insert: failAlways() })
  const { bus, router } = setUp({ handlers: [on(stored, () => {})], deadLetters: away })
  await router.start()
  await bus.publish(stored.topic, [envelope('thing.melted', {})])
  await delay(20)
  await router.stop()
})

it('puts aside what is nested too deep to be written as text', async () => {
  const letters: DeadLetter[] = []
  let deep: unknown = []
  for (let level = 0; level < 50_000; level += 1) deep = [deep]
  const handle: { current?: (message: Envelope) => Promise<void> } = {}
  const { router } = setUp({
    handlers: [on(stored, () => undefined)],
    deadLetters: { insert: async (letter) => void letters.push(letter) },
    wrap: (inner) => ({
      ...inner,
      subscribe: (from, own) => {
        handle.current = own
        return inner.subscribe(from, own)
      },
    }),
  })
  await router.start()
  await handle.current?.(envelope('thing.deep', deep))
  expect(letters).toMatchObject([
    { reason: 'unknown_type: thing.deep', raw: expect.stringMatching(/can't be written as text/) },
  ])
})

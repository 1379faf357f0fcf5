import type { Envelope } from '@cairn/contracts/events'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { publish } from './publish.ts'

const event = {
  type: 'thing.happened',
  topic: 'cairn.things',
  group: 'things',
  data: z.strictObject({ thingId: z.string().min(1) }),
}
const context = {
  key: 'thing-1',
  correlationId: 'request-1',
  ids: { next: (prefix: string) => `${prefix}_1` },
  clock: { now: () => Date.UTC(2026, 0, 2) },
}

const createSink = () => {
  const sent: { topic: string; messages: readonly Envelope[] }[] = []
  return {
    sent,
    bus: { publish: async (topic: string, messages: readonly Envelope[]) => void sent.push({ topic, messages }) },
  }
}

it('builds the envelope and puts it on the topic of the event', async () => {
  const { bus, sent } = createSink()
  await publish(bus, event, { thingId: 'thing-1' }, { ...context, traceparent: '00-a-b-01' })
  expect(sent).toEqual([
    {
      topic: 'cairn.things',
      messages: [
        {
          id: 'msg_1',
          type: 'thing.happened',
          key: 'thing-1',
          correlationId: 'request-1',
          occurredAt: '2026-01-02T00:00:00.000Z',
          traceparent: '00-a-b-01',
          data: { thingId: 'thing-1' },
        },
      ],
    },
  ])
})

it('leaves out a trace that there is not', async () => {
  const { bus, sent } = createSink()
  await publish(bus, event, { thingId: 'thing-1' }, { ...context, traceparent: null })
  expect(sent[0]?.messages[0]).not.toHaveProperty('traceparent')
})

it('refuses data that breaks the schema, and publishes nothing', async () => {
  const { bus, sent } = createSink()
  await expect(publish(bus, event, { thingId: '' }, context)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('thing.happened'),
  })
  expect(sent).toEqual([])
})

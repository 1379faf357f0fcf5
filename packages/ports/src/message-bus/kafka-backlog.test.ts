import type { Admin } from 'kafkajs'
import { expect, it } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { createKafkaBacklog } from './kafka-backlog.ts'

const now = 10_000_000

/** What brokers say of a topic with one message in partition 0, stored a minute ago, and 40 in partition 1, stored an hour ago. */
const brokers: Pick<Admin, 'fetchTopicOffsets' | 'fetchOffsets' | 'fetchTopicOffsetsByTimestamp'> = {
  fetchTopicOffsets: async () => [
    { partition: 0, offset: '1', high: '1', low: '0' },
    { partition: 1, offset: '40', high: '40', low: '0' },
  ],
  fetchOffsets: async () => [{ topic: 't', partitions: [0, 1].map((partition) => ({ partition, offset: '0', metadata: null })) }],
  fetchTopicOffsetsByTimestamp: async (_topic, time = 0) => [
    { partition: 0, offset: time > now - 60_000 ? '1' : '0' },
    { partition: 1, offset: time > now - 3_600_000 ? '40' : '0' },
  ],
}

const backlog = createKafkaBacklog({
  admin: { run: (use) => use(brokers as Admin), close: async () => undefined },
  clock: { ...systemClock(), now: () => now },
})

it('counts what the whole group has not handled', async () => {
  expect(await backlog('t', 'g', new Map())).toEqual({ messages: 41, oldestAgeMs: 3_600_000 })
})

it('counts only the partitions it is asked for, so that a full colleague is not taken for this process', async () => {
  expect(await backlog('t', 'g', new Map(), (partition) => partition === 0)).toEqual({ messages: 1, oldestAgeMs: 60_000 })
  expect(await backlog('t', 'g', new Map(), () => false)).toEqual({ messages: 0, oldestAgeMs: 0 })
})

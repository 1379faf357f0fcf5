import { randomUUID } from 'node:crypto'
import type { Envelope } from '@cairn/contracts/events'
import { eventually } from '@cairn/testing/eventually'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../clock/system.ts'
import { createKafkaAdmin } from '../kafka/admin.ts'
import { createKafkaTopics } from '../kafka/topics.ts'
import { type KafkaMessageBusOptions, kafkaMessageBus } from '../kafka.ts'

export const things = 'things'
export const from = { topic: things, group: 'g' }

export const message = (id: string, key = id): Envelope => ({
  id,
  type: 'thing.happened',
  key,
  correlationId: 'request-1',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: {},
})
export const numbered = (count: number, prefix = 'm') =>
  Array.from({ length: count }, (_, n) => message(`${prefix}-${n}`))
export const idsOf = (envelopes: readonly Envelope[]) => envelopes.map(({ id }) => id)

/** Waits long, because a group that loses a member is slow. */
export const until = (condition: () => boolean | Promise<boolean>) =>
  eventually(condition, (met) => met, { withinMs: 30_000, everyMs: 20 })

/** Topics with this prefix are deleted when the test ends. */
export const unusedPrefix = (brokers: readonly string[], topics: readonly string[]): string => {
  const prefix = `test-${randomUUID()}.`
  // A broker that keeps the topics of every run gets slower from run to run.
  onTestFinished(async () => {
    const admin = createKafkaAdmin({ connection: { brokers }, log: undefined, clock: systemClock(), timeoutMs: 10_000 })
    await admin.run((link) => link.deleteTopics({ topics: topics.map((topic) => prefix + topic) }))
    await admin.close()
  })
  return prefix
}

export const createTopics = async (
  brokers: readonly string[],
  topics: readonly string[],
  partitions: number,
): Promise<string> => {
  const prefix = unusedPrefix(brokers, topics)
  await createKafkaTopics({ connection: { brokers }, prefix, topics, partitions, replication: 1 })
  const admin = createKafkaAdmin({ connection: { brokers }, log: undefined, clock: systemClock(), timeoutMs: 10_000 })
  // This request succeeds once every partition has a leader; before that, a published batch may be repeated.
  for (const topic of topics) await admin.run((link) => link.fetchTopicOffsets(prefix + topic))
  await admin.close()
  return prefix
}

/** `open` creates buses, which are closed when the test ends. */
export const openPlace = async (brokers: readonly string[], partitions: number) => {
  const prefix = await createTopics(brokers, [things], partitions)
  const open = (options: Partial<KafkaMessageBusOptions> = {}) => {
    const bus = kafkaMessageBus({ connection: { brokers }, prefix, ...options })
    onTestFinished(() => bus.close())
    return bus
  }
  return { prefix, open }
}

import { setTimeout as pause } from 'node:timers/promises'
import { createKafka } from '@cairn/adapters/message-bus/kafka/client'
import { events } from '@cairn/contracts/events'
import { seededRandom } from '@cairn/testing/seeded-random'
import { forged, knownIdsOf, type RawMessage, rubbish } from './forgeries.ts'
import { positionOf } from './log-lines.ts'

/** Cap on remembered distinct messages; the oldest is forgotten first. */
const copiesKept = 20_000
const maxRepeats = 3
/**
 * Time for a group to become empty: the broker may be down, and a killed member stays in its group until its session
 * expires.
 */
const emptyWithinMs = 20_000
const closeWithinMs = 5_000

export type Messages = {
  /**
   * Sends up to `count` earlier messages again, up to three times each, in a different order. Resolves to the number
   * sent.
   */
  repeat(count: number, seed: number): Promise<number>
  /** Sends well-formed messages with false data. */
  forge(count: number, seed: number): Promise<number>
  /** Sends messages that no service can read. */
  rubbish(count: number, seed: number): Promise<number>
  /** Positions on the topics of the messages that no service can read, as `positionOf` writes them. */
  readonly rubbishAt: ReadonlySet<string>
  /**
   * Deletes the offsets of a service's groups, each as soon as it has no members; rejects when a group has members for
   * 20 s.
   */
  rewind(group: string): Promise<void>
  close(): Promise<void>
}

/** Records all messages between the services; sends them again, reordered or forged. */
export const openMessages = async ({
  broker,
  prefix,
}: {
  readonly broker: string
  readonly prefix: string
}): Promise<Messages> => {
  const kafka = createKafka({ brokers: [broker] }, undefined, {
    requestTimeoutMs: 10_000,
    retries: 5,
  })
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  const admin = kafka.admin()
  // Keeps retrying while the broker is down.
  const retry = { initialRetryTime: 200, maxRetryTime: 2_000, retries: 1_000 }
  const consumer = kafka.consumer({ groupId: `${prefix}chaos`, allowAutoTopicCreation: false, retry })
  const copies = new Map<string, RawMessage>()
  const rubbishAt = new Set<string>()

  await Promise.all([producer.connect(), admin.connect(), consumer.connect()])
  await consumer.subscribe({ topics: events.map(({ topic }) => prefix + topic), fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ topic: prefixed, partition, message: { key: rawKey, value, offset } }) => {
      const [topic, key] = [prefixed.slice(prefix.length), rawKey?.toString() ?? '']
      if (key.startsWith('rubbish-')) rubbishAt.add(positionOf({ topic, partition, offset }))
      if (value === null || /^(forged|rubbish)-/.test(key)) return
      copies.set(value.toString(), { topic, key, value })
      const [oldest] = copies.keys()
      if (copies.size > copiesKept && oldest !== undefined) copies.delete(oldest)
    },
  })

  const send = async (messages: readonly RawMessage[]): Promise<number> => {
    const topicMessages = [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, own]) => ({
      topic: prefix + topic,
      messages: own.map(({ key, value }) => ({ key, value })),
    }))
    if (messages.length > 0) await producer.sendBatch({ acks: -1, topicMessages })
    return messages.length
  }

  /** Resolves to the reason for a failure, or undefined on success. */
  const forget = async (groupId: string): Promise<string | undefined> => {
    try {
      const { groups } = await admin.describeGroups([groupId])
      const state = groups[0]?.state
      if (state === 'Dead') return undefined
      if (state !== 'Empty') return `its state is ${state}`
      await admin.deleteGroups([groupId])
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const forgetAtLast = async (groupId: string) => {
    for (const until = performance.now() + emptyWithinMs; ; await pause(500)) {
      const obstacle = await forget(groupId)
      if (obstacle === undefined) return
      if (performance.now() > until) throw new Error(`the group ${groupId} could not be made to forget: ${obstacle}`)
    }
  }

  return {
    repeat: (count, seed) => {
      const random = seededRandom(seed)
      const all = [...copies.values()]
      const chosen = Array.from({ length: Math.min(count, all.length) }, () => random.pick(all))
      return send(
        random.shuffle(chosen.flatMap((copy) => Array.from({ length: 1 + random.below(maxRepeats) }, () => copy))),
      )
    },
    forge: (count, seed) => send(forged(seededRandom(seed), knownIdsOf(copies.keys()), count)),
    rubbish: (count, seed) => send(rubbish(seededRandom(seed), count)),
    rubbishAt,
    rewind: async (group) => {
      for (const own of events.filter((one) => one.group === group))
        await forgetAtLast(`${prefix}${group}.${own.topic}`)
    },
    close: async () => {
      const closed = Promise.allSettled([consumer.disconnect(), producer.disconnect(), admin.disconnect()])
      await Promise.race([closed, pause(closeWithinMs, undefined, { ref: false })])
    },
  }
}

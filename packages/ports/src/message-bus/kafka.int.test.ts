import type { Envelope } from '@cairn/contracts/events'
import { describeWithEngine } from '@cairn/testing/engines'
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { from, idsOf, makeTopics, message, numbered, openPlace, things, until, unusedPrefix } from './contract/kafka-place.ts'
import { kafkaMessageBus, type Rebalance } from './kafka.ts'
import { makeKafkaTopics } from './kafka-topics.ts'
import { messageBusContract } from './port.contract.ts'

describeWithEngine('kafka', (kafka) => {
  const brokers = kafka('CAIRN_KAFKA_BROKERS').split(',')
  const connection = { brokers }
  const foreign = () => new Kafka({ brokers, logLevel: logLevel.NOTHING })

  const storeRaw = async (topic: string, key: string, raw: string) => {
    const producer = foreign().producer()
    await producer.connect()
    await producer.send({ topic, messages: [{ key, value: raw }] })
    await producer.disconnect()
  }

  messageBusContract({
    open: async () => {
      const prefix = await makeTopics(brokers, ['contract.orders', 'contract.other'], 6)
      return { connect: () => kafkaMessageBus({ connection, prefix }), storeRaw: (topic, key, raw) => storeRaw(prefix + topic, key, raw) }
    },
    lacks: {},
    withinMs: 15_000,
  })

  describe('progress of a group', () => {
    it('is kept message by message: after a restart only those come again that were not handled', async () => {
      const { open } = await openPlace(brokers, 1)
      const first = open()
      const isRejected = ({ id }: Envelope) => Number(id.split('-')[1]) % 7 === 0
      const before: string[] = []
      await first.subscribe(from, async (envelope) => {
        if (isRejected(envelope)) throw new Error('not now')
        before.push(envelope.id)
      })
      const sent = numbered(500)
      await first.publish(things, sent)
      await until(() => before.length === sent.filter((envelope) => !isRejected(envelope)).length)
      await first.close()

      const second = open()
      expect(await second.backlog(from)).toMatchObject({ messages: sent.filter(isRejected).length })
      const after: string[] = []
      await second.subscribe(from, async ({ id }) => void after.push(id))
      await second.publish(things, [message('last')])
      await until(() => after.includes('last'))
      await until(async () => (await second.backlog(from)).messages === 0)
      expect(after.toSorted()).toEqual([...idsOf(sent.filter(isRejected)), 'last'].toSorted())
    })

    it('tells the age of the oldest message of a group that lags and has no members, and of one that never had any', async () => {
      const { open } = await openPlace(brokers, 3)
      const bus = open()
      await bus.publish(things, numbered(20, 'handled'))
      let handled = 0
      const subscription = await bus.subscribe(from, async () => void handled++)
      await until(() => handled === 20)
      await subscription.close()
      const beforeLagging = Date.now()
      await bus.publish(things, [message('lagging')])
      const afterLagging = Date.now()
      await until(async () => (await bus.backlog(from)).oldestAgeMs >= 1_500)
      await bus.publish(things, numbered(5, 'young'))

      // Of a new bus, which has not fetched anything and looked nothing up yet.
      const other = open()
      const asked = Date.now()
      const { messages, oldestAgeMs } = await other.backlog(from)
      expect(messages).toBe(6)
      expect(oldestAgeMs).toBeGreaterThanOrEqual(asked - afterLagging - 5)
      expect(oldestAgeMs).toBeLessThanOrEqual(Date.now() - beforeLagging + 5)
      const never = await other.backlog({ topic: things, group: 'never' })
      expect(never.messages).toBe(26)
      expect(never.oldestAgeMs).toBeGreaterThan(oldestAgeMs)
    })

    it('goes on in order when far more messages wait than a member holds', async () => {
      const { open } = await openPlace(brokers, 1)
      const bus = open({ bufferedPerPartition: 100 })
      await bus.publish(
        things,
        Array.from({ length: 1_000 }, (_, n) => message(`m-${n}`, `key-${n % 3}`)),
      )
      const handled: Envelope[] = []
      let isOpen = false
      const gate = Promise.withResolvers<void>()
      await bus.subscribe(from, async (envelope) => void handled.push(envelope), {
        whenReady: () => (isOpen ? Promise.resolve() : gate.promise),
      })
      await until(async () => (await bus.backlog(from)).messages === 1_000)
      expect(handled).toEqual([])
      isOpen = true
      gate.resolve()
      await until(() => handled.length >= 1_000)
      expect(new Set(idsOf(handled)).size).toBe(1_000)
      const ofOne = handled.filter(({ key }) => key === 'key-1').map(({ id }) => Number(id.split('-')[1]))
      expect(ofOne).toEqual(ofOne.toSorted((left, right) => left - right))
    })
  })

  describe('members of a group', () => {
    it('tell what waits on their own partitions from what waits for a colleague who is full', async () => {
      const { open } = await openPlace(brokers, 2)
      const dealt: (readonly number[])[] = []
      const [healthy, full] = [open(), open({ onRebalance: ({ partitions }) => void dealt.push(partitions) })]
      await healthy.subscribe(from, async () => undefined)
      const never = new Promise<void>(() => undefined)
      await full.subscribe(from, async () => undefined, { whenReady: () => never })
      await until(() => dealt.at(-1)?.length === 1)
      await healthy.publish(things, numbered(40, 'shared'))
      await until(async () => (await healthy.backlog(from, { assigned: true })).messages === 0)
      const waiting = (await healthy.backlog(from)).messages
      expect(waiting).toBeGreaterThan(0)
      expect((await full.backlog(from, { assigned: true })).messages).toBe(waiting)
    })

    it('take partitions over from each other, and nothing is lost or handled twice in a calm moment', async () => {
      const { open } = await openPlace(brokers, 6)
      const rebalances: Rebalance[] = []
      const onRebalance = (rebalance: Rebalance) => void rebalances.push(rebalance)
      const [first, second] = [open({ onRebalance }), open({ onRebalance })]
      const got = { first: [] as string[], second: [] as string[] }
      await first.subscribe(from, async ({ id }) => void got.first.push(id))
      await first.publish(things, numbered(100, 'alone'))
      await until(async () => got.first.length === 100 && (await first.backlog(from)).messages === 0)

      await second.subscribe(from, async ({ id }) => void got.second.push(id))
      await first.publish(things, numbered(60, 'both'))
      await until(() => got.first.length + got.second.length >= 160)
      expect(got.second.length).toBeGreaterThan(0)
      expect(got.first.length).toBeGreaterThan(100)
      expect(rebalances.at(-1)).toMatchObject({ ...from, partitions: expect.toSatisfy((dealt: number[]) => dealt.length === 3) })

      await first.close()
      await second.publish(things, numbered(60, 'left'))
      await until(() => got.first.length + got.second.length >= 220)
      expect(got.second.filter((id) => id.startsWith('left'))).toHaveLength(60)
      expect(got.first.length + got.second.length).toBe(220)
    })

    it('come and go while messages stream, and every message is handled', async () => {
      const { open } = await openPlace(brokers, 6)
      const publisher = open()
      const handled = new Set<string>()
      const join = () => open().subscribe(from, async ({ id }) => void handled.add(id))
      const sent: string[] = []
      let isStreaming = true
      const stream = (async () => {
        while (isStreaming) {
          const batch = numbered(10, `s${sent.length}`)
          await publisher.publish(things, batch)
          sent.push(...idsOf(batch))
        }
      })()
      const [one, two] = [await join(), await join()]
      await one.close()
      await join()
      await two.close()
      isStreaming = false
      await stream
      await until(() => handled.size === sent.length)
      await until(async () => (await publisher.backlog(from)).messages === 0)
    })
  })

  describe('topics', () => {
    it('are named when they are missing, with what makes them', async () => {
      const { prefix, open } = await openPlace(brokers, 1)
      const bus = open()
      const refusal = { code: 'unavailable', message: expect.stringMatching(`no topic ${prefix}nowhere: .*npm run`) }
      await expect(bus.publish('nowhere', [message('a')])).rejects.toMatchObject(refusal)
      await expect(bus.subscribe({ topic: 'nowhere', group: 'g' }, async () => {})).rejects.toMatchObject(refusal)
      await expect(bus.backlog({ topic: 'nowhere', group: 'g' })).rejects.toMatchObject(refusal)
      await expect(bus.requireTopics([things, 'nowhere', 'nor-this'])).rejects.toThrow(`${prefix}nowhere, ${prefix}nor-this`)
      await expect(bus.requireTopics([things])).resolves.toBeUndefined()
    })

    it('are made once, by one or by several at the same time, and kept as they are', async () => {
      const prefix = unusedPrefix(brokers, ['one', 'two', 'three'])
      const wanted = { connection, prefix, topics: ['one', 'two'], partitions: 2, replication: 1 }
      const made = await Promise.all([makeKafkaTopics(wanted), makeKafkaTopics(wanted)])
      expect(made.some((result) => result.made.length === 2)).toBe(true)
      expect(await makeKafkaTopics(wanted)).toEqual({ made: [] })
      expect(await makeKafkaTopics({ ...wanted, partitions: 1, topics: ['one', 'two', 'three'] })).toEqual({ made: [`${prefix}three`] })
      await expect(makeKafkaTopics({ ...wanted, partitions: 3 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`${prefix}one has 2 partitions, 3 are wanted`),
      })
      await expect(makeKafkaTopics({ ...wanted, replication: 2 })).rejects.toThrow(`${prefix}two has 1 copies of a message, 2 are wanted`)
    })
  })

  describe('record', () => {
    it('carries the request id and the trace as headers', async () => {
      const { prefix, open } = await openPlace(brokers, 1)
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      await open().publish(things, [{ ...message('traced'), traceparent, tracestate: 'vendor=1' }, message('plain')])
      const records: KafkaMessage[] = []
      const consumer = foreign().consumer({ groupId: `${prefix}foreign`, maxWaitTimeInMs: 100 })
      onTestFinished(() => consumer.disconnect())
      await consumer.connect()
      await consumer.subscribe({ topics: [prefix + things], fromBeginning: true })
      await consumer.run({ eachMessage: async ({ message: record }) => void records.push(record) })
      await until(() => records.length === 2)
      const headers = records.map((record) => Object.entries(record.headers ?? {}).map(([name, value]) => [name, String(value)]))
      expect(headers).toEqual([
        [
          ['x-request-id', 'request-1'],
          ['traceparent', traceparent],
          ['tracestate', 'vendor=1'],
        ],
        [['x-request-id', 'request-1']],
      ])
      expect(records.map(({ key }) => String(key))).toEqual(['traced', 'plain'])
    })

    it('that is too large fails alone', async () => {
      const { open } = await openPlace(brokers, 1)
      const bus = open()
      const large = { ...message('large'), data: 'x'.repeat(2_000_000) }
      const both = await Promise.allSettled([
        bus.publish(things, [message('a')]),
        bus.publish(things, [large]),
        bus.publish(things, [message('b')]),
      ])
      expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'internal' } }, { status: 'fulfilled' }])
      expect(await bus.backlog(from)).toMatchObject({ messages: 2 })
    })
  })
})

import type { Envelope } from '@cairn/contracts/events'
import { describeWithEngine } from '@cairn/testing/engines'
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createTopics,
  from,
  idsOf,
  message,
  numbered,
  openPlace,
  things,
  until,
  unusedPrefix,
} from './contract/kafka-place.fixture.ts'
import { createKafkaTopics } from './kafka/topics.ts'
import { kafkaMessageBus, type Rebalance } from './kafka.ts'
import { messageBusContract } from './port.contract.ts'

describeWithEngine('kafka', (kafka) => {
  const brokers = kafka('CAIRN_KAFKA_BROKERS').split(',')
  const connection = { brokers }
  const foreign = () => new Kafka({ brokers, logLevel: logLevel.NOTHING })

  messageBusContract({
    open: async () => {
      const prefix = await createTopics(brokers, ['contract.orders', 'contract.other'], 6)
      return { connect: (log) => kafkaMessageBus({ connection, prefix, ...(log ? { log } : {}) }) }
    },
    withinMs: 15_000,
  })

  describe('group', () => {
    it('receives messages published before it had a member, and after a restart only new ones', async () => {
      const { open } = await openPlace(brokers, 3)
      const first = open()
      await first.publish(things, numbered(20, 'early'))
      const before: string[] = []
      first.subscribe(from, async ({ id }) => void before.push(id))
      await until(() => before.length === 20)
      await first.close()

      const second = open()
      await second.publish(things, [message('last')])
      const after: string[] = []
      second.subscribe(from, async ({ id }) => void after.push(id))
      await until(() => after.includes('last'))
      expect(after).toEqual(['last'])
    })

    it('continues after a message whose handler rejects, also after a restart', async () => {
      const { open } = await openPlace(brokers, 1)
      const first = open()
      const before: string[] = []
      first.subscribe(from, async ({ id }) => {
        before.push(id)
        throw new Error('never')
      })
      await first.publish(things, numbered(5, 'bad'))
      await until(() => before.length === 5)
      await first.close()
      const second = open()
      const after: string[] = []
      second.subscribe(from, async ({ id }) => void after.push(id))
      await second.publish(things, [message('good')])
      await until(() => after.includes('good'))
      expect(after).toEqual(['good'])
    })

    it('keeps a member whose handler waits for longer than a session lasts', async () => {
      const { open } = await openPlace(brokers, 1)
      const rebalances: Rebalance[] = []
      const [sessionTimeoutMs, handlerMs] = [6_000, 8_000]
      const bus = open({
        sessionTimeoutMs,
        heartbeatMs: 300,
        onRebalance: (rebalance) => void rebalances.push(rebalance),
      })
      const released = Promise.withResolvers<void>()
      const handled: string[] = []
      bus.subscribe(from, async ({ id }) => {
        if (id === 'slow') await released.promise
        handled.push(id)
      })
      await bus.publish(things, [message('slow'), message('next')])
      // Longer than the session timeout, so that the broker could expire the session.
      setTimeout(released.resolve, handlerMs)
      await until(() => handled.length >= 2)
      expect(handled).toEqual(['slow', 'next'])
      expect(rebalances).toHaveLength(1)
    })

    it('rebalances when members join and leave, and handles every message', async () => {
      const { open } = await openPlace(brokers, 6)
      const rebalances: Rebalance[] = []
      const publisher = open()
      const handled = new Set<string>()
      const join = () => {
        const bus = open({ onRebalance: (rebalance) => void rebalances.push(rebalance) })
        return bus.subscribe(from, async ({ id }) => void handled.add(id))
      }
      const sent: string[] = []
      const stream = async (prefix: string) => {
        const batch = numbered(60, prefix)
        await publisher.publish(things, batch)
        sent.push(...idsOf(batch))
      }
      const one = join()
      await stream('one')
      await until(() => rebalances.some(({ partitions }) => partitions.length === 6))
      const two = join()
      await until(() => rebalances.filter(({ partitions }) => partitions.length === 3).length >= 2)
      await stream('both')
      await one.close()
      await stream('left')
      await until(() => sent.every((id) => handled.has(id)))
      await until(() => rebalances.at(-1)?.partitions.length === 6)
      expect(rebalances.at(-1)).toMatchObject(from)
      await two.close()
    })
  })

  describe('topics', () => {
    it('are named with the remedy when they are missing, and are usable once created', async () => {
      const { prefix, open } = await openPlace(brokers, 1)
      const bus = open()
      const refusal = { code: 'unavailable', message: expect.stringMatching(`no topic ${prefix}nowhere: .*npm run`) }
      await expect(bus.check('nowhere')).rejects.toMatchObject(refusal)
      await expect(bus.publish('nowhere', [message('a')])).rejects.toMatchObject({ code: 'unavailable' })
      await expect(bus.check(things)).resolves.toBeUndefined()
      const late = unusedPrefix(brokers, ['late'])
      const early = kafkaMessageBus({ connection, prefix: late })
      onTestFinished(() => early.close())
      const handled: string[] = []
      early.subscribe({ topic: 'late', group: 'g' }, async ({ id }) => void handled.push(id))
      await createKafkaTopics({ connection, prefix: late, topics: ['late'], partitions: 1, replication: 1 })
      await early.publish('late', [message('b')])
      await until(() => handled.includes('b'))
    })

    it('are created once, also by concurrent calls, and not changed', async () => {
      const prefix = unusedPrefix(brokers, ['one', 'two', 'three'])
      const wanted = { connection, prefix, topics: ['one', 'two'], partitions: 2, replication: 1 }
      const made = await Promise.all([createKafkaTopics(wanted), createKafkaTopics(wanted)])
      expect(made.some((result) => result.created.length === 2)).toBe(true)
      expect(await createKafkaTopics(wanted)).toEqual({ created: [] })
      expect(await createKafkaTopics({ ...wanted, partitions: 1, topics: ['one', 'two', 'three'] })).toEqual({
        created: [`${prefix}three`],
      })
      await expect(createKafkaTopics({ ...wanted, partitions: 3 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`${prefix}one has 2 partitions, 3 are required`),
      })
      await expect(createKafkaTopics({ ...wanted, replication: 2 })).rejects.toThrow(
        `${prefix}two has 1 copies of a message, 2 are required`,
      )
    })
  })

  it.each(['{"id": cut o', '42', '{"id":"1","type":"thing.happened"}', ''])(
    'delivers a record that is no envelope as unreadable (%j)',
    async (raw) => {
      const { prefix, open } = await openPlace(brokers, 1)
      const handled: Envelope[] = []
      const positions: unknown[] = []
      open().subscribe(from, async (envelope, position) => {
        positions.push(position)
        handled.push(envelope)
      })
      const producer = foreign().producer()
      await producer.connect()
      await producer.send({ topic: prefix + things, messages: [{ key: 'a', value: raw }] })
      await producer.disconnect()
      await until(() => handled.length === 1)
      expect(positions).toEqual([{ partition: 0, offset: '0' }])
      expect(handled).toMatchObject([{ type: 'unreadable', data: raw, id: expect.any(String), correlationId: '' }])
    },
  )

  it('carries the request id and the trace as headers of the record', async () => {
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
    const headers = records.map((record) =>
      Object.entries(record.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
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
})

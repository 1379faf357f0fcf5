import { randomUUID } from 'node:crypto'
import { describeWithEngine } from '@cairn/testing/engines'
import { describe, expect, it, onTestFinished } from 'vitest'
import { int32, openLink, replaced } from './contract/broken-link.ts'
import { from, message, numbered, openPlace, things, until } from './contract/kafka-place.ts'
import { kafkaMessageBus } from './kafka.ts'

describeWithEngine('kafka', (kafka) => {
  const brokers = kafka('CAIRN_KAFKA_BROKERS').split(',')
  const openFarPlace = async (partitions: number) => ({ ...(await openPlace(brokers, partitions)), link: await openLink(brokers[0] ?? '') })

  describe('full pool of a service', () => {
    it("keeps its partitions from being fetched, and nobody else's", async () => {
      const { open, link } = await openFarPlace(2)
      const [far, near] = [open({ connection: { brokers: [link.address] } }), open()]
      const room = Promise.withResolvers<void>()
      const got = { full: [] as string[], free: [] as string[] }
      await far.subscribe(from, async ({ data }) => void got.full.push(String(data)), { whenReady: () => room.promise })
      await far.subscribe({ ...from, group: 'free' }, async ({ data }) => void got.free.push(String(data)))

      // Both groups read over the link, so what is fetched for both is seen twice.
      const sent: string[] = []
      const publishOne = async () => {
        const data = `body-${randomUUID()}`
        sent.push(data)
        await near.publish(things, [{ ...message(data.slice(5, 9)), data }])
        await until(() => got.free.includes(data))
      }
      const isOnlyForFree = (data: string) => link.answered(data) === 1
      await publishOne()
      await until(async () => {
        await publishOne()
        return sent.length > 5 && sent.slice(-5).every(isOnlyForFree)
      })
      for (let n = 0; n < 3; n++) await publishOne()
      expect(sent.slice(-3).every(isOnlyForFree)).toBe(true)
      expect(got.full).toEqual([])

      room.resolve()
      await until(() => got.full.length === sent.length)
      expect(new Set(got.full)).toEqual(new Set(sent))
    })
  })

  describe('member of a group', () => {
    it('leaves its messages to others while its link is gone, and comes back when it is there again', async () => {
      const { open, link } = await openFarPlace(4)
      const times = { sessionTimeoutMs: 6_000, heartbeatMs: 300 }
      const far = open({ ...times, connection: { brokers: [link.address] } })
      const near = open(times)
      const got = { far: new Set<string>(), near: new Set<string>() }
      await far.subscribe(from, async ({ id }) => void got.far.add(id))
      await near.subscribe(from, async ({ id }) => void got.near.add(id))
      await near.publish(things, numbered(40, 'calm'))
      await until(() => got.far.size + got.near.size === 40)
      expect(got.far.size).toBeGreaterThan(0)

      link.cut()
      await near.publish(things, numbered(40, 'cut'))
      await until(() => [...got.near].filter((id) => id.startsWith('cut')).length === 40)
      link.restore()
      await until(async () => {
        await near.publish(things, numbered(8, `back${got.far.size}-${got.near.size}`))
        return [...got.far].some((id) => id.startsWith('back'))
      })
      await until(async () => (await near.backlog(from)).messages === 0)
    })

    it('ends the process, and does not start again, when the brokers refuse it for good', async () => {
      const { open, link } = await openFarPlace(2)
      const fatal: Error[] = []
      // A time-out no broker grants: the refusal is one that repeating does not help.
      const [granted, refused] = [Buffer.concat([int32(29_000), int32(14_000)]), Buffer.concat([int32(1), int32(14_000)])]
      const times = { sessionTimeoutMs: 29_000, rebalanceTimeoutMs: 14_000 }
      const bus = open({ ...times, connection: { brokers: [link.address] }, onFatal: (error) => fatal.push(error) })
      await bus.subscribe(from, async () => {})
      link.rewriteRequests((chunk) => replaced(chunk, granted, refused))
      await open().subscribe(from, async () => {})
      await until(() => fatal.length > 0)
      expect(fatal[0]?.message).toContain('session timeout')
    })
  })

  describe('link to the brokers', () => {
    it.each(['cut', 'silence'] as const)(
      'makes publish reject in time while it is out of order, and works again after a %s',
      async (fault) => {
        const { open, link } = await openFarPlace(3)
        const bus = open({ connection: { brokers: [link.address] }, publishTimeoutMs: 1_500 })
        const handled = new Set<string>()
        await bus.subscribe(from, async ({ id }) => void handled.add(id))
        await bus.publish(things, [message('before')])
        await until(() => handled.has('before'))

        link[fault]()
        const began = performance.now()
        await expect(bus.publish(things, [message('during')])).rejects.toMatchObject({ code: 'unavailable' })
        expect(performance.now() - began).toBeLessThan(10_000)
        await expect(bus.backlog(from)).rejects.toMatchObject({ code: 'unavailable' })
        link.restore()
        const [published, failed] = [() => true, () => false]
        await until(() => bus.publish(things, [message('after')]).then(published, failed))
        await until(() => handled.has('after'))
      },
    )

    it('loses no message that was acknowledged, also when the answer to one before it was lost', async () => {
      const { open, link } = await openFarPlace(1)
      const bus = open({ connection: { brokers: [link.address] } })
      const witness = open()
      const stored = async () => (await witness.backlog(from)).messages
      const acknowledged: string[] = []
      const publish = (id: string) => bus.publish(things, [message(id)]).then(() => acknowledged.push(id))
      for (let round = 0; round < 4; round++) {
        await publish(`calm-${round}`)
        const before = await stored()
        link.silence()
        const first = publish(`first-${round}`)
        await until(async () => (await stored()) > before)
        const second = publish(`second-${round}`)
        link.restore()
        await Promise.all([first, second])
      }
      const delivered = new Set<string>()
      await witness.subscribe(from, async ({ id }) => void delivered.add(id))
      await until(() => acknowledged.every((id) => delivered.has(id)))
      expect(acknowledged).toHaveLength(12)
    })

    it('is unavailable where there is no broker', async () => {
      const bus = kafkaMessageBus({ connection: { brokers: ['127.0.0.1:1'] }, publishTimeoutMs: 500 })
      onTestFinished(() => bus.close())
      const began = performance.now()
      await expect(bus.publish(things, [message('a')])).rejects.toMatchObject({ code: 'unavailable' })
      expect(performance.now() - began).toBeLessThan(8_000)
      await expect(bus.subscribe(from, async () => {})).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
})

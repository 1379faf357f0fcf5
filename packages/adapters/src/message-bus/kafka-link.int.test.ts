import { describeWithEngine } from '@cairn/testing/engines'
import { describe, expect, it, onTestFinished } from 'vitest'
import { int32, openLink, replaced } from './contract/broken-link.fixture.ts'
import { from, message, numbered, openPlace, things, until } from './contract/kafka-place.fixture.ts'
import { kafkaMessageBus } from './kafka.ts'

describeWithEngine('kafka', (kafka) => {
  const brokers = kafka('CAIRN_KAFKA_BROKERS').split(',')
  const openFarPlace = async (partitions: number) => ({
    ...(await openPlace(brokers, partitions)),
    link: await openLink(brokers[0] ?? ''),
  })

  describe('member of a group', () => {
    it('loses its partitions while its link is down, and rejoins when it is back', async () => {
      const { open, link } = await openFarPlace(4)
      const times = { sessionTimeoutMs: 6_000, heartbeatMs: 300 }
      const far = open({ ...times, connection: { brokers: [link.address] } })
      const near = open(times)
      const got = { far: new Set<string>(), near: new Set<string>() }
      far.subscribe(from, async ({ id }) => void got.far.add(id))
      near.subscribe(from, async ({ id }) => void got.near.add(id))
      await until(async () => {
        await near.publish(things, numbered(8, `calm${got.far.size}-${got.near.size}`))
        return got.far.size > 0 && got.near.size > 0
      })

      link.cut()
      await near.publish(things, numbered(40, 'cut'))
      await until(() => [...got.near].filter((id) => id.startsWith('cut')).length === 40)
      link.restore()
      await until(async () => {
        await near.publish(things, numbered(8, `back${got.far.size}-${got.near.size}`))
        return [...got.far].some((id) => id.startsWith('back'))
      })
    })

    it('logs each rejection by the brokers, and joins once they accept it', async () => {
      const { open, link } = await openFarPlace(2)
      const warned: object[] = []
      // The proxy changes the session timeout to 1 ms, which no broker accepts, so retries do not help.
      const [granted, refused] = [
        Buffer.concat([int32(29_000), int32(14_000)]),
        Buffer.concat([int32(1), int32(14_000)]),
      ]
      const times = { sessionTimeoutMs: 29_000, rebalanceTimeoutMs: 14_000 }
      const log = {
        warn: (fields: object, text: string) =>
          void (text.startsWith('message consumer stopped') && warned.push(fields)),
      }
      link.rewriteRequests((chunk) => replaced(chunk, granted, refused))
      const bus = open({ ...times, connection: { brokers: [link.address] }, log })
      const handled: string[] = []
      bus.subscribe(from, async ({ id }) => void handled.push(id))
      await until(() => warned.length > 1)
      expect(warned[0]).toMatchObject({
        topic: expect.stringContaining(things),
        err: { message: expect.stringContaining('session timeout') },
      })
      link.rewriteRequests((chunk) => chunk)
      await open().publish(things, [message('a')])
      await until(() => handled.includes('a'))
    })
  })

  describe('link to the brokers', () => {
    it.each(['cut', 'silence'] as const)(
      'makes publish and check reject in time while it is out of order, and works again after a %s',
      async (fault) => {
        const { open, link } = await openFarPlace(3)
        const bus = open({ connection: { brokers: [link.address] }, publishTimeoutMs: 1_500 })
        const handled = new Set<string>()
        bus.subscribe(from, async ({ id }) => void handled.add(id))
        await bus.publish(things, [message('before')])
        await until(() => handled.has('before'))

        link[fault]()
        const began = performance.now()
        await expect(bus.publish(things, [message('during')])).rejects.toMatchObject({ code: 'unavailable' })
        expect(performance.now() - began).toBeLessThan(10_000)
        await expect(bus.check(things)).rejects.toMatchObject({ code: 'unavailable' })
        link.restore()
        const [published, failed] = [() => true, () => false]
        await until(() => bus.publish(things, [message('after')]).then(published, failed))
        await until(() => handled.has('after'))
      },
    )

    it('is unavailable without a broker, and subscriptions can be closed', async () => {
      const bus = kafkaMessageBus({ connection: { brokers: ['127.0.0.1:1'] }, publishTimeoutMs: 500 })
      onTestFinished(() => bus.close())
      const began = performance.now()
      await expect(bus.publish(things, [message('a')])).rejects.toMatchObject({ code: 'unavailable' })
      expect(performance.now() - began).toBeLessThan(8_000)
      await expect(bus.check(things)).rejects.toMatchObject({ code: 'unavailable' })
      const subscription = bus.subscribe(from, async () => {})
      await subscription.close()
      expect(performance.now() - began).toBeLessThan(20_000)
    })
  })
})

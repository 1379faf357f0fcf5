import type { Envelope } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { eventually } from '@cairn/testing/eventually'
import { afterEach, describe, expect, it } from 'vitest'

type Warn = (fields: object, message: string) => void

/** New, empty place for messages. */
type BusFixture = {
  connect(log?: { readonly warn: Warn }): MessageBus
}

export type MessageBusContract = {
  /** Called within each test. */
  readonly open: () => BusFixture | Promise<BusFixture>
  /** Time limit of a delivery in milliseconds. Default: 5,000. */
  readonly withinMs?: number
}

const orders = 'contract.orders'
const other = 'contract.other'

const message = (id: string, data: unknown = {}): Envelope => ({
  id,
  type: 'thing.happened',
  key: id,
  correlationId: 'request-1',
  occurredAt: '2026-01-02T03:04:05.678Z',
  data,
})

const messages = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => message(`${prefix}-${index}`))
/** Returns each id once: a message may be delivered more than once. */
const idsOf = (envelopes: readonly Envelope[]) => [...new Set(envelopes.map(({ id }) => id))].toSorted()

/** Creates a handler that collects its messages; `before` may wait or reject. */
const createCollector = (before: (envelope: Envelope) => unknown = () => undefined) => {
  const started: Envelope[] = []
  const handled: Envelope[] = []
  return {
    started,
    handled,
    handle: async (envelope: Envelope) => {
      started.push(envelope)
      await before(envelope)
      handled.push(envelope)
    },
  }
}

/** Contract of every message bus that is healthy, whatever its engine. */
export const messageBusContract = ({ open, withinMs = 5_000 }: MessageBusContract): void => {
  const buses: MessageBus[] = []
  const connect = (fixture: BusFixture, log?: { readonly warn: Warn }) => {
    const bus = fixture.connect(log)
    buses.push(bus)
    return bus
  }
  const openOne = async () => connect(await open())
  const until = (condition: () => boolean | Promise<boolean>) => eventually(condition, (met) => met, { withinMs })
  const from = (group: string, topic = orders) => ({ topic, group })

  describe('message bus', () => {
    afterEach(async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()))
    })

    it('delivers published messages unchanged', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector()
      bus.subscribe(from('g'), handle)
      const sent = {
        ...message('a', { list: [1, { deep: null }], text: 'ü' }),
        traceparent: '00-1-2-01',
        tracestate: 'v=1',
      }
      await bus.publish(orders, [sent])
      await until(() => handled.length === 1)
      expect(handled).toEqual([sent])
    })

    it('delivers every message to every group, and keeps topics apart', async () => {
      const bus = await openOne()
      const [one, two, elsewhere] = [createCollector(), createCollector(), createCollector()]
      bus.subscribe(from('one'), one.handle)
      bus.subscribe(from('two'), two.handle)
      bus.subscribe(from('one', other), elsewhere.handle)
      await bus.publish(orders, messages('a', 10))
      await bus.publish(other, [message('b')])
      const delivered = () => [one, two, elsewhere].map(({ handled }) => idsOf(handled))
      await until(() => delivered().flat().length === 21)
      expect(delivered()).toEqual([idsOf(messages('a', 10)), idsOf(messages('a', 10)), ['b']])
    })

    it('shares the messages among the members of a group', async () => {
      const bus = await openOne()
      const seen: string[] = []
      const members = [createCollector(({ id }) => seen.push(id)), createCollector(({ id }) => seen.push(id))]
      for (const { handle } of members) bus.subscribe(from('g'), handle)
      const sent = new Set<string>()
      const isShared = () => members.every(({ handled }) => handled.length > 0)
      // Publishes until each member has handled a message, because a member may join after the first messages.
      await until(async () => {
        const some = messages(`round-${sent.size}`, 20)
        await bus.publish(orders, some)
        for (const { id } of some) sent.add(id)
        await until(() => [...sent].every((id) => seen.includes(id)))
        return isShared()
      })
    })

    it('accepts many messages at once', async () => {
      const bus = await openOne()
      const seen = new Set<string>()
      bus.subscribe(from('g'), async ({ id }) => void seen.add(id))
      await bus.publish(orders, messages('m', 3_000))
      await until(() => seen.size === 3_000)
    })

    it('logs a handler that rejects, does not repeat its message, and continues', async () => {
      const warned: [object, string][] = []
      const bus = connect(await open(), { warn: (fields, text) => void warned.push([fields, text]) })
      const { started, handled, handle } = createCollector(({ id }) => {
        if (id === 'bad') throw new Error('not now')
      })
      bus.subscribe(from('g'), handle)
      await bus.publish(orders, [message('bad')])
      await until(() => started.length === 1)
      await bus.publish(orders, messages('good', 3))
      await until(() => idsOf(handled).length === 3)
      expect(idsOf(started)).toEqual(['bad', ...idsOf(messages('good', 3))])
      const [fields] = warned.find(([, text]) => text === 'message handler failed') ?? []
      expect(fields).toMatchObject({ type: 'thing.happened', messageId: 'bad', err: { message: 'not now' } })
    })

    it('waits for the running handler when closed', async () => {
      const bus = await openOne()
      const running = Promise.withResolvers<void>()
      const { started, handled, handle } = createCollector(() => running.promise)
      const subscription = bus.subscribe(from('g'), handle)
      await bus.publish(orders, [message('a')])
      await until(() => started.length === 1)
      const closed = subscription.close().then(() => handled.length)
      running.resolve()
      expect(await closed).toBe(1)
    })

    it('delivers nothing to a closed subscription', async () => {
      const bus = await openOne()
      const [gone, stays] = [createCollector(), createCollector()]
      const subscription = bus.subscribe(from('g'), gone.handle)
      bus.subscribe(from('other'), stays.handle)
      await bus.publish(orders, [message('a')])
      await until(() => gone.handled.length > 0 && stays.handled.length > 0)
      await subscription.close()
      await subscription.close()
      await bus.publish(orders, [message('b')])
      await until(() => idsOf(stays.handled).length === 2)
      expect(idsOf(gone.handled)).toEqual(['a'])
    })

    it('answers a check', async () => {
      const bus = await openOne()
      await expect(bus.check(orders)).resolves.toBeUndefined()
      await bus.close()
      await expect(bus.check(orders)).rejects.toMatchObject({ code: 'unavailable' })
    })

    it('can be closed twice, and rejects calls afterwards', async () => {
      const bus = await openOne()
      await bus.publish(orders, [message('a')])
      await Promise.all([bus.close(), bus.close()])
      await bus.close()
      await expect(bus.publish(orders, [message('b')])).rejects.toMatchObject({ code: 'unavailable' })
      expect(() => bus.subscribe(from('g'), async () => {})).toThrow(expect.objectContaining({ code: 'unavailable' }))
    })

    it('can be closed before its first use, and while a member is joining', async () => {
      await (await openOne()).close()
      const bus = await openOne()
      bus.subscribe(from('g'), async () => {})
      await bus.close()
    })
  })
}

import type { Envelope } from '@cairn/contracts/events'
import { eventually } from '@cairn/testing/eventually'
import { afterEach, describe, expect, it } from 'vitest'
import type { MessageBus } from './port.ts'

/** A fresh, empty place for messages. */
type BusFixture = {
  /** Another bus on the same place: what a restarted process opens. */
  connect(): MessageBus
  /** Stores text that is no envelope, as a foreign publisher would. */
  storeRaw(topic: string, key: string, raw: string): Promise<void>
}

type Behaviour =
  | 'order'
  | 'groups'
  | 'redelivery'
  | 'restart'
  | 'closing'
  | 'lateGroup'
  | 'pausing'
  | 'backlog'
  | 'unreadable'
  | 'poison'
  | 'many'
  | 'clones'

export type MessageBusContract = {
  /** Called within each test. */
  readonly open: () => BusFixture | Promise<BusFixture>
  /** Behaviours the adapter can't have, each with the reason, which is printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
  /** How long a delivery may take. Default: 5,000. */
  readonly withinMs?: number
}

const orders = 'contract.orders'
const other = 'contract.other'

const message = (key: string, n: number, data: unknown = { n }): Envelope => ({
  id: `${key}-${n}`,
  type: 'thing.happened',
  key,
  correlationId: `request-${n}`,
  occurredAt: '2026-01-02T03:04:05.678Z',
  data,
})

const messages = (key: string, count: number) => Array.from({ length: count }, (_, index) => message(key, index))
const idsOf = (envelopes: readonly Envelope[]) => envelopes.map(({ id }) => id)
const ofKey = (envelopes: readonly Envelope[], key: string) => idsOf(envelopes.filter((envelope) => envelope.key === key))
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Something to wait for and its switch. */
const createSwitch = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: () => resolve() }
}

/** A handler that keeps what it got; `before` may wait or reject. */
const createCollector = (before: (envelope: Envelope, earlier: number) => unknown = () => undefined) => {
  const started: Envelope[] = []
  const handled: Envelope[] = []
  return {
    started,
    handled,
    handle: async (envelope: Envelope) => {
      const earlier = started.filter(({ id }) => id === envelope.id).length
      started.push(envelope)
      await before(envelope, earlier)
      handled.push(envelope)
    },
  }
}

/** What every message bus does, whichever engine is below. */
export const messageBusContract = ({ open, lacks, withinMs = 5_000 }: MessageBusContract): void => {
  const buses: MessageBus[] = []
  const connect = (fixture: BusFixture) => {
    const bus = fixture.connect()
    buses.push(bus)
    return bus
  }
  const openOne = async () => connect(await open())
  const until = (condition: () => boolean | Promise<boolean>) => eventually(condition, (met) => met, { withinMs })
  const of = (behaviour: Behaviour, name: string, body: () => Promise<void>) => {
    const reason = lacks[behaviour]
    if (reason === undefined) it(name, body)
    else it(name, ({ skip }) => skip(reason))
  }
  const from = (group: string, topic = orders) => ({ topic, group })

  describe('message bus', () => {
    afterEach(async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()))
    })

    of('order', 'delivers the messages of one key in the order of publishing', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector(({ id }) => (id.endsWith('3') ? turn().then(turn) : turn()))
      await bus.publish(orders, [...messages('a', 5), ...messages('b', 5)])
      await bus.subscribe(from('g'), handle)
      for (let n = 5; n < 20; n++) await bus.publish(orders, [message('a', n), message('b', n)])
      await until(() => handled.length === 40)
      expect(ofKey(handled, 'a')).toEqual(idsOf(messages('a', 20)))
      expect(ofKey(handled, 'b')).toEqual(idsOf(messages('b', 20)))
    })

    of('order', 'goes on with other keys while a handler takes its time', async () => {
      const bus = await openOne()
      const slow = createSwitch()
      const { handled, handle } = createCollector(({ key }) => (key === 'slow' ? slow.passed : undefined))
      await bus.subscribe(from('g'), handle)
      await bus.publish(orders, [message('slow', 0), message('slow', 1), message('fast', 0), message('fast', 1)])
      await until(() => handled.length === 2)
      expect(idsOf(handled)).toEqual(['fast-0', 'fast-1'])
      slow.open()
      await until(() => handled.length === 4)
    })

    of('groups', 'shows every message to every group and keeps topics apart', async () => {
      const bus = await openOne()
      const [one, two, elsewhere] = [createCollector(), createCollector(), createCollector()]
      await bus.subscribe(from('one'), one.handle)
      await bus.subscribe(from('two'), two.handle)
      await bus.subscribe(from('one', other), elsewhere.handle)
      await bus.publish(orders, messages('a', 10))
      await bus.publish(other, [message('b', 0)])
      await until(() => one.handled.length === 10 && two.handled.length === 10 && elsewhere.handled.length === 1)
      expect(idsOf(one.handled)).toEqual(idsOf(messages('a', 10)))
      expect(idsOf(two.handled)).toEqual(idsOf(messages('a', 10)))
      expect(idsOf(elsewhere.handled)).toEqual(['b-0'])
    })

    of('groups', 'shares the messages among the members of a group', async () => {
      const bus = await openOne()
      const [one, two] = [createCollector(turn), createCollector(turn)]
      await bus.subscribe(from('g'), one.handle)
      await bus.subscribe(from('g'), two.handle)
      const sent = Array.from({ length: 60 }, (_, index) => message(`key-${index}`, 0))
      await bus.publish(orders, sent)
      await until(() => one.handled.length + two.handled.length === 60)
      expect(new Set([...idsOf(one.handled), ...idsOf(two.handled)])).toEqual(new Set(idsOf(sent)))
      expect(Math.min(one.handled.length, two.handled.length)).toBeGreaterThan(0)
    })

    of('redelivery', 'delivers again what a handler rejected, and nothing of that key before it', async () => {
      const bus = await openOne()
      const { started, handled, handle } = createCollector(({ id }, earlier) => {
        if (id === 'a-1' && earlier < 2) throw new Error('not now')
      })
      await bus.subscribe(from('g'), handle)
      await bus.publish(orders, messages('a', 3))
      await until(() => handled.length === 3)
      expect(idsOf(handled)).toEqual(['a-0', 'a-1', 'a-2'])
      expect(idsOf(started)).toEqual(['a-0', 'a-1', 'a-1', 'a-1', 'a-2'])
    })

    of('restart', 'goes on after a restart where the group stopped', async () => {
      const fixture = await open()
      const first = connect(fixture)
      const before = createCollector(({ id }) => {
        if (id === 'a-3' || id === 'b-0') throw new Error('not now')
      })
      await first.subscribe(from('g'), before.handle)
      await first.publish(orders, [...messages('a', 6), message('b', 0), message('c', 0)])
      await until(() => before.handled.length === 4)
      await first.close()

      const after = createCollector()
      await connect(fixture).subscribe(from('g'), after.handle)
      await until(() => after.handled.length >= 4)
      expect(ofKey(after.handled, 'a')).toEqual(['a-3', 'a-4', 'a-5'])
      expect(ofKey(after.handled, 'b')).toEqual(['b-0'])
      expect(after.handled).toHaveLength(4)
    })

    of('closing', 'lets the running handler finish on close and counts its message as handled', async () => {
      const fixture = await open()
      const first = connect(fixture)
      const running = createSwitch()
      const before = createCollector(() => running.passed)
      await first.subscribe(from('g'), before.handle)
      await first.publish(orders, messages('a', 3))
      await until(() => before.started.length === 1)
      const closed = first.close().then(() => before.handled.length)
      running.open()
      expect(await closed).toBe(1)

      const after = createCollector()
      await connect(fixture).subscribe(from('g'), after.handle)
      await until(() => after.handled.length === 2)
      expect(idsOf([...before.started, ...after.started])).toEqual(['a-0', 'a-1', 'a-2'])
    })

    of('closing', 'loses nothing when the running handler rejects during close', async () => {
      const fixture = await open()
      const first = connect(fixture)
      const running = createSwitch()
      const before = createCollector(() => running.passed.then(() => Promise.reject(new Error('shutting down'))))
      await first.subscribe(from('g'), before.handle)
      await first.publish(orders, messages('a', 2))
      await until(() => before.started.length === 1)
      const closed = first.close()
      running.open()
      await closed

      const after = createCollector()
      await connect(fixture).subscribe(from('g'), after.handle)
      await until(() => after.handled.length === 2)
      expect(idsOf(after.handled)).toEqual(['a-0', 'a-1'])
    })

    of('closing', 'delivers nothing to a closed subscription and keeps its messages for the next', async () => {
      const bus = await openOne()
      const [gone, stays, next] = [createCollector(), createCollector(), createCollector()]
      const subscription = await bus.subscribe(from('g'), gone.handle)
      await bus.subscribe(from('other'), stays.handle)
      await bus.publish(orders, [message('a', 0)])
      await until(() => gone.handled.length === 1 && stays.handled.length === 1)
      await subscription.close()
      await subscription.close()
      await bus.publish(orders, [message('a', 1)])
      await until(() => stays.handled.length === 2)
      await bus.subscribe(from('g'), next.handle)
      await until(() => next.handled.length === 1)
      expect(idsOf(gone.handled)).toEqual(['a-0'])
      expect(idsOf(next.handled)).toEqual(['a-1'])
    })

    of('closing', 'closes twice, and then takes nothing more', async () => {
      const bus = await openOne()
      await bus.publish(orders, [message('a', 0)])
      await Promise.all([bus.close(), bus.close()])
      await bus.close()
      await expect(bus.publish(orders, [message('a', 1)])).rejects.toMatchObject({ code: 'unavailable' })
      await expect(bus.subscribe(from('g'), async () => {})).rejects.toMatchObject({ code: 'unavailable' })
    })

    of('closing', 'closes without having been used', async () => {
      const bus = await openOne()
      await expect(bus.close()).resolves.toBeUndefined()
    })

    of('lateGroup', 'starts a late group at the beginning of the topic', async () => {
      const bus = await openOne()
      const [early, late] = [createCollector(), createCollector()]
      await bus.publish(orders, messages('a', 3))
      await bus.subscribe(from('early'), early.handle)
      await until(() => early.handled.length === 3)
      await bus.subscribe(from('late'), late.handle)
      await bus.publish(orders, [message('a', 3)])
      await until(() => late.handled.length === 4)
      expect(idsOf(late.handled)).toEqual(idsOf(messages('a', 4)))
    })

    of('pausing', 'waits for whenReady before each message', async () => {
      const bus = await openOne()
      const gates = Array.from({ length: 4 }, createSwitch)
      let asked = 0
      const { started, handle } = createCollector()
      await bus.subscribe(from('g'), handle, { whenReady: () => gates[asked++]?.passed ?? new Promise(() => {}) })
      await bus.publish(orders, [message('a', 0), message('b', 0), message('c', 0)])
      await until(() => asked === 1)
      expect(started).toHaveLength(0)
      gates[0]?.open()
      await until(() => started.length === 1 && asked === 2)
      expect(await bus.backlog(from('g'))).toMatchObject({ messages: expect.toSatisfy((count: number) => count >= 2) })
      expect(started).toHaveLength(1)
      for (const gate of gates) gate.open()
      await until(() => started.length === 3)
    })

    of('pausing', 'closes while a member is not ready', async () => {
      const fixture = await open()
      const bus = connect(fixture)
      const paused = createCollector()
      await bus.subscribe(from('g'), paused.handle, { whenReady: () => new Promise(() => {}) })
      await bus.publish(orders, [message('a', 0)])
      await bus.close()
      const after = createCollector()
      await connect(fixture).subscribe(from('g'), after.handle)
      await until(() => after.handled.length === 1)
      expect(paused.started).toHaveLength(0)
    })

    of('backlog', 'tells how many messages a group has not handled and how old the oldest is', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector()
      expect(await bus.backlog(from('g'))).toEqual({ messages: 0, oldestAgeMs: 0 })
      await bus.publish(orders, messages('a', 3))
      expect(await bus.backlog(from('g'))).toMatchObject({ messages: 3 })
      await until(async () => (await bus.backlog(from('g'))).oldestAgeMs >= 5)
      await bus.subscribe(from('g'), handle)
      await until(() => handled.length === 3)
      await until(async () => (await bus.backlog(from('g'))).messages === 0)
      expect(await bus.backlog(from('g'))).toEqual({ messages: 0, oldestAgeMs: 0 })
      expect(await bus.backlog(from('late'))).toMatchObject({ messages: 3 })
    })

    for (const raw of ['{"id": cut o', '42', '{"id":"1","type":"thing.happened"}', '']) {
      of('unreadable', `delivers stored text that is no envelope as unreadable (${JSON.stringify(raw)})`, async () => {
        const fixture = await open()
        const bus = connect(fixture)
        const { handled, handle } = createCollector()
        await bus.subscribe(from('g'), handle)
        await bus.publish(orders, [message('a', 0)])
        await until(() => handled.length === 1)
        await fixture.storeRaw(orders, 'a', raw)
        await bus.publish(orders, [message('a', 1)])
        await until(() => handled.length === 3)
        expect(handled[1]).toMatchObject({ type: 'unreadable', data: raw, id: expect.any(String), correlationId: '' })
        expect(idsOf(handled.filter(({ type }) => type !== 'unreadable'))).toEqual(['a-0', 'a-1'])
      })
    }

    of('poison', 'holds back only the key of a message that is always rejected', async () => {
      const bus = await openOne()
      const { started, handled, handle } = createCollector(({ id }) => {
        if (id === 'bad-0') throw new Error('never')
      })
      await bus.subscribe(from('g'), handle)
      await bus.publish(orders, [...messages('bad', 200), ...messages('a', 20)])
      await until(() => handled.length === 20)
      for (let n = 0; n < 100; n++) await bus.publish(orders, [message(`later-${n % 40}`, n)])
      await until(() => handled.length === 120 && started.filter(({ id }) => id === 'bad-0').length > 2)
      expect(ofKey(handled, 'bad')).toEqual([])
      expect(ofKey(started, 'bad').every((id) => id === 'bad-0')).toBe(true)
      expect(await bus.backlog(from('g'))).toMatchObject({ messages: 200 })
    })

    of('many', 'publishes many in one call, and none', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector()
      await bus.subscribe(from('g'), handle)
      const sent = Array.from({ length: 2_000 }, (_, index) => message(`key-${index % 50}`, index))
      await bus.publish(orders, [])
      await bus.publish(orders, sent)
      await until(() => handled.length >= 2_000)
      for (const key of ['key-0', 'key-49']) expect(ofKey(handled, key)).toEqual(ofKey(sent, key))
      expect(new Set(idsOf(handled)).size).toBe(2_000)
    })

    of('many', 'takes publishers at the same time', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector()
      await bus.subscribe(from('g'), handle)
      await Promise.all(Array.from({ length: 200 }, (_, index) => bus.publish(orders, [message(`key-${index % 7}`, index)])))
      await until(() => handled.length === 200)
      expect(new Set(idsOf(handled)).size).toBe(200)
    })

    of('clones', 'carries an envelope whole', async () => {
      const bus = await openOne()
      const { handled, handle } = createCollector()
      const sent = message(`'key" ü\u{1F98A}`, 1, {
        text: 'a\u0000b \u{1F98A} \u2028 \ud800',
        deep: [{ n: 1.5e300, no: null, yes: true }],
        empty: {},
      })
      const traced = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'vendor=1' }
      await bus.subscribe(from('g'), handle)
      await bus.publish(orders, [{ ...sent, ...traced }])
      await until(() => handled.length === 1)
      expect(handled).toEqual([{ ...sent, ...traced }])
    })

    of('clones', 'hands out an object of its own for every delivery', async () => {
      const bus = await openOne()
      const sent = message('a', 0, { list: [1] })
      const spoil = ({ data }: Envelope) => (data as { list: number[] }).list.push(2)
      const seen: string[] = []
      const one = createCollector((envelope, earlier) => {
        seen.push(JSON.stringify(envelope.data))
        spoil(envelope)
        if (earlier === 0) throw new Error('once more')
      })
      const two = createCollector((envelope) => seen.push(JSON.stringify(envelope.data)))
      await bus.subscribe(from('one'), one.handle)
      const published = bus.publish(orders, [sent])
      spoil(sent)
      await published
      await until(() => one.handled.length === 1)
      await bus.subscribe(from('two'), two.handle)
      await until(() => two.handled.length === 1)
      expect(seen).toEqual(['{"list":[1]}', '{"list":[1]}', '{"list":[1]}'])
    })
  })
}

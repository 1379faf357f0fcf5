import type { Envelope } from '@cairn/contracts/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { createDelivery, type StoredMessage } from './delivery.ts'

const stored = (seq: number, key: string): StoredMessage => ({
  seq,
  key,
  at: 0,
  body: JSON.stringify({ id: `${key}-${seq}`, type: 't', key, correlationId: '', occurredAt: '' }),
})

/** A source in memory, and a member that notes what it gets; a message named in `outcomes` ends as that does. */
const openDelivery = (messages: readonly StoredMessage[], outcomes: Readonly<Record<string, () => Promise<void>>> = {}) => {
  let kept = [...messages]
  const started: string[] = []
  const drop = (gone: (message: StoredMessage) => boolean) => {
    kept = kept.filter((message) => !gone(message))
  }
  const delivery = createDelivery(
    {
      pageSize: 64,
      page: (after) => kept.filter(({ seq }) => seq > after).slice(0, 64),
      nextOfKey: (key, after, upTo) => kept.find((message) => message.key === key && message.seq > after && message.seq <= upTo),
      handled: (seq) => drop((message) => message.seq === seq),
    },
    { clock: systemClock(), warn: () => {} },
  )
  const leave = delivery.join({
    handle: async ({ id }: Envelope) => {
      started.push(id)
      await outcomes[id]?.()
    },
    whenReady: undefined,
  })
  onTestFinished(leave)
  const forget = (...seqs: number[]) => {
    const gone = (message: StoredMessage) => seqs.includes(message.seq)
    drop(gone)
    delivery.forget(gone)
  }
  const store = (...more: readonly StoredMessage[]) => {
    kept.push(...more)
    delivery.wake()
  }
  return { started, forget, store, kept: () => kept.map(({ seq }) => seq) }
}

describe('delivery of messages that are forgotten', () => {
  it('does not start them, and goes on with those behind them', async () => {
    const block = Array.from({ length: 16 }, (_, n) => stored(n + 1, `busy-${n}`))
    const busy = Promise.withResolvers<void>()
    const outcomes = Object.fromEntries(block.map(({ seq, key }) => [`${key}-${seq}`, () => busy.promise]))
    const { started, forget } = openDelivery([...block, stored(17, 'a'), stored(18, 'a'), stored(19, 'b')], outcomes)
    await expect.poll(() => started.length).toBe(16)
    forget(17, 19)
    busy.resolve()
    await expect.poll(() => started.slice(16)).toEqual(['a-18'])
  })

  it('does not start one again that is being handled and then rejected', async () => {
    const running = Promise.withResolvers<void>()
    const { started, forget, kept } = openDelivery([stored(1, 'a'), stored(2, 'a')], { 'a-1': () => running.promise })
    await expect.poll(() => started).toEqual(['a-1'])
    forget(1)
    running.reject(new Error('not now'))
    await expect.poll(() => started).toEqual(['a-1', 'a-2'])
    expect(kept()).toEqual([])
  })

  it('does not start one again that waits after a rejection', async () => {
    const { started, forget } = openDelivery([stored(1, 'a'), stored(2, 'a')], { 'a-1': () => Promise.reject(new Error('never')) })
    await expect.poll(() => started).toEqual(['a-1'])
    forget(1)
    await expect.poll(() => started).toEqual(['a-1', 'a-2'])
  })

  it('keeps a key in order whose message is forgotten while it runs and comes again', async () => {
    const running = Promise.withResolvers<void>()
    const { started, forget, store } = openDelivery([stored(1, 'a'), stored(2, 'a')], { 'a-1': () => running.promise })
    await expect.poll(() => started).toEqual(['a-1'])
    forget(1, 2)
    store(stored(3, 'a'), stored(4, 'a'), stored(5, 'b'))
    await expect.poll(() => started).toEqual(['a-1', 'b-5'])
    running.resolve()
    await expect.poll(() => started).toEqual(['a-1', 'b-5', 'a-3', 'a-4'])
  })
})

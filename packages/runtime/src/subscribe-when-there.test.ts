import { AppError } from '@cairn/contracts/errors'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { subscribeWhenThere } from './subscribe-when-there.ts'

const from = { topic: 'cairn.things', group: 'things' }
const handle = async () => undefined

/** A bus whose answers to `subscribe` are given one by one. */
const setUp = () => {
  const manual = createManualClock()
  const asked: PromiseWithResolvers<void>[] = []
  const state = { open: 0, closed: 0 }
  const bus: Pick<MessageBus, 'subscribe'> = {
    subscribe: async (...wanted) => {
      expect(wanted).toEqual([from, handle])
      const answer = Promise.withResolvers<void>()
      asked.push(answer)
      await answer.promise
      state.open += 1
      return {
        close: async () => {
          state.closed += 1
        },
      }
    },
  }
  const log = createLogger({ level: 'silent', name: 'test' })
  const subscribing = subscribeWhenThere({ bus, clock: manual.clock, log }, from, handle)
  return { manual, asked, state, subscribing }
}
const away = new AppError('unavailable', 'the bus is away')

it('subscribes at once where the bus is there', async () => {
  const { asked, state, subscribing } = setUp()
  asked[0]?.resolve()
  const { close } = await subscribing
  expect(state).toEqual({ open: 1, closed: 0 })
  await close()
  expect(state).toEqual({ open: 1, closed: 1 })
})

it('tries every two seconds while the bus is away, whatever it says then, and no more once it has subscribed', async () => {
  const { manual, asked, state, subscribing } = setUp()
  asked[0]?.reject(away)
  const { close } = await subscribing
  manual.pass(1_999)
  expect(asked).toHaveLength(1)
  manual.pass(1)
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.reject(new Error('no such topic'))
  await expect.poll(manual.waiting).toBe(1)
  manual.pass(2_000)
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.resolve()
  await expect.poll(() => state.open).toBe(1)
  manual.pass(60_000)
  expect([asked.length, manual.waiting()]).toEqual([3, 0])
  await close()
  expect(state).toEqual({ open: 1, closed: 1 })
})

it('rejects with what does not pass by itself', async () => {
  const { manual, asked, subscribing } = setUp()
  asked[0]?.reject(new AppError('internal', 'access denied'))
  await expect(subscribing).rejects.toThrow('access denied')
  expect(manual.waiting()).toBe(0)
})

it('closes what is subscribed only after it was closed, without waiting for it', async () => {
  const { manual, asked, state, subscribing } = setUp()
  asked[0]?.reject(away)
  const { close } = await subscribing
  manual.pass(2_000)
  await expect.poll(() => asked.length).toBe(2)
  await close()
  expect(state).toEqual({ open: 0, closed: 0 })
  asked[1]?.resolve()
  await expect.poll(() => state).toEqual({ open: 1, closed: 1 })
  expect(manual.waiting()).toBe(0)
})

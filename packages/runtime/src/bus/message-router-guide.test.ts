// The recipe "add an event" of CONTRIBUTING.md, step by step, as a program that runs.

import { systemClock } from '@cairn/adapters/clock/system'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import type { EventDefinition } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import { deliverTwice } from '@cairn/testing/deliver-twice'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { createLogger } from '../process/logger.ts'
import { createMessageRouter, on } from './message-router.ts'
import { publish } from './publish.ts'

// 1. Define the event in contracts/src/events.ts: past tense, `noun.verb`, references instead of bodies.
const parcelShipped: EventDefinition<{ parcelId: string }> = {
  type: 'parcel.shipped',
  topic: 'cairn.parcels',
  group: 'post-office',
  data: z.strictObject({ parcelId: z.string().min(1) }),
}

// 2. Write the handler, in a file `on-parcel-shipped.ts` of the service. The message only names the record; the store
//    has the truth. The handler must be idempotent.
type Parcels = { readonly markShipped: (parcelId: string) => Promise<'marked' | 'was marked'> }

const onParcelShipped = ({ parcels }: { readonly parcels: Parcels }) =>
  on(parcelShipped, async ({ parcelId }, { log }) => {
    log.info({ parcelId, outcome: await parcels.markShipped(parcelId) }, 'parcel')
  })

it('adds an event: define, handle, route, publish, and prove that a repetition is harmless', async () => {
  const shipped = new Set<string>()
  const outcomes: string[] = []
  const parcels: Parcels = {
    markShipped: async (parcelId) => {
      const outcome = shipped.has(parcelId) ? 'was marked' : 'marked'
      shipped.add(parcelId)
      outcomes.push(outcome)
      return outcome
    },
  }

  // 3. Add the handler to the service's router. The group is the service's name, which the event also states. A router
  //    does not start without a handler for each event of its group.
  const bus = deliverTwice(inMemoryMessageBus())
  const [clock, ids] = [systemClock(), randomIds(Date.now)]
  let unreadable = 0
  const router = createMessageRouter({
    bus,
    log: createLogger({ level: 'silent', name: 'post-office' }),
    group: 'post-office',
    handlers: [onParcelShipped({ parcels })],
    countUnreadable: () => (unreadable += 1),
  })
  await router.start()

  // 4. Publish the event after the store has been written; the key is the job's id. Data that breaks the
  //    schema is rejected.
  const context = { key: 'parcel-1', correlationId: 'request-1', ids, clock }
  await publish(bus, parcelShipped, { parcelId: 'parcel-1' }, context)
  await expect(publish(bus, parcelShipped, { parcelId: '' }, context)).rejects.toMatchObject({ code: 'internal' })

  // 5. Test repeated delivery with `deliverTwice` (above): the state must be as after one delivery, without
  //    unreadable messages.
  await expect.poll(() => outcomes).toEqual(['marked', 'was marked'])
  expect([...shipped]).toEqual(['parcel-1'])
  expect(unreadable).toBe(0)

  await router.stop()
  await bus.close()
})

// The recipe "add an event" of CONTRIBUTING.md, step by step, as a program that runs.

import { systemClock } from '@cairn/adapters/clock/system'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import type { EventDefinition } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import type { DeadLetter } from '@cairn/domain/metadata/records'
import { deliverTwice } from '@cairn/testing/deliver-twice'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { createLogger } from './logger.ts'
import { createMessageRouter, on } from './message-router.ts'
import { publish } from './publish.ts'

// 1. Say what happened: past tense, `noun.verb`, references instead of bodies. In contracts/src/events.ts.
const parcelShipped: EventDefinition<{ parcelId: string }> = {
  type: 'parcel.shipped',
  topic: 'cairn.parcels',
  group: 'post-office',
  data: z.strictObject({ parcelId: z.string().min(1) }),
}

// 2. Say what is done about it: a file `on-parcel-shipped.ts` in the service. The message says where to look; the store
//    says what is true. Written so that a second delivery changes nothing.
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

  // 3. Add the handler to the service's router. The group is the service's name; the event names it too, and a router does not start
  //    without a handler for each event of its group.
  const bus = deliverTwice(inMemoryMessageBus())
  const [clock, ids] = [systemClock(), randomIds(Date.now)]
  const letters: DeadLetter[] = []
  const router = createMessageRouter({
    bus,
    log: createLogger({ level: 'silent', name: 'post-office' }),
    group: 'post-office',
    handlers: [onParcelShipped({ parcels })],
    deadLetters: { insert: async (letter) => void letters.push(letter) },
    ids,
    clock,
  })
  await router.start()

  // 4. Publish it after the store has been written; the key is the job's id. What breaks the schema does not get out.
  const context = { key: 'parcel-1', correlationId: 'request-1', ids, clock }
  await publish(bus, parcelShipped, { parcelId: 'parcel-1' }, context)
  await expect(publish(bus, parcelShipped, { parcelId: '' }, context)).rejects.toMatchObject({ code: 'internal' })

  // 5. Prove it under repeated delivery: `deliverTwice` above, the state as after one delivery, and no dead letter.
  await expect.poll(() => outcomes).toEqual(['marked', 'was marked'])
  expect([...shipped]).toEqual(['parcel-1'])
  expect(letters).toEqual([])

  await router.stop()
  await bus.close()
})

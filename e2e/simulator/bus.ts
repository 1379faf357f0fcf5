import type { Envelope } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { Random } from '@cairn/testing/seeded-random'
import { outage } from './faults.ts'
import type { Actor, Incarnation, Scheduler } from './scheduler.ts'

/**
 * Probability of each fault: `fail` per call of `publish`, the others per message and group. All are 0 in the quiet
 * period.
 */
export type BusMishaps = { fail: number; lose: number; double: number; delay: number }

type Member = { readonly of: Incarnation; readonly handle: (message: Envelope) => Promise<void> }
type Group = { readonly topic: string; readonly name: string; members: Member[] }

export const noBusMishaps: BusMishaps = { fail: 0, lose: 0, double: 0, delay: 0 }

export type Bus = {
  connect(actor: Actor): MessageBus
  /** Removes the subscriptions of this incarnation. */
  forget(of: Incarnation): void
  /** Delivers every message ever published once more. */
  replay(): void
}

/**
 * Creates an unreliable bus: at random, messages are lost, duplicated, delayed and reordered. A message is lost if all
 * members of a group are dead or paused, or if its member dies while handling it. Each delivery is a turn of the bus.
 */
export const createBus = (options: {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly mishaps: BusMishaps
  /** Actor that outlives every process. */
  readonly world: Actor
}): Bus => {
  const { scheduler, random, mishaps, world } = options
  const groups = new Map<string, Group>()
  const published: { readonly topic: string; readonly message: Envelope }[] = []

  const deliver = async (group: Group, message: Envelope, afterMs = 0): Promise<void> => {
    if (afterMs > 0) await scheduler.sleep(world.of, afterMs)
    await scheduler.turn(world, `deliver ${message.type} ${message.key} to ${group.name}`)
    const able = group.members.filter(({ of }) => !of.dead && of.pausedUntil <= scheduler.now())
    if (able.length === 0) return
    await random
      .pick(able)
      .handle(structuredClone(message))
      .catch(() => undefined)
  }

  const send = (topic: string, message: Envelope): void => {
    for (const group of groups.values()) {
      if (group.topic !== topic) continue
      if (random.chance(mishaps.lose)) {
        scheduler.note(`bus: ${message.type} ${message.key} IS LOST`)
        continue
      }
      for (let copies = random.chance(mishaps.double) ? 2 : 1; copies > 0; copies -= 1)
        void deliver(group, message, random.chance(mishaps.delay) ? random.below(90_000) : 0)
    }
  }

  return {
    connect: (actor) => ({
      system: 'simulated',
      publish: async (topic, messages) => {
        if (actor.of.dead) return new Promise(() => undefined)
        await scheduler.turn(actor, `publish to ${topic}`)
        if (random.chance(mishaps.fail)) throw outage('the bus does not answer')
        for (const message of messages) {
          published.push({ topic, message })
          send(topic, message)
        }
      },
      subscribe: ({ topic, group: name }, handle) => {
        const key = `${topic} ${name}`
        const group = groups.get(key) ?? { topic, name, members: [] }
        groups.set(key, group)
        const member: Member = { of: actor.of, handle }
        group.members.push(member)
        return {
          close: async () => {
            group.members = group.members.filter((other) => other !== member)
          },
        }
      },
      check: async () => undefined,
      close: async () => undefined,
    }),
    forget: (of) => {
      for (const group of groups.values()) group.members = group.members.filter((member) => member.of !== of)
    },
    replay: () => {
      for (const { topic, message } of [...published]) send(topic, message)
    },
  }
}

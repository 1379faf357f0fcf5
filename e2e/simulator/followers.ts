import { isAppError } from '@cairn/contracts/errors'
import { readEvents } from '@cairn/domain/events/read-events.fixture'
import { closeGaps } from '@cairn/gateway/events/close-gaps'
import { createGate } from '@cairn/gateway/gate'
import type { Random } from '@cairn/testing/seeded-random'
import type { Incarnation } from './scheduler.ts'
import type { World } from './world.ts'

/** Few records per read, so that a follower reads many pages. */
const recordsAtOnce = 3
const pausesMs = [100, 1_000]

/**
 * Creates clients that follow the events of an account while processes die and pause, each through one gateway at a
 * time. They read like streams do (`stream-events.ts`).
 */
export const createFollowers = (options: {
  readonly world: World
  readonly random: Random
  readonly accountIds: readonly string[]
}) => {
  const { world, random, accountIds } = options
  const followers = accountIds.map((accountId) => ({
    accountId,
    position: 0,
    received: new Set<number>(),
    faults: [] as string[],
    at: undefined as Incarnation | undefined,
  }))
  type Follower = (typeof followers)[number]
  let ended = false

  const follow = async (follower: Follower, process: World['processes'][number]): Promise<void> => {
    const { life } = process
    const { accountId, received, faults } = follower
    const ports = world.portsOf(process, life, world.requestOf(`${process.name} events`, life, { steps: 20 }))
    const readable = createGate(ports.store)({ id: accountId })
    const closeGap = closeGaps(ports, readable.accountId)
    const read = async (): Promise<boolean> => {
      const page = await ports.store.events.after(accountId, follower.position, { limit: recordsAtOnce })
      if (ended) return false
      for (const { seq } of page.records) {
        if (received.has(seq)) faults.push(`I12: a stream of ${accountId} received event ${seq} twice`)
        received.add(seq)
      }
      follower.position = page.last
      if ((await closeGap(page)) !== undefined) faults.push(`I12: a stream of ${accountId} missed events`)
      return page.next === 'more'
    }
    while (!ended) {
      const isMore = await read().catch((error: unknown) => {
        if (!isAppError(error, 'unavailable')) faults.push(`a stream of ${accountId} failed: ${String(error)}`)
        return false
      })
      if (!isMore) await ports.clock.delay(random.pick(pausesMs))
    }
  }

  return {
    /** Starts each follower that has no live gateway at a random live one. */
    step: (): void => {
      for (const follower of followers) {
        if (follower.at && !follower.at.dead) continue
        const gateways = world.processes.filter(({ service, life }) => service === 'gateway' && !life.dead)
        if (gateways.length === 0) continue
        const process = random.pick(gateways)
        follower.at = process.life
        void follow(follower, process)
      }
    },
    end: (): void => {
      ended = true
    },
    /**
     * Returns the faults, once the system is idle: a follower must have received every event with content up to its
     * position.
     */
    check: async (): Promise<string[]> => {
      const found: string[] = []
      for (const { accountId, position, received, faults } of followers) {
        found.push(...faults)
        for (const { seq, groups } of await readEvents(world.bare, accountId))
          if (seq <= position && groups.length > 0 && !received.has(seq))
            found.push(`I12: a stream of ${accountId} is at ${position} and never received event ${seq}`)
      }
      return found
    },
  }
}

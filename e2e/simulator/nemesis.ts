import type { Random } from '@cairn/testing/seeded-random'
import type { Profile } from './profile.ts'
import type { World } from './world.ts'

/** Durations for which a process is down: some are close to the limits after which work is overdue. */
const downsMs = [500, 2_000, 12_000, 40_000, 62_000, 75_000]
const waitsMs = [1_000, 6_000, 31_000, 65_000]
const pausesMs = [1_000, 12_000, 35_000, 80_000]
/** Durations of pauses by `strike`; most are longer than a lease. */
const strikesMs = [12_000, 45_000, 45_000, 80_000]

/** A fault that hits a process at most once, right after a step that matches `after`, until the time `untilMs`. */
export type Trap = {
  readonly after: RegExp
  readonly how: 'kill' | { readonly pauseMs: number }
  readonly untilMs: number
}

/** Creates a nemesis that kills and pauses processes and advances the time, at random and where traps are set. */
export const createNemesis = ({
  world,
  random,
  profile,
}: {
  readonly world: World
  readonly random: Random
  readonly profile: Profile
}) => {
  const { scheduler } = world
  const traps: Trap[] = []

  const struckBy = (label: string): Trap['how'] | undefined => {
    const index = traps.findIndex(({ after, untilMs }) => untilMs >= scheduler.now() && after.test(label))
    if (index >= 0 && random.chance(0.5)) return traps.splice(index, 1)[0]?.how
    const { after, chance, kills } = profile.strike
    if (chance === 0 || !after.test(label) || !random.chance(chance)) return undefined
    return random.chance(kills) ? 'kill' : { pauseMs: random.pick(strikesMs) }
  }

  return {
    set: (trap: Trap) => {
      traps.push(trap)
    },
    /** Applies random faults; called before a step. */
    disturb: async (): Promise<void> => {
      const alive = world.processes.filter(({ life }) => !life.dead)
      if (alive.length === 0) return
      if (random.chance(profile.crash)) world.crash(random.pick(alive), random.pick(downsMs))
      else if (random.chance(profile.crash / 3)) world.stop(random.pick(alive), random.pick(downsMs))
      else if (random.chance(profile.pause)) world.pause(random.pick(alive), random.pick(pausesMs))
      else if (random.chance(profile.wait)) await scheduler.pass(random.pick(waitsMs))
    },
    /** Applies traps and strikes; called after a step. */
    strike: (): void => {
      const last = scheduler.last()
      if (!last || last.of.dead) return
      const how = struckBy(last.label)
      const process = world.processes.find(({ life }) => life === last.of)
      if (!how || !process) return
      if (how === 'kill') world.crash(process, random.pick(downsMs))
      else world.pause(process, how.pauseMs)
    },
  }
}

export type Nemesis = ReturnType<typeof createNemesis>

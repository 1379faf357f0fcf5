import type { Random } from '@cairn/testing/seeded-random'

/** One life of a process; after a crash, another begins. */
export type Incarnation = {
  readonly process: string
  dead: boolean
  /** Nothing of it happens before. */
  pausedUntil: number
  /** Whether its model refuses the texts that only some processes can embed. */
  readonly strict: boolean
}

/** A request, or the services of a process. `weight`: how likely it is chosen among those that wait. */
export type Actor = {
  readonly name: string
  readonly weight: number
  /** Pause before a step: mostly 0, else long enough for all others to finish their current work. */
  readonly hesitatesMs: () => number
  /** Whether the next body or point it writes arrives late. */
  readonly bodyIsLate?: () => boolean
  readonly of: Incarnation
}

export type TurnOptions = {
  /** Not before this time: a message that takes long. */
  readonly notBefore?: number
  /** Already sent: it arrives even if its sender is paused or dead. */
  readonly sent?: boolean
}

type Waiting = {
  readonly actor: Actor
  readonly label: string
  readonly notBefore: number
  readonly sent: boolean
  readonly go: () => void
}
type Sleeper = {
  readonly of: Incarnation
  readonly until: number
  readonly jitterMs: number
  readonly wake: () => void
}

export type SchedulerOptions = {
  readonly random: Random
  /** The probability that the last actor goes on. */
  readonly sticky: number
  /** Milliseconds that a step takes at most. */
  readonly stepMs: number
  /** Told what happens, step by step. */
  readonly trace?: ((line: string) => void) | undefined
}

export type Scheduler = {
  /** Milliseconds since the beginning. */
  now(): number
  /** Steps done so far. */
  steps(): number
  turn(actor: Actor, label: string, options?: TurnOptions): Promise<void>
  sleep(of: Incarnation, ms: number, signal?: AbortSignal): Promise<void>
  /** Forgets whatever waits in this life of a process. */
  forget(of: Incarnation): void
  /** Lets one waiting actor go on, or time pass until one can. Returns false when none ever will. */
  step(): Promise<boolean>
  /** Lets time pass at once, whether or not actors wait. */
  pass(ms: number): Promise<void>
  /** Whether something sent is still on its way. */
  underWay(): boolean
  /** The last step. */
  last(): { readonly of: Incarnation; readonly label: string } | undefined
  note(line: string): void
}

/** Resolves when everything that can go on without a turn has done so: ticks run only once no microtask is left. */
const drained = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)))

/**
 * Time and chance of one run. Everything that happens waits for a turn or sleeps; which of them is next is the seed's choice,
 * so a run is repeated by its seed.
 */
export const createScheduler = ({ random, sticky, stepMs, trace }: SchedulerOptions): Scheduler => {
  const waiting: Waiting[] = []
  const sleepers = new Set<Sleeper>()
  let now = 0
  let steps = 0
  let last: Actor | undefined
  let lastLabel = ''

  const note = (line: string) =>
    trace?.(`${String(steps).padStart(6)} ${(now / 1_000).toFixed(3).padStart(10)}s  ${line}`)

  const readyAt = ({ actor, notBefore, sent }: Waiting): number =>
    sent ? notBefore : Math.max(notBefore, actor.of.pausedUntil)
  // Overdue timers of a process that was paused don't all come before its first step.
  const wakesAt = ({ until, jitterMs, of }: Sleeper): number =>
    until < of.pausedUntil ? of.pausedUntil + jitterMs : until

  const wakeAll = async () => {
    for (;;) {
      let next: Sleeper | undefined
      for (const sleeper of sleepers)
        if (wakesAt(sleeper) <= now && (!next || wakesAt(sleeper) < wakesAt(next))) next = sleeper
      if (!next) return
      sleepers.delete(next)
      next.wake()
      await drained()
    }
  }

  const choose = (): Waiting | undefined => {
    const ready = waiting.filter((one) => readyAt(one) <= now)
    if (ready.length === 0) return undefined
    const same = last && random.chance(sticky) ? ready.find(({ actor }) => actor === last) : undefined
    if (same) return same
    let left = random.next() * ready.reduce((sum, { actor }) => sum + actor.weight, 0)
    for (const one of ready) {
      left -= one.actor.weight
      if (left < 0) return one
    }
    return ready.at(-1)
  }

  const nextMoment = (): number => {
    let next = Number.POSITIVE_INFINITY
    for (const one of waiting) next = Math.min(next, readyAt(one))
    for (const sleeper of sleepers) next = Math.min(next, wakesAt(sleeper))
    return next
  }

  return {
    now: () => now,
    steps: () => steps,
    note,
    turn: (actor, label, { notBefore = 0, sent = false } = {}) =>
      new Promise((resolve) => {
        if (actor.of.dead && !sent) return
        waiting.push({ actor, label, notBefore: Math.max(notBefore, now + actor.hesitatesMs()), sent, go: resolve })
      }),
    sleep: (of, ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        if (of.dead) return
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { of, until: now + Math.max(0, ms), jitterMs: random.below(30), wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    forget: (of) => {
      for (let index = waiting.length - 1; index >= 0; index -= 1) {
        const one = waiting[index] as Waiting
        if (one.actor.of === of && !one.sent) waiting.splice(index, 1)
      }
      for (const sleeper of sleepers) if (sleeper.of === of) sleepers.delete(sleeper)
    },
    step: async () => {
      await drained()
      const chosen = choose()
      if (!chosen) {
        const next = nextMoment()
        if (next === Number.POSITIVE_INFINITY) return false
        now = Math.max(now, next)
        await wakeAll()
        return true
      }
      waiting.splice(waiting.indexOf(chosen), 1)
      steps += 1
      now += random.below(stepMs + 1)
      last = chosen.actor
      lastLabel = chosen.label
      if (trace) note(`${chosen.actor.name}: ${chosen.label}`)
      chosen.go()
      await drained()
      await wakeAll()
      return true
    },
    pass: async (ms) => {
      now += ms
      await drained()
      await wakeAll()
    },
    last: () => last && { of: last.of, label: lastLabel },
    underWay: () => waiting.some(({ sent }) => sent),
  }
}

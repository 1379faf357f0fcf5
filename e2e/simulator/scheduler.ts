import type { Random } from '@cairn/testing/seeded-random'

/** A process between two crashes. */
export type Incarnation = {
  readonly process: string
  dead: boolean
  /** Time before which none of the incarnation's steps runs. */
  pausedUntil: number
  /** Whether the process's model rejects the texts that only some processes can embed. */
  readonly strict: boolean
}

/** A request, or the services of a process. `weight`: relative probability of being chosen among the waiting actors. */
export type Actor = {
  readonly name: string
  readonly weight: number
  /**
   * Returns the pause before a step in milliseconds: mostly 0, otherwise long enough for all others to finish their
   * current work.
   */
  readonly hesitatesMs: () => number
  /** Returns whether the next body or point that the actor writes arrives late. */
  readonly bodyIsLate?: () => boolean
  readonly of: Incarnation
}

export type TurnOptions = {
  /** Earliest time of the turn, for slow messages. */
  readonly notBefore?: number
  /** Set for a write that was already sent: it arrives even if its sender is paused or dead. */
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
  /** Probability that the last actor continues. */
  readonly sticky: number
  /** Maximum duration of a step, in milliseconds. */
  readonly stepMs: number
  /** Called with a description of each step, and with each note. */
  readonly trace?: ((line: string) => void) | undefined
}

export type Scheduler = {
  /** Returns the milliseconds since the start. */
  now(): number
  /** Returns the number of steps so far. */
  steps(): number
  turn(actor: Actor, label: string, options?: TurnOptions): Promise<void>
  sleep(of: Incarnation, ms: number, signal?: AbortSignal): Promise<void>
  /** Removes everything that waits in this incarnation, except writes that were already sent. */
  forget(of: Incarnation): void
  /** Lets one waiting actor continue, or lets time pass until one can. Returns false if no actor ever will. */
  step(): Promise<boolean>
  /** Advances the time at once, whether or not actors wait. */
  pass(ms: number): Promise<void>
  /** Whether a write that was sent has not yet arrived. */
  underWay(): boolean
  /** Returns the last step. */
  last(): { readonly of: Incarnation; readonly label: string } | undefined
  note(line: string): void
}

/** Resolves when everything that can continue without a turn has done so: ticks run only once no microtask is left. */
const drained = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)))

/**
 * Creates the scheduler, which controls time and order of a run. All code waits for a turn or sleeps, and the random
 * numbers decide which continues next, so a seed repeats a run.
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
  // Overdue timers of a paused process fire with jitter, so that not all of them precede its first step.
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

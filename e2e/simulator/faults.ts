import { AppError } from '@cairn/contracts/errors'
import type { Random } from '@cairn/testing/seeded-random'
import type { Actor, Scheduler } from './scheduler.ts'

/** Probability of each fault, per step of a call. All are 0 in the quiet period. */
export type Mishaps = {
  /** The engine does not perform the step and returns an error. */
  fail: number
  /** The engine performs the step, but the response is lost. */
  lost: number
  /** The call times out after 5 s; the engine performs the step some time later. */
  late: number
}

export const noMishaps: Mishaps = { fail: 0, lost: 0, late: 0 }

/**
 * Delays of late writes, in milliseconds: within the request's timeout, after it, after its record is overdue, and
 * after its marks are overdue.
 */
const latenesses = [6_000, 40_000, 70_000, 130_000]
/** Whether a step writes bodies or points, whose late arrival is handled by re-opening, re-checks and the audit. */
const isContent = (label: string): boolean => /^(accept: (insert|overwrite)|vectors: upsert)/.test(label)
/** Timeout of a call to an engine, in milliseconds. */
const callDeadlineMs = 5_000

export const outage = (what: string) => new AppError('unavailable', `${what} (simulated)`)

/**
 * A call to an engine, from its first step to its response. After the caller has given up, none of the call's later
 * steps happens.
 */
export type EngineCall = {
  /** Resolves when the step may be performed; rejects if it must not be. */
  step(label: string, writes: boolean): Promise<void>
  /** Resolves to the response; rejects if the response was lost or the caller has given up. */
  answer<T>(work: Promise<T>): Promise<T>
}

export type EngineCallOptions = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly mishaps: Mishaps
  /** Called for every late write. */
  readonly onLate: () => void
  /** Timeout after which the caller starts no further step. */
  readonly patienceMs?: number
}

export const engineCall = (
  actor: Actor,
  { scheduler, random, mishaps, onLate, patienceMs }: EngineCallOptions,
): EngineCall => {
  const startedAt = scheduler.now()
  const { promise: tooLate, reject: giveUp } = Promise.withResolvers<never>()
  tooLate.catch(() => undefined)
  let givenUp = false

  const abandon = (why: string) => {
    if (givenUp) return
    givenUp = true
    giveUp(outage(why))
  }
  return {
    step: async (label, writes) => {
      const impatient = (patience: number | undefined) => {
        if (patience === undefined || scheduler.now() - startedAt <= patience) return
        abandon('the request took too long')
        throw outage('the request took too long')
      }
      // A dead process never continues; a call whose caller has given up fails.
      if (actor.of.dead) return new Promise(() => undefined)
      if (givenUp) throw outage('given up')
      impatient(patienceMs)
      if (random.chance(mishaps.fail)) {
        await scheduler.turn(actor, `${label} FAILS`)
        throw outage('the engine does not answer')
      }
      if (
        writes &&
        (random.chance(mishaps.late * (isContent(label) ? 3 : 1)) || (isContent(label) && actor.bodyIsLate?.()))
      ) {
        onLate()
        const lateMs = random.pick(latenesses)
        scheduler.note(`${actor.name}: ${label} IS UNDER WAY for ${lateMs} ms`)
        void scheduler.sleep(actor.of, callDeadlineMs).then(() => abandon('no answer within 5 s'))
        return scheduler.turn(actor, `${label} ARRIVES LATE`, { notBefore: scheduler.now() + lateMs, sent: true })
      }
      await scheduler.turn(actor, label)
      impatient(patienceMs && patienceMs + callDeadlineMs)
      if (writes && random.chance(mishaps.lost)) {
        scheduler.note(`${actor.name}: the answer to ${label} IS LOST`)
        abandon('the answer was lost')
      }
    },
    answer: async (work) => {
      work.catch(() => undefined)
      const result = await Promise.race([tooLate, work])
      if (givenUp) throw outage('given up')
      return result
    },
  }
}

import { AppError } from '@cairn/contracts/errors'
import type { Random } from '@cairn/testing/seeded-random'
import type { Actor, Scheduler } from './scheduler.ts'

/** The probability of each fault, per call. All 0 in the quiet period. */
export type Mishaps = {
  /** The engine does not do it and says so. */
  fail: number
  /** The engine does it, and the answer is lost. */
  lost: number
  /** The caller gets no answer for 5 s and gives up; the engine does the work some time later. */
  late: number
}

export const noMishaps: Mishaps = { fail: 0, lost: 0, late: 0 }

/** How late something may arrive: within a request's time, after it, after its record is overdue, after its marks are. */
const latenesses = [6_000, 40_000, 70_000, 130_000]
/** Bodies and points are what the re-opening, the re-checks and the audit are for. */
const isContent = (label: string): boolean => /^(accept: (insert|overwrite)|vectors: upsert)/.test(label)
/** A call that is not answered by then is given up by its caller. */
const callDeadlineMs = 5_000

export const outage = (what: string) => new AppError('unavailable', `${what} (simulated)`)

/** One call to an engine, from its first step to its answer. Once it is given up, none of its later steps happens. */
export type EngineCall = {
  /** Resolves when the step is to be done. Rejects: it is not done. */
  step(label: string, writes: boolean): Promise<void>
  /** The answer, unless it was lost or the caller had given up. */
  answer<T>(work: Promise<T>): Promise<T>
}

export type EngineCallOptions = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly mishaps: Mishaps
  /** Told of everything that arrives late. */
  readonly onLate: () => void
  /** Timeout after which the caller begins no further step. */
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
      // A dead process stops, and so does a call without a caller.
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

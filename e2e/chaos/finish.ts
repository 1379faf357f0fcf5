import type { Place } from '../crash-test/load.ts'
import type { Interval } from './apply-faults.ts'
import { checkDeadLetters, checkLogs, checkStores, lookAround, tallyOf, toldOf } from './judge.ts'
import { missingPoints } from './lost-points.ts'
import { openStores } from './open-stores.ts'
import { makePlaces, places as ofTheLoad } from './places.ts'
import { until, untilFinal, untilMended, untilQuiet } from './quiet.ts'
import type { Figures } from './report.ts'
import type { System } from './system.ts'

const readyWithinMs = 120_000
/** I1, R3: deadline for every document's outcome, counted from the last restart or from the return of an engine. */
const finalWithinMs = 60_000
/** What a request that stopped has entered is overdue after a minute, and some sweeps may be needed. */
const quietWithinMs = 180_000
/** A minute until the pass after the loss begins, which may be told of it a minute late, and the time it takes. */
const passWithinMs = 180_000

const seconds = (ms: number): number => Math.round(ms / 100) / 10

export type Finish = {
  readonly system: System
  /** What the time until all is final counts from, by `performance.now()`. */
  readonly quietFrom: number
  readonly rubbishSent?: readonly number[]
  readonly gatewaysKilledAt?: readonly number[]
  readonly storeTroubled?: readonly Interval[]
  readonly countsUsage?: boolean
  /** How many points were removed behind the services' backs, which have to be written again within a pass of the audit. Default: 0. */
  readonly lostPoints?: number
  /** What each account has. Default: that of the load of documents. */
  readonly places?: readonly Place[]
  /** Whether pages are walked and documents searched for; what belongs to files is in no ledger. Default: yes. */
  readonly walks?: boolean
}

/** The end of every run: all is up, comes to rest, is looked at from outside, is stopped, and is held against what clients were told. */
export const finish = async (
  options: Finish,
): Promise<{ readonly figures: Figures; readonly broken: readonly string[] }> => {
  const {
    system,
    quietFrom,
    rubbishSent = [],
    gatewaysKilledAt = [],
    storeTroubled = [],
    countsUsage = true,
    lostPoints = 0,
    places = ofTheLoad,
    walks = true,
  } = options
  const { cluster, engines, ledger } = system
  await engines.heal()
  await cluster.ready(readyWithinMs)
  const stores = openStores(system)
  try {
    const final = await untilFinal(stores.metadata, quietFrom, quietWithinMs)
    await makePlaces(system, quietWithinMs, places)
    const quiet = await untilQuiet(stores.metadata, quietFrom, quietWithinMs)
    const mended = await (lostPoints > 0
      ? untilMended(() => missingPoints(stores), performance.now(), passWithinMs)
      : undefined)
    const seen = walks ? await lookAround(system, places) : []
    // Documents may be final while a consumer that rejoins its group has not yet read the rubbish.
    const deadLetterFaults = async () => (await checkDeadLetters(stores.metadata, rubbishSent)).faults
    await until(deadLetterFaults, performance.now(), quietWithinMs)
    const notInOrder = await cluster.stop()
    const { violations, audited } = await checkStores({
      system,
      ...stores,
      gatewaysKilledAt,
      storeTroubled,
      countsUsage,
    })
    const letters = await checkDeadLetters(stores.metadata, rubbishSent)
    const logs = checkLogs(system)
    const broken = [
      ...violations.map(({ invariant, message }) => `${invariant}: ${message}`),
      ...seen,
      ...final.left.map((what) => `I1: not final after ${seconds(final.ms)} s: ${what}`),
      ...(final.left.length === 0 && final.ms > finalWithinMs
        ? [`I1: documents were final after ${seconds(final.ms)} s only`]
        : []),
      ...quiet.left.map((what) => `I4: still under way after ${seconds(quiet.ms)} s: ${what}`),
      ...(mended?.left ?? []).map((what) => `I2: not mended by the audit after ${passWithinMs / 1_000} s: ${what}`),
      ...notInOrder.map((name) => `I11: ${name} did not end in order`),
      ...letters.faults,
      ...logs.faults,
    ]
    const figures = {
      acknowledged: toldOf(ledger.entries, 'acknowledged'),
      refused: toldOf(ledger.entries, 'refused'),
      unknown: toldOf(ledger.entries, 'unknown'),
      requests: ledger.entries.length,
      ...tallyOf(broken),
      secondsToFinal: seconds(final.ms),
      secondsToQuiet: seconds(quiet.ms),
      deadLetters: letters.letters,
      auditedPoints: audited,
      ...(mended ? { lostPoints, secondsToMended: seconds(mended.ms) } : {}),
      endedThemselves: Object.fromEntries(
        [...Map.groupBy(logs.ends, (end) => end)].map(([end, all]) => [end, all.length]),
      ),
    }
    return { figures, broken }
  } finally {
    await stores.close()
  }
}

import type { Interval } from './apply-faults.ts'
import { checkLogs, checkStores, checkUnreadable, lookAround, tallyOf } from './judge.ts'
import type { Place } from './load.ts'
import { missingPoints } from './lost-points.ts'
import { openStores } from './open-stores.ts'
import { countWrites } from './outcomes.ts'
import { makePlaces, places as ofTheLoad } from './places.ts'
import { notFinal, notQuiet, until } from './quiet.ts'
import type { Figures } from './report.ts'
import type { System } from './system.ts'

const readyWithinMs = 120_000
/** I1, R3: time until every document must be final, counted from the last restart or from the return of an engine. */
const finalWithinMs = 60_000
/** Time until no work is left: entries of a dead request are overdue after a minute, and may need several sweeps. */
const quietWithinMs = 180_000
/**
 * Time until lost points are rewritten: a pass of the audit begins up to two minutes after the loss, and takes some
 * time.
 */
const passWithinMs = 180_000

const seconds = (ms: number): number => Math.round(ms / 100) / 10

export type Finish = {
  readonly system: System
  /** Time from which all must become final, by `performance.now()`. */
  readonly quietFrom: number
  /** Positions of messages that no service can read. Default: none. */
  readonly rubbishAt?: ReadonlySet<string>
  readonly gatewaysKilledAt?: readonly number[]
  readonly storeTroubled?: readonly Interval[]
  readonly countsUsage?: boolean
  /** Points that a fault removed from the index; a pass of the audit must write them again. Default: 0. */
  readonly lostPoints?: number
  /** Namespaces of each account. Default: those of the document load. */
  readonly places?: readonly Place[]
  /**
   * Whether pages are walked and documents searched for. Runs of files set `false`, because the ledger has no files.
   * Default: `true`.
   */
  readonly walks?: boolean
}

/**
 * Finishes a run: waits until everything is up and idle, reads the state as a client, stops the system, and compares
 * the stores with the ledger.
 */
export const finish = async (
  options: Finish,
): Promise<{ readonly figures: Figures; readonly broken: readonly string[] }> => {
  const {
    system,
    quietFrom,
    rubbishAt = new Set(),
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
    const final = await until(() => notFinal(stores.store), quietFrom, quietWithinMs)
    await makePlaces(system, places, quietWithinMs)
    const quiet = await until(() => notQuiet(stores.store), quietFrom, quietWithinMs)
    const mended = await (lostPoints > 0
      ? until(() => missingPoints(stores), performance.now(), passWithinMs)
      : undefined)
    const seen = walks ? await lookAround(system, places) : []
    // Documents may be final while a consumer that rejoins its group has not yet read the malformed messages.
    await until(async () => checkUnreadable(system, rubbishAt).faults, performance.now(), quietWithinMs)
    const notInOrder = await cluster.stop()
    const { violations, audited } = await checkStores({
      system,
      ...stores,
      gatewaysKilledAt,
      storeTroubled,
      countsUsage,
    })
    const { faults: unreadableFaults, unreadable } = checkUnreadable(system, rubbishAt)
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
      ...unreadableFaults,
      ...logs.faults,
    ]
    const figures = {
      acknowledged: countWrites(ledger.entries, 'acknowledged'),
      refused: countWrites(ledger.entries, 'refused'),
      unknown: countWrites(ledger.entries, 'unknown'),
      requests: ledger.entries.length,
      ...tallyOf(broken),
      secondsToFinal: seconds(final.ms),
      secondsToQuiet: seconds(quiet.ms),
      unreadable,
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

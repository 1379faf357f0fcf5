import type { Ids } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'

const renewEveryMs = 10_000

export type TaskOptions = {
  readonly tasks: Store['tasks']
  readonly clock: Pick<Clock, 'delay'>
  readonly ids: Ids
  /** The task's name, the same in every process. */
  readonly name: string
  /** Time from the end of one pass to the start of the next. */
  readonly everyMs: number
  /**
   * Does the next range and resolves to the cursor after it, or null at the end of the pass. The first cursor of a pass
   * is null. A range runs twice if its process dies before the cursor is stored. The signal aborts when the lease is
   * lost or the process stops.
   */
  readonly range: (cursor: string | null, signal: AbortSignal) => Promise<string | null>
}

/** Returns a `range` function for a task that does all its work in one range. */
export const inOneRange =
  (work: (signal: AbortSignal) => Promise<unknown>): TaskOptions['range'] =>
  async (_, signal) => {
    await work(signal)
    return null
  }

/**
 * Works on a periodic task if it is due and no other process holds its lease. Continues where the last holder stopped,
 * until the pass ends or the signal aborts. Resolves to whether a pass ended. If a range fails, rejects with its error,
 * and the next holder repeats that range.
 *
 *     every(60_000, 'audit', (signal) => runTask({ tasks, clock, ids, name: 'index-audit', everyMs, range }, signal), byClock)
 */
export const runTask = async (
  { tasks, clock, ids, name, everyMs, range }: TaskOptions,
  signal: AbortSignal,
): Promise<boolean> => {
  const token = ids.next('lease')
  const task = await tasks.lease(name, token, { everyMs })
  if (!task) return false
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal])
  const renewal = (async () => {
    for (;;) {
      await clock.delay(renewEveryMs, stop)
      if (stop.aborted) return
      // A failed renewal is retried in time, because the lease lasts for three intervals.
      if (!(await tasks.renew(name, token).catch(() => true)))
        over.abort(new Error(`the lease of the task ${name} is lost`))
    }
  })()
  try {
    for (let { cursor } = task; ; ) {
      if (stop.aborted) return false
      cursor = await range(cursor, stop)
      // An aborted range may have ended early.
      if (cursor === null) return stop.aborted ? false : await tasks.done(name, token)
      if (!(await tasks.advance(name, token, cursor))) return false
    }
  } finally {
    over.abort(new Error(`the task ${name} is over`))
    await renewal
    // A task that is done or lost has no lease with this token. If this fails, the lease expires.
    await tasks.release(name, token).catch(() => undefined)
  }
}

import type { Ids } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'

const renewEveryMs = 10_000

export type TaskOptions = {
  readonly tasks: Store['tasks']
  readonly clock: Pick<Clock, 'delay'>
  readonly ids: Ids
  /** Equal in every process. */
  readonly name: string
  /** From the end of one pass to the start of the next. */
  readonly everyMs: number
  /**
   * Resolves to the cursor after the range, null at the end of the pass; the first cursor is null. A range runs twice
   * if its process dies before the cursor is stored. Aborted when the lease is lost or the process stops.
   */
  readonly range: (cursor: string | null, signal: AbortSignal) => Promise<string | null>
}

export const inOneRange =
  (work: (signal: AbortSignal) => Promise<unknown>): TaskOptions['range'] =>
  async (_, signal) => {
    await work(signal)
    return null
  }

/**
 * Works on a task if it is due and nobody holds its lease, from where the last holder stopped. Resolves to whether a
 * pass ended. Rejects with the error of a range, which the next holder repeats.
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
      // Retried in time: the lease lasts for three intervals.
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
    // Done or lost, the task has no lease with this token. If this fails, the lease expires.
    await tasks.release(name, token).catch(() => undefined)
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import type { ReadLevel, Step } from '@cairn/domain/ports/store'
import { runStepsAsync } from '@cairn/domain/protocol/steps'
import { begin, readsOf, type Store, storeOver } from '@cairn/domain/store'
import { type MongodbOptions, mongodbConnection } from './mongodb-connection.ts'
import { sharedReads } from './shared-reads.ts'

/**
 * After this time, a method starts no further step. A write may take effect up to half a minute after it began: the
 * waits for a server, a connection and a response each have a limit, and the driver may send a write twice. All of that
 * must end before the method's entries are overdue, after a minute.
 */
const methodMs = 25_000
/**
 * `close` waits this long for methods in progress, and again for the driver, which waits for an unreachable server.
 * Both fit into the time that an orderly stop leaves for closing stores (`lifecycle.ts`).
 */
const drainMs = 400

/**
 * Needs only atomic operations on single documents. A method may be interrupted between two steps; the sweeps then
 * repair the unfinished changes. A step with an unknown outcome ends the method as `unavailable` and is not sent again.
 */
export const mongodbStore = (options: MongodbOptions): Store => {
  const connection = mongodbConnection(options)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const reads = readsOf(name)
    const levelOf = (step: Step): ReadLevel => ('level' in step && step.level) || (reads ?? 'latest')
    const until = performance.now() + methodMs
    // So that later steps write the current values even if the caller changes them.
    const steps = begin(name, structuredClone(args))
    const result = await runStepsAsync(steps, (step) => {
      if (performance.now() > until)
        throw new AppError('unavailable', 'The record store is too slow; retry.', { retryAfterSeconds: 5 })
      return connection.execute(step, levelOf(step))
    })
    return reads ? result : structuredClone(result)
  }

  const close = async () => {
    const atMost = (work: Promise<unknown>) => Promise.race([work, delay(drainMs, undefined, { ref: false })])
    await atMost(Promise.allSettled(running))
    await atMost(connection.close())
  }

  const read = sharedReads(run)
  return storeOver(
    'mongodb',
    (name, args) => {
      if (closing) return Promise.reject(new AppError('unavailable', 'The record store is closed.'))
      const call = (readsOf(name) ? read : run)(name, args).finally(() => running.delete(call))
      running.add(call)
      return call
    },
    () => (closing ??= close()),
  )
}

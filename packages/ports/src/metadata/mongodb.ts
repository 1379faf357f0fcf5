import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import { type MongodbOptions, mongodbConnection } from './mongodb-connection.ts'
import type { Metadata } from './port.ts'
import { begin, metadataOver, readsOf } from './protocol/metadata.ts'
import type { Step } from './protocol/steps.ts'
import { sharedReads } from './shared-reads.ts'

export type { MongodbOptions }

/**
 * Reads of methods that write, where each write that follows is conditional on what was read: an answer that is out of date makes that
 * write fail, and the method reads again. All other reads between writes are decisive.
 */
const guardedReads: ReadonlySet<string> = new Set([
  'accept: read which ids exist',
  'accept: read items',
  'delete: read items',
  'delete: read moved items',
  'mark indexed: read',
  'create namespace: look for the name',
  'reopen: find items processing',
  'uploads: find old',
  'deletions: find old',
  'dead letters: find old',
  'usage: read',
])

/**
 * No step begins later than this in a method. A write may take effect for half a minute after it was begun (each of the waits for
 * a server, a connection and an answer has its bound, and the driver may send it twice), and all of it has to be over when
 * the method's entries are overdue, after a minute.
 */
const methodMs = 25_000
/** How long `close` waits for methods under way. */
const drainMs = 5_000

/**
 * Metadata in MongoDB, or a store that speaks its protocol: only atomic operations on single documents are used. A method of
 * several steps may be cut off between two of them, and what it leaves is what the sweeps put right. A step whose outcome is
 * unknown ends the method as `unavailable` and is not sent again.
 */
export const mongodbMetadata = (options: MongodbOptions): Metadata => {
  const connection = mongodbConnection(options)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const reads = readsOf(name)
    const isDecisive = ({ step }: Step) => (reads ? reads === 'latest' : !guardedReads.has(step))
    const until = performance.now() + methodMs
    // What is written a few steps on is what was handed in now.
    const steps = begin(name, structuredClone(args))
    let next = steps.next()
    while (!next.done) {
      if (performance.now() > until) throw new AppError('unavailable', 'The metadata store is too slow; retry.', { retryAfterSeconds: 5 })
      next = steps.next(await connection.execute(next.value, { decisive: isDecisive(next.value) }))
    }
    return reads ? next.value : structuredClone(next.value)
  }

  const close = async () => {
    await Promise.race([Promise.allSettled(running), delay(drainMs, undefined, { ref: false })])
    await connection.close()
  }

  const read = sharedReads(run)
  return metadataOver(
    (name, args) => {
      if (closing) return Promise.reject(new AppError('unavailable', 'The metadata store is closed.'))
      const call = (readsOf(name) ? read : run)(name, args).finally(() => running.delete(call))
      running.add(call)
      return call
    },
    () => {
      closing ??= close()
      return closing
    },
  )
}

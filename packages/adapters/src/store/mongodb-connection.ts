import { AppError } from '@cairn/contracts/errors'
import type { ReadLevel, Step } from '@cairn/domain/ports/store'
import { MongoClient, ReadConcern } from 'mongodb'
import { within } from './mongodb-deadline.ts'
import { isServerSelectionError, translateError } from './mongodb-errors.ts'
import { checkSchema, type SchemaNumbers } from './mongodb-schema.ts'
import { hello, timeOf } from './mongodb-server-time.ts'
import { MongodbSteps } from './mongodb-steps.ts'
import { storeTime } from './mongodb-time.ts'

export type MongodbOptions = {
  /**
   * `mongodb://…` or `mongodb+srv://…`, with user, password, TLS and replica set members. Read preference, read concern
   * and write concern are set in code and override the string's.
   */
  readonly url: string
  /**
   * Holds only Cairn's collections. Before `setup` has created them, every call rejects with AppError `unavailable`.
   */
  readonly database: string
  /** For other engines whose schema is recorded in this database. */
  readonly schemas?: SchemaNumbers
  /** Added to store time, for tests. */
  readonly timeShift?: () => number
}

/** A step that takes longer is `unavailable`, and whether its writes were applied is unknown. */
const stepMs = 5_000

export const mongoClientOf = (url: string): MongoClient =>
  new MongoClient(url, {
    appName: 'cairn',
    // Shorter than the deadline of a step, so that the error names the reason.
    serverSelectionTimeoutMS: stepMs - 500,
    // Also limits each server monitoring check; when one times out, the driver aborts all operations in progress.
    connectTimeoutMS: stepMs,
    waitQueueTimeoutMS: stepMs,
    // Longer than the server's own limit, so that the server's error arrives and the connection stays open.
    socketTimeoutMS: stepMs + 1_000,
    // `retryWrites` stays on: the driver retries writes, and transaction numbers make them apply exactly once. For
    // servers that reject or ignore such numbers, set `retryWrites=false` in the URL.
    ignoreUndefined: true,
  })

/**
 * Connects on the first step. When that fails, the step is AppError `unavailable` and the next one tries again.
 * Writes are acknowledged by a majority of the members, in their journals. Every read goes to the primary. A read of a
 * level other than `any` costs a write to the oplog, so a primary that does not know it was replaced can't answer it;
 * such a primary may answer `any` reads for some seconds. A server without a replica set has only one state.
 */
export const mongodbConnection = ({ url, database, schemas = {}, timeShift = () => 0 }: MongodbOptions) => {
  const newClient = () => mongoClientOf(url)
  // Throws at once if the URL is malformed.
  let client = newClient()
  let opening: Promise<Opened> | undefined
  let closing: Promise<void> | undefined
  const leaving = new Set<Promise<void>>()
  const serverTime = storeTime({ sample: () => timeOf(client) })
  const now = async () => (await serverTime()) + timeShift()

  const open = async (on: MongoClient) => {
    await on.connect()
    const { setName, msg } = await hello(on)
    const isReplicated = setName !== undefined || msg === 'isdbgrid'
    const db = on.db(database, {
      readPreference: 'primary',
      readConcern: new ReadConcern(isReplicated ? 'majority' : 'local'),
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: stepMs },
    })
    await checkSchema(db, schemas)
    return { client: on, isReplicated, steps: new MongodbSteps(db, now) }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const leave = (one: MongoClient) => {
    const left = one.close().catch(() => undefined)
    leaving.add(left)
    void left.then(() => leaving.delete(left))
  }
  /** After a connection that broke during its first use, the driver's monitor can wait forever and find no server. */
  const giveUp = (one: MongoClient) => {
    if (client !== one || closing) return
    client = newClient()
    opening = undefined
    leave(one)
  }
  const begin = (): Promise<Opened> => {
    const mine = client
    opening ??= open(mine).catch((error: unknown) => {
      giveUp(mine)
      throw error
    })
    return opening
  }
  /** If an attempt that another request began fails, this request tries again: the reason may have passed. */
  const ensureOpen = () => (opening ? opening.catch(begin) : begin())

  const close = async () => {
    await client.close()
    // A client that was still connecting can be closed only now.
    await opening?.catch(() => undefined)
    await client.close()
    await Promise.all(leaving)
  }

  return {
    execute: async (step: Step, level: ReadLevel = 'latest'): Promise<unknown> => {
      try {
        if (closing) throw new Error('closed')
        return await within(stepMs, async (isOver) => {
          const { client: mine, isReplicated, steps } = await ensureOpen()
          try {
            return isOver()
              ? undefined
              : await steps.run(step, { level: isReplicated ? level : 'local', maxTimeMS: stepMs, isOver })
          } catch (error) {
            if (isServerSelectionError(error)) giveUp(mine)
            throw error
          }
        })
      } catch (error) {
        throw closing
          ? new AppError('unavailable', 'The record store is closed.', { cause: error })
          : translateError(error)
      }
    },
    close: () => (closing ??= close()),
  }
}

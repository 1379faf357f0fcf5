import { AppError } from '@cairn/contracts/errors'
import { MongoClient, ReadConcern } from 'mongodb'
import { within } from './mongodb-deadline.ts'
import { foundNoServer, translated } from './mongodb-errors.ts'
import { checkSchema, type SchemaNumbers } from './mongodb-schema.ts'
import { hello, timeOf } from './mongodb-server-time.ts'
import { stepsOn } from './mongodb-steps.ts'
import { storeTime } from './mongodb-time.ts'
import type { Step } from './protocol/steps.ts'

export type MongodbOptions = {
  /**
   * `mongodb://…` or `mongodb+srv://…`, with user, password, TLS and the members of a replica set as connection strings have
   * them. Where to read and what counts as written is decided here, whatever the address says.
   */
  readonly url: string
  /** All of its collections are Cairn's. `setup` makes and migrates them; until it has, every call is AppError `unavailable`. */
  readonly database: string
  /** The last schema step this version knows of the other engines that are recorded there. */
  readonly schemas?: SchemaNumbers
  /** Milliseconds added to store time: how a test lets time pass. */
  readonly timeShift?: () => number
}

/** A step that is not done by then is `unavailable`, and what it has written is unknown. */
const stepMs = 5_000

/** A client for this address with our common options. Connects when it is first used. */
export const mongoClientOf = (url: string): MongoClient =>
  new MongoClient(url, {
    appName: 'cairn',
    // Less than a step has, so that the reason is known by then.
    serverSelectionTimeoutMS: stepMs - 500,
    // Also how long a server may keep the driver waiting that looks whether it is well; then all that is under way is broken off.
    connectTimeoutMS: stepMs,
    waitQueueTimeoutMS: stepMs,
    // A little more than the server may take, so that its own word arrives and the connection lives on.
    socketTimeoutMS: stepMs + 1_000,
    // Not `retryWrites`: the driver sends writes again, exactly once by the numbers it gives them, unless the address says
    // `retryWrites=false`, as that of a server that refuses such numbers has to.
    ignoreUndefined: true,
  })

/**
 * Runs protocol steps, each within five seconds. Connects on the first one; one that can't connect is AppError `unavailable`, and
 * the next one tries again.
 *
 * Writes are acknowledged by a majority of the members, in their journals. Every read goes to the primary. Reads that something
 * is decided by (`decisive`) see every write acknowledged before they began, and a primary that was replaced without knowing it gives
 * no answer; each costs a write to the oplog. Other reads see what a majority has; a primary replaced without knowing it may answer
 * them for some seconds. A server that has no members to agree with has only one state.
 */
export const mongodbConnection = ({ url, database, schemas = {}, timeShift = () => 0 }: MongodbOptions) => {
  const newClient = () => mongoClientOf(url)
  // An address that can't be read is an error at once.
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
    return { client: on, isReplicated, run: stepsOn(db, now) }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const leave = (one: MongoClient) => {
    const left = one.close().catch(() => undefined)
    leaving.add(left)
    void left.then(() => leaving.delete(left))
  }
  /**
   * The next call begins with another client. The driver's own look-out for servers can be left waiting for ever on a
   * connection that broke in the moment it was used, and then finds none again.
   */
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
  /** A try that others began may be about to fail for what was so then: it is followed by one of one's own. */
  const opened = () => (opening ? opening.catch(begin) : begin())

  const close = async () => {
    await client.close()
    // One that was connecting meanwhile has something to close only now.
    await opening?.catch(() => undefined)
    await client.close()
    await Promise.all(leaving)
  }

  return {
    execute: async (step: Step, { decisive = true }: { readonly decisive?: boolean } = {}): Promise<unknown> => {
      try {
        if (closing) throw new Error('closed')
        return await within(stepMs, async (isOver) => {
          const { client: mine, isReplicated, run } = await opened()
          const level = !isReplicated ? 'local' : decisive ? 'decisive' : 'majority'
          try {
            return isOver() ? undefined : await run(step, { level, maxTimeMS: stepMs, isOver })
          } catch (error) {
            if (foundNoServer(error)) giveUp(mine)
            throw error
          }
        })
      } catch (error) {
        throw closing ? new AppError('unavailable', 'The metadata store is closed.', { cause: error }) : translated(error)
      }
    },
    close: (): Promise<void> => {
      closing ??= close()
      return closing
    },
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import { type Collection, type Db, MongoClient } from 'mongodb'
import {
  applyMigrations,
  checkMigrations,
  type Log,
  lastNumber,
  type SchemaRecord,
  type SchemaState,
  schemaFault,
} from '../schema/migrations.ts'
import { isDuplicateKey, translateError } from './mongodb-errors.ts'
import { mongodbMigrations } from './mongodb-migrations.ts'
import { timeOf } from './mongodb-server-time.ts'

/** In the collection `schema`: one for each engine with recorded steps, and `lease` while a process applies steps. */
type Stored = {
  readonly _id: string
  readonly number?: number
  readonly requires?: number
  readonly steps?: readonly { readonly number: number; readonly name: string; readonly at: Date }[]
  readonly holder?: string
  /** Milliseconds since the epoch, by the server's clock. */
  readonly until?: number
}

const schemaOf = (db: Db): Collection<Stored> => db.collection<Stored>('schema')

const stateOf = ({ number = 0, requires = 0 }: Partial<Stored> = {}): SchemaState => ({ number, requires })

/** Last step that this version knows, by engine. */
export type SchemaNumbers = Readonly<Record<string, number>>

/** AppError `unavailable`, with the remedy, if the schema of an engine does not fit this version. */
export const checkSchema = async (db: Db, others: SchemaNumbers): Promise<void> => {
  const records = new Map((await schemaOf(db).find({}, { maxTimeMS: 4_000 }).toArray()).map((one) => [one._id, one]))
  for (const [engine, own] of Object.entries({ ...others, mongodb: lastNumber(mongodbMigrations) })) {
    const fault = schemaFault(engine, stateOf(records.get(engine)), own)
    if (fault) throw fault
  }
}

const recordOf = (schema: Collection<Stored>, engine: string, holds: () => Promise<void>): SchemaRecord => ({
  read: async () => stateOf((await schema.findOne({ _id: engine })) ?? undefined),
  applied: async ({ number, name, requires }) => {
    await holds()
    try {
      await schema.insertOne({ _id: engine, number: 0, requires: 0, steps: [] })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    const change = { $set: { number, requires }, $push: { steps: { number, name, at: new Date() } } }
    const { matchedCount } = await schema.updateOne({ _id: engine, number: number - 1 }, change)
    if (matchedCount === 0)
      throw new AppError(
        'conflict',
        `Another process has recorded schema step ${number} of ${engine}; run setup again.`,
      )
  },
})

export type MongodbSchemaOptions = {
  readonly url: string
  readonly database: string
  readonly log: Log
  /** After this time, another process may take over the lease of a killed one. Default 30,000. */
  readonly leaseMs?: number
}

/**
 * No deadline. Other processes wait and log that they wait. The lease is renewed meanwhile; if it is lost, the work
 * fails at the next step it records.
 */
export const withSchemaLease = async (
  { url, database, log, leaseMs = 30_000 }: MongodbSchemaOptions,
  work: (db: Db, recordOf: (engine: string) => SchemaRecord) => Promise<void>,
): Promise<void> => {
  // The deadlines of the services' client would abort index builds.
  const client = new MongoClient(url, { appName: 'cairn-setup', ignoreUndefined: true })
  const holder = randomUUID()
  const db = client.db(database, { readPreference: 'primary', writeConcern: { w: 'majority', journal: true } })
  const schema = schemaOf(db)
  const until = async () => (await timeOf(client)) + leaseMs

  const take = async (): Promise<boolean> => {
    try {
      await schema.insertOne({ _id: 'lease', holder, until: await until() })
      return true
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    const now = await timeOf(client)
    const { matchedCount } = await schema.updateOne(
      { _id: 'lease', until: { $lt: now } },
      { $set: { holder, until: now + leaseMs } },
    )
    return matchedCount === 1
  }
  const holds = async (): Promise<void> => {
    const { matchedCount } = await schema.updateOne({ _id: 'lease', holder }, { $set: { until: await until() } })
    if (matchedCount === 0)
      throw new AppError('conflict', 'Another process has taken over the schema steps; run setup again.')
  }

  let renewing: NodeJS.Timeout | undefined
  try {
    for (let waited = 0; !(await take()); waited += 1) {
      if (waited % 10 === 0) log('mongodb: another process applies schema steps; waiting for it')
      await delay(Math.min(1_000, leaseMs / 4))
    }
    // A failed renewal is retried at the next interval. The lease is checked again before a step is recorded.
    renewing = setInterval(() => void holds().catch(() => undefined), leaseMs / 3)
    await work(db, (engine) => recordOf(schema, engine, holds))
  } catch (error) {
    throw translateError(error)
  } finally {
    clearInterval(renewing)
    // So that setup can be repeated at once. If this fails, the lease expires.
    await schema.deleteOne({ _id: 'lease', holder }).catch(() => undefined)
    await client.close()
  }
}

/** Lets `others` migrate the other engines first, unless the data can't take a step. */
export const migrateMongodb = (
  options: MongodbSchemaOptions,
  others: (recordOf: (engine: string) => SchemaRecord) => Promise<void> = async () => undefined,
): Promise<void> =>
  withSchemaLease(options, async (db, recordOf) => {
    const own = { migrations: mongodbMigrations, context: db, record: recordOf('mongodb') }
    await checkMigrations(own)
    await others(recordOf)
    await applyMigrations({ ...own, what: 'mongodb', log: options.log })
  })

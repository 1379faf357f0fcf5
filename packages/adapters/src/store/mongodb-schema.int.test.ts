import { randomBytes } from 'node:crypto'
import { schemaMismatch } from '@cairn/domain/ports/schema-mismatch'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import { times } from '@cairn/domain/protocol/scene.fixture'
import { describeWithEngine } from '@cairn/testing/engines'
import { type Db, MongoClient } from 'mongodb'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applyMigrations, lastNumber, type Migration } from '../schema/migrations.ts'
import { formContract } from './form-1.contract.ts'
import { mongodbStore } from './mongodb.ts'
import { mongodbMigrations } from './mongodb-migrations.ts'
import { migrateMongodb, withSchemaLease } from './mongodb-schema.ts'

const own = lastNumber(mongodbMigrations)

describeWithEngine('mongodb', (mongodb) => {
  const open = async () => {
    const url = mongodb('CAIRN_MONGODB_URL')
    const database = `cairn_test_${randomBytes(6).toString('hex')}`
    const client = new MongoClient(url)
    const db = client.db(database)
    onTestFinished(async () => {
      await db.dropDatabase()
      await client.close()
    })
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const namesOf = async (name: string) =>
      (await db.collection(name).listIndexes().toArray()).map((index) => String(index['name'])).sort()
    /** Lists indexes by collection. A collection without indexes besides `_id` exists only after its first document. */
    const indexes = async () => {
      const made = (await db.listCollections().toArray()).map(({ name }) => name).filter((name) => name in collections)
      return Object.fromEntries(await Promise.all(made.map(async (name) => [name, await namesOf(name)] as const)))
    }
    const metadata = (schemas = {}) => {
      const one = mongodbStore({ url, database, schemas })
      onTestFinished(() => one.close())
      return one
    }
    const put = (engine: string, set: object) =>
      db.collection<{ _id: string }>('schema').updateOne({ _id: engine }, { $set: set })
    return { url, database, db, lines, log, indexes, metadata, put, options: { url, database, log } }
  }

  it('creates no index and serves nothing until the database is migrated, and then works by itself', async () => {
    const { metadata, options, db } = await open()
    const store = metadata()
    await expect(store.now()).rejects.toMatchObject({
      code: 'unavailable',
      cause: schemaMismatch,
      message: `The schema of mongodb is at step 0 and this version needs ${own}: run \`npm run setup\` of this version.`,
    })
    expect(await db.listCollections().toArray()).toEqual([])
    await migrateMongodb(options)
    expect(await store.now()).toBeGreaterThan(0)
  })

  it('has after all steps the indexes that the protocol searches by, however many processes migrate at once and again', async () => {
    const { options, indexes, lines } = await open()
    await Promise.all(times(4, () => migrateMongodb(options)))
    const made = await indexes()
    const lastOfKey = (name: Collection, field: string) =>
      collections[name].key.length === 1 && collections[name].key[0] === field ? 'id' : field
    const wanted = Object.fromEntries(
      (Object.keys(collections) as Collection[]).map((name) => {
        const { unique, indexes: searched } = collections[name]
        const names = searched.map((index) => `by_${index.map((field) => lastOfKey(name, field)).join('_')}`)
        return [name, ['_id_', ...(unique ? [`unique_${unique.join('_')}`] : []), ...names].sort()]
      }),
    )
    wanted['items'] = ['_id_', 'by_updatedAt_processing', 'by_updatedAt_removed']
    expect(made).toMatchObject(Object.fromEntries(Object.entries(wanted).filter(([, names]) => names.length > 1)))
    const applied = () => lines.filter((line) => line === `mongodb: schema step 1 of ${own}, indexes of 0.1.0`)
    expect(applied()).toHaveLength(1)
    await migrateMongodb(options)
    expect(applied()).toHaveLength(1)
    expect(await indexes()).toEqual(made)
  })

  describe('form 1', () => {
    formContract(async () => {
      const { options, db, put } = await open()
      await migrateMongodb(options)
      await put('mongodb', { number: own - 1 })
      const of = (name: string) => db.collection<{ _id: string }>(name)
      return {
        put: async (collection, { id, ...document }) =>
          void (await of(collection).insertOne({ _id: id, ...document }, { ignoreUndefined: true })),
        migrate: () => migrateMongodb(options),
        all: async (collection) =>
          Object.fromEntries(
            (await of(collection).find().sort({ _id: 1 }).toArray()).map(({ _id: id, ...document }) => [
              id,
              { id, ...document },
            ]),
          ),
      }
    })
  })

  it('serves data of a later version unless it requires an unknown step; the error names the remedy', async () => {
    const { metadata, options, put } = await open()
    await migrateMongodb(options)
    await put('mongodb', { number: own + 7, requires: own })
    expect(await metadata().now()).toBeGreaterThan(0)
    await migrateMongodb(options)
    await put('mongodb', { number: own + 7, requires: own + 1 })
    const refused = {
      code: 'unavailable',
      cause: schemaMismatch,
      message: `The schema of mongodb requires step ${own + 1} and this version knows ${own}: start the newer version, or restore a backup of before.`,
    }
    await expect(metadata().now()).rejects.toMatchObject(refused)
    await expect(migrateMongodb(options)).rejects.toMatchObject(refused)
  })

  it('waits for the steps of other engines that are recorded beside its own', async () => {
    const { metadata, options } = await open()
    await migrateMongodb(options)
    await expect(metadata({ qdrant: 1 }).now()).rejects.toMatchObject({
      message: expect.stringContaining('The schema of qdrant is at step 0'),
    })
    await withSchemaLease(options, (_, recordOf) => recordOf('qdrant').applied({ number: 1, name: 'one', requires: 0 }))
    expect(await metadata({ qdrant: 1 }).now()).toBeGreaterThan(0)
  })

  it('continues with the interrupted step once the lease of the killed process has expired', async () => {
    for (const dies of [1, 2, 3]) {
      const { options, db } = await open()
      const ran: number[] = []
      const died = Promise.withResolvers<void>()
      const end = Promise.withResolvers<never>()
      onTestFinished(() => end.reject(new Error('killed')))
      const steps = (killedAt: number): Migration<Db>[] =>
        [1, 2, 3].map((number) => ({
          number,
          name: `step ${number}`,
          apply: async (context) => {
            ran.push(number)
            await context
              .collection<{ _id: string }>('made')
              .updateOne({ _id: `${number}` }, { $set: { number } }, { upsert: true })
            if (number !== killedAt) return
            died.resolve()
            await end.promise
          },
        }))
      const migrate = (killedAt: number) =>
        withSchemaLease({ ...options, leaseMs: 400 }, (context, recordOf) =>
          applyMigrations({
            what: 'test',
            migrations: steps(killedAt),
            context,
            record: recordOf('test'),
            log: options.log,
          }),
        )
      migrate(dies).catch(() => undefined)
      await died.promise
      // A killed process leaves a lease that is not renewed.
      await db
        .collection<{ _id: string }>('schema')
        .updateOne({ _id: 'lease' }, { $set: { holder: 'dead', until: Date.now() + 300 } })
      await migrate(0)
      expect(ran).toEqual([
        ...[1, 2, 3].filter((number) => number <= dies),
        ...[1, 2, 3].filter((number) => number >= dies),
      ])
      expect(await db.collection('made').countDocuments()).toBe(3)
      expect(await db.collection<{ _id: string; number: number }>('schema').findOne({ _id: 'test' })).toMatchObject({
        number: 3,
        steps: [{ number: 1 }, { number: 2 }, { number: 3 }],
      })
    }
  })

  it('releases the lease when a step fails, so that the next run begins at once', async () => {
    const { options, db } = await open()
    await expect(withSchemaLease(options, () => Promise.reject(new Error('no space')))).rejects.toThrow('no space')
    expect(await db.collection<{ _id: string }>('schema').findOne({ _id: 'lease' })).toBeNull()
  })

  it('records nothing after another process has taken over its lease', async () => {
    const { options, db } = await open()
    const work = withSchemaLease(options, async (context, recordOf) => {
      await context.collection<{ _id: string }>('schema').updateOne({ _id: 'lease' }, { $set: { holder: 'another' } })
      await recordOf('test').applied({ number: 1, name: 'one', requires: 0 })
    })
    await expect(work).rejects.toMatchObject({ code: 'conflict' })
    expect(await db.collection<{ _id: string }>('schema').findOne({ _id: 'test' })).toBeNull()
  })
})

import { randomBytes } from 'node:crypto'
import { describeWithEngine } from '@cairn/testing/engines'
import { MongoClient } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'

// The adapter's tests rely on these properties of their server, which is MongoDB or the native stand-in.
describeWithEngine('mongodb', (mongodb) => {
  const open = () => {
    const client = new MongoClient(mongodb('CAIRN_MONGODB_URL'), { monitorCommands: true })
    const db = client.db(`cairn_test_${randomBytes(6).toString('hex')}`)
    onTestFinished(async () => {
      await db.dropDatabase()
      await client.close()
    })
    return { client, db }
  }

  it('is the primary of a replica set with sessions, by the new and the old name of the command', async () => {
    const { db } = open()
    const primary = { setName: expect.any(String), hosts: expect.any(Array), logicalSessionTimeoutMinutes: 30 }
    expect(await db.admin().command({ hello: 1 })).toMatchObject({ ...primary, isWritablePrimary: true })
    expect(await db.admin().command({ isMaster: 1 })).toMatchObject({ ...primary, ismaster: true })
  })

  it('answers a read of a session at a time not before that of its last command, and forgets ended sessions', async () => {
    const { client, db } = open()
    const places = db.collection('places')
    await places.insertOne({ name: 'a' })
    const session = client.startSession()
    await places.findOne({ name: 'a' }, { session, readConcern: { level: 'linearizable' }, maxTimeMS: 5_000 })
    const before = session.operationTime
    const sent: unknown[] = []
    client.on('commandStarted', ({ command }) => sent.push(command))
    expect(await places.find({}, { session, readConcern: { level: 'majority' } }).toArray()).toHaveLength(1)
    expect(sent).toMatchObject([{ readConcern: { level: 'majority', afterClusterTime: before } }])
    expect(session.operationTime?.greaterThanOrEqual(before ?? 0)).toBe(true)
    const { id } = session
    await session.endSession()
    expect(await db.admin().command({ endSessions: [id] })).toMatchObject({ ok: 1 })
  })

  it('commits no transaction without saying so', async () => {
    const { client, db } = open()
    const places = db.collection<{ _id: string }>('places')
    await places.insertOne({ _id: 'before' })
    const end = await client
      .withSession((session) => session.withTransaction(() => places.insertOne({ _id: 'within' }, { session })))
      .then(
        () => 2,
        (error: Error) => {
          expect(error.message).toBe('This stand-in for MongoDB has no transactions.')
          return 1
        },
      )
    expect(await places.countDocuments()).toBe(end)
  })

  it('rejects listing the indexes of a missing collection', async () => {
    const { db } = open()
    await db.collection('places').insertOne({})
    await expect(db.collection('nothing').listIndexes().toArray()).rejects.toMatchObject({ code: 26 })
  })
})

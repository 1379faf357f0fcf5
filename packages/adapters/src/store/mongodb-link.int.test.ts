import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createScene, times } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { describeWithEngine, type EngineSettings } from '@cairn/testing/engines'
import { BSON, type Document, MongoClient } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { mongodbStore } from './mongodb.ts'
import { migrateMongodb } from './mongodb-schema.ts'

/** Splits a stream into messages of the wire protocol, which begin with their length. */
const messages = (handle: (message: Buffer) => void) => {
  let held = Buffer.alloc(0)
  return (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0)
      handle(held.subarray(0, length))
      held = held.subarray(length)
    }
  }
}

const opMsg = 2013
/** Returns the offset of the first document: behind flags and section kind, or behind the header of an old reply. */
const bodyAt = (message: Buffer): number => (message.readInt32LE(12) === opMsg ? 21 : 36)
const bodyOf = (message: Buffer): Document =>
  BSON.deserialize(message.subarray(bodyAt(message), bodyAt(message) + message.readInt32LE(bodyAt(message))))
const withBody = (message: Buffer, body: Document): Buffer => {
  const start = bodyAt(message)
  const changed = Buffer.concat([
    message.subarray(0, start),
    BSON.serialize(body),
    message.subarray(start + message.readInt32LE(start)),
  ])
  changed.writeInt32LE(changed.length, 0)
  return changed
}

/**
 * Opens a proxy to the server that can be cut and records commands. `disguise` changes the server's description of
 * itself.
 */
const openLink = async (mongodb: EngineSettings, disguise: (hello: Document) => Document = (hello) => hello) => {
  const target = new URL(mongodb('CAIRN_MONGODB_URL'))
  const sockets = new Set<Socket>()
  const commands: Document[] = []
  let goes: 'both ways' | 'one way' | 'no way' = 'both ways'
  let losing: string | undefined
  const pass = (from: Socket, handle: (chunk: Buffer) => void) => {
    sockets.add(from)
    from.on('data', handle)
    from.on('error', () => undefined)
    from.on('close', () => sockets.delete(from))
  }
  const server = createServer((client) => {
    const engine = connect(Number(target.port || 27_017), target.hostname)
    let losesAnswer = false
    const note = messages((message) => {
      if (message.readInt32LE(12) !== opMsg) return
      const command = bodyOf(message)
      commands.push(command)
      if (losing === undefined || !(losing in command)) return
      losesAnswer = true
      losing = undefined
    })
    pass(client, (chunk) => {
      if (goes === 'no way') return
      note(chunk)
      engine.write(chunk)
    })
    const answer = messages((message) => {
      if (losesAnswer) client.destroy()
      if (goes !== 'both ways' || losesAnswer) return
      const body = bodyOf(message)
      client.write('localTime' in body ? withBody(message, disguise(body)) : message)
    })
    pass(engine, answer)
    client.on('close', () => engine.destroy())
    engine.on('close', () => client.destroy())
  })
  const restore = async (port: number) => {
    goes = 'both ways'
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  await restore(0)
  const { port } = server.address() as { port: number }
  onTestFinished(cut)
  const through = new URL(target)
  through.host = `127.0.0.1:${port}`
  // The driver would reach members of a replica set by their own names, past the proxy.
  through.searchParams.delete('replicaSet')
  through.searchParams.set('directConnection', 'true')
  return {
    url: through.toString(),
    /** Breaks open connections and refuses new connections. */
    cut,
    restore: () => restore(port),
    /** Keeps connections open, but passes nothing on. */
    silence: () => {
      goes = 'no way'
    },
    /** Passes commands on, but no responses. */
    withholdAnswers: () => {
      goes = 'one way'
    },
    /** Passes the next command of this name on, and breaks its connection when the response arrives. */
    loseAnswerTo: (command: string) => {
      losing = command
    },
    /** Breaks open connections and accepts new connections. */
    reset: () => {
      for (const socket of sockets) socket.destroy()
      goes = 'both ways'
    },
    /** Returns the commands sent during the call, without those that the driver sends by itself. */
    asked: async (call: () => Promise<unknown>): Promise<Document[]> => {
      const before = commands.length
      await call()
      const own = ['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']
      return commands.slice(before).filter((command) => !own.includes(Object.keys(command)[0] ?? ''))
    },
  }
}

/**
 * Returns the names of commands. `marker` is the linearizable read that precedes a read of the latest state; only a
 * primary confirmed by a majority answers it.
 */
const namesOf = (commands: readonly Document[]): (string | undefined)[] =>
  commands.map((command) => (command['find'] === 'schema' ? 'marker' : Object.keys(command)[0]))

/** Returns the server's description of itself without the fields of a replica set. */
const asAlone = ({ setName: _, logicalSessionTimeoutMinutes: __, ...hello }: Document): Document => hello

describeWithEngine('mongodb', (mongodb) => {
  const openAt = async (url: string): Promise<Store> => {
    const database = `cairn_test_${randomBytes(6).toString('hex')}`
    await migrateMongodb({ url: mongodb('CAIRN_MONGODB_URL'), database, log: () => undefined })
    const store = mongodbStore({ url, database })
    onTestFinished(async () => {
      await store.close()
      const client = new MongoClient(mongodb('CAIRN_MONGODB_URL'))
      await client.db(database).dropDatabase()
      await client.close()
    })
    return store
  }
  /** Expects `unavailable` within 15 s: the deadline of a step is 5 s, and the machine may be busy. */
  const expectUnavailable = async (call: Promise<unknown>) => {
    const from = performance.now()
    await expect(call).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: expect.any(Number) })
    expect(performance.now() - from).toBeLessThan(15_000)
  }

  /** Expects calls to succeed soon; the first may still use the broken connection. */
  const expectToWorkAgain = (store: Store) =>
    expect
      .poll(
        () =>
          store.accounts.get('nobody').then(
            () => 'works',
            () => 'fails',
          ),
        { timeout: 12_000 },
      )
      .toBe('works')

  for (const outage of ['cut', 'silence'] as const)
    it(`closes within the time of an orderly stop, with a method in progress (link: ${outage})`, async () => {
      const link = await openLink(mongodb)
      const store = await openAt(link.url)
      await store.accounts.get('nobody')
      link[outage]()
      const call = store.accounts.get('nobody').catch((error: unknown) => error)
      const from = performance.now()
      await store.close()
      expect(performance.now() - from).toBeLessThan(950)
      expect(await call).toMatchObject({ code: 'unavailable' })
    })

  it('is unavailable while the link is cut, and works again when it is back', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    await scene.accepted(['a'])
    link.cut()
    await Promise.all([
      expectUnavailable(store.items.get(scene.namespaceId, ['a'])),
      expectUnavailable(store.accept(scene.acceptInput(['b']))),
    ])
    await link.restore()
    await expectToWorkAgain(store)
    expect(await scene.item('a')).toBeDefined()
    await scene.accepted(['c'])
    await scene.expectExact()
  })

  it('is unavailable while no response arrives, and works again afterwards', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    link.silence()
    await Promise.all([
      expectUnavailable(scene.account()),
      expectUnavailable(store.accept(scene.acceptInput(times(100, (index) => `d${index}`)))),
    ])
    link.reset()
    await expectToWorkAgain(store)
    await scene.accepted(['c'])
    expect(await scene.item('c')).toBeDefined()
    await scene.expectExact()
  })

  it('is unavailable until its server is there, and works from then on', async () => {
    const link = await openLink(mongodb)
    link.cut()
    const store = await openAt(link.url)
    await expectUnavailable(store.now())
    await link.restore()
    await expectToWorkAgain(store)
    await createScene(store)
  })

  it('does not repeat a method whose write has an unknown outcome', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    const asked = await link.asked(async () => {
      link.withholdAnswers()
      await expectUnavailable(store.accounts.update(scene.accountId, { tier: 'professional' }))
      link.reset()
      await expectToWorkAgain(store)
    })
    const writes = asked.filter((command) => !('find' in command))
    // Only the driver may send the command again, with the same transaction number.
    expect(new Set(namesOf(writes))).toEqual(new Set(['findAndModify']))
    expect(new Set(writes.map(({ txnNumber }) => String(txnNumber))).size).toBe(1)
    expect(await scene.account()).toMatchObject({ tier: 'professional' })
  })

  it.each(['update', 'findAndModify'])(
    'applies a write once (%s) that is sent again because its answer was lost',
    async (write) => {
      const link = await openLink(mongodb)
      const store = await openAt(link.url)
      const add = () =>
        write === 'update'
          ? store.usage.add([{ accountId: 'acc', period: '2026-01', requests: 1, credits: 2 }])
          : store.usage.addWithin('acc', '2026-01', 2, 10)
      await add()
      const asked = await link.asked(() => {
        link.loseAnswerTo(write)
        return add()
      })
      const sent = asked.filter((command) => write in command)
      expect(sent).toHaveLength(2)
      expect(sent[1]).toMatchObject({ lsid: sent[0]?.['lsid'], txnNumber: sent[0]?.['txnNumber'] })
      expect(await store.usage.get('acc', '2026-01')).toMatchObject({ requests: 2, credits: 4 })
    },
  )

  it('accepts 100 new documents in six round trips, five of them writes, each with a deadline, written to the disks of a majority', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    // The first event of an account begins its counter.
    await scene.accepted(['before'])
    const ids = times(100, (index) => `d${index}`)
    const asked = await link.asked(() => scene.accepted(ids))
    const [find, update, change, insert] = ['find', 'update', 'findAndModify', 'insert']
    // Three commands are sent together: enter the account, enter the namespace, insert the record.
    expect(namesOf(asked.slice(1, 4)).toSorted()).toEqual([change, insert, update])
    expect(namesOf([...asked.slice(0, 1), ...asked.slice(4, 6)])).toEqual([find, insert, change])
    // While the request leaves the account and the namespace, it draws the number of its event and inserts the event.
    expect(namesOf(asked.slice(6)).toSorted()).toEqual([change, change, insert, update].toSorted())
    const drawn = asked.findIndex((command) => command['findAndModify'] === 'eventCounters')
    expect(drawn).toBeLessThan(asked.findIndex((command) => command['insert'] === 'events'))
    for (const command of asked) {
      expect(command).toMatchObject({ maxTimeMS: 5_000 })
      if (!('find' in command))
        expect(command).toMatchObject({ writeConcern: { w: 'majority', j: true, wtimeout: 5_000 } })
    }
  })

  it('removes 100 items of a namespace that is being deleted by one find of the latest state and one delete', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    await scene.accepted(times(100, (index) => `d${index}`))
    const { namespaceId } = scene
    const sent = await link.asked(async () => {
      expect(await store.items.removeOfNamespace(namespaceId, 500)).toBe(100)
    })
    expect(namesOf(sent)).toEqual(['marker', 'find', 'delete'])
    expect(sent[2]).toMatchObject({ maxTimeMS: 5_000, writeConcern: { w: 'majority', j: true, wtimeout: 5_000 } })
    expect(await store.items.count(namespaceId)).toBe(0)
  })

  it('writes the usage of 500 accounts by one command of increments, and a second one where a period begins', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    await store.now()
    const tallies = times(500, (index) => ({ accountId: `acc_${index}`, period: '2026-01', requests: 1, credits: 1 }))
    expect(namesOf(await link.asked(() => store.usage.add(tallies)))).toEqual(['find', 'insert', 'update'])
    const [find, update, ...others] = await link.asked(() => store.usage.add(tallies))
    expect(others).toEqual([])
    expect(find).toMatchObject({ find: 'usage' })
    expect(update).toMatchObject({ update: 'usage', ordered: false })
    expect(await store.usage.get('acc_499', '2026-01')).toMatchObject({ requests: 2 })
  })

  it('writes usage by day in as many commands, and reads it by one range of the key', async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    await store.now()
    const tallies = times(500, (index) => ({
      accountId: 'acc',
      kind: 'namespace' as const,
      day: '2026-01-31',
      name: `ns-${index}`,
      requests: 1,
      credits: 1,
    }))
    const { dailyUsage } = store
    expect(namesOf(await link.asked(() => dailyUsage.add(tallies)))).toEqual(['find', 'insert', 'update'])
    expect(namesOf(await link.asked(() => dailyUsage.add(tallies)))).toEqual(['find', 'update'])
    const range = { from: '2026-01-01', to: '2026-01-31', limit: 1_000 }
    const asked = await link.asked(async () => {
      expect(await dailyUsage.page('acc', 'namespace', range)).toHaveLength(500)
    })
    expect(asked).toMatchObject([
      {
        find: 'dailyUsage',
        filter: { _id: { $gt: 'acc/namespace/2026-01-01/', $lt: 'acc/namespace/2026-01-310' } },
        sort: { _id: 1 },
      },
    ])
  })

  /** Creates a namespace, and functions that return the reads that a call sends, and the levels of these reads. */
  const watched = async () => {
    const link = await openLink(mongodb)
    const store = await openAt(link.url)
    const scene = await createScene(store)
    const reads = async (call: () => Promise<unknown>) =>
      (await link.asked(call)).filter(({ readConcern }) => readConcern)
    const levels = async (call: () => Promise<unknown>) =>
      (await reads(call)).map(({ readConcern }) => readConcern.level)
    return { store, scene, reads, levels }
  }

  it('reads the latest state for decisions, and majority-committed data otherwise, from a replica set', async () => {
    const { store, scene, levels } = await watched()
    await scene.accepted(['a', 'b'])
    const { namespaceId } = scene
    expect(await levels(() => store.items.latestStates(namespaceId, ['a']))).toEqual(['linearizable'])
    expect(await levels(() => store.items.latestStates(namespaceId, ['a', 'b']))).toEqual(['linearizable', 'majority'])
    expect(await levels(() => store.files.latestStates(['f']))).toEqual(['linearizable'])
    expect(await levels(() => store.items.count(namespaceId))).toEqual(['linearizable', 'majority'])
    expect(await levels(() => store.countSlice(namespaceId))).toEqual(['linearizable', 'linearizable', 'majority'])
  })

  it('reads majority-committed data for search, paging and listing, of any number of files with one find', async () => {
    const { store, scene, reads, levels } = await watched()
    await scene.accepted(['a'])
    const { namespaceId } = scene
    const ids = times(50, (index) => `file_${index}`)
    expect(await reads(() => store.files.many(ids))).toMatchObject([
      { find: 'files', filter: { _id: { $in: ids } }, readConcern: { level: 'majority' }, maxTimeMS: 5_000 },
    ])
    const calls: Record<string, () => Promise<unknown>> = {
      items: () => store.items.get(namespaceId, ['a', 'b']),
      states: () => store.items.states(namespaceId, ['a', 'b']),
      chunks: () => store.chunks.get([{ version: 'v', itemId: 'a' }]),
      file: () => store.files.get('f'),
      page: () => store.items.page(namespaceId, { limit: 10 }),
      'page of chunks': () => store.chunks.page(namespaceId, { limit: 10 }),
      'page of files': () => store.files.page(namespaceId, { limit: 10 }),
      namespace: () => store.namespaces.byName(scene.accountId, scene.name),
      key: () => store.keys.get('k'),
    }
    for (const [name, call] of Object.entries(calls))
      expect({ name, levels: await levels(call) }).toEqual({ name, levels: ['majority'] })
  })

  it('sends no linearizable read but for one document by its id, with a deadline', async () => {
    const { store, scene, reads } = await watched()
    const ids = times(20, (index) => `d${index}`)
    const sent = await reads(async () => {
      const version = await scene.indexed(ids)
      await store.items.dropStale(scene.namespaceId, 'd0', [version])
      await store.items.latestStates(scene.namespaceId, ids)
      await store.deleteItems(scene.deleteInput(ids.slice(0, 5)))
      await store.countSlice(scene.namespaceId)
      await store.sumAccount(scene.accountId)
      await store.recoverNamespace(scene.namespaceId, 0)
      await store.uploads.takeOver(version, 0)
      await store.uploads.reopen({ after: 0, before: Date.now(), limit: 10 })
      await store.uploads.prune(Date.now(), 10)
      await store.beginNamespaceDeletion(scene.namespaceId, 'del_1', 0)
      await store.items.removeOfNamespace(scene.namespaceId, 10)
      for (const kind of ['uploads', 'files', 'deletions', 'chunks', 'grants'] as const)
        await store[kind].countOfNamespace(scene.namespaceId)
    })
    const linearizable = sent.filter(({ readConcern }) => readConcern.level === 'linearizable')
    expect(linearizable.length).toBeGreaterThan(10)
    for (const command of linearizable) {
      expect(command).toMatchObject({ find: expect.any(String), maxTimeMS: 5_000, filter: { _id: expect.any(String) } })
    }
  })

  it('numbers the writes to a replica set, so that a repeated one is applied once, and only those', async () => {
    const numbers = async (url: string, asked: (call: () => Promise<unknown>) => Promise<Document[]>) => {
      const scene = await createScene(await openAt(url))
      await scene.accepted(['before'])
      const writes = (await asked(() => scene.accepted(['a', 'b']))).filter((command) => !('find' in command))
      expect(writes).toHaveLength(9)
      return writes.map((command) => 'txnNumber' in command)
    }
    const [member, alone] = [await openLink(mongodb), await openLink(mongodb, asAlone)]
    expect(await numbers(member.url, member.asked)).toEqual(times(9, () => true))
    expect(await numbers(alone.url, alone.asked)).toEqual(times(9, () => false))
  })
})

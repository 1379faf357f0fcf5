import { randomBytes } from 'node:crypto'
import type { Step } from '@cairn/domain/ports/store'
import {
  allOverdueMs,
  createScene,
  mint,
  namespaceInput,
  settledAs,
  sweep,
  times,
} from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { storeContract } from '@cairn/domain/store.contract'
import { describeWithEngine, type EngineSettings } from '@cairn/testing/engines'
import { stalled } from '@cairn/testing/stalled'
import { stepsUnderWay } from '@cairn/testing/steps-under-way'
import { storeByStep } from '@cairn/testing/store-by-step'
import { MongoClient } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { engineContract } from './engine.contract.ts'
import { mongodbStore } from './mongodb.ts'
import { mongodbConnection } from './mongodb-connection.ts'
import { migrateMongodb } from './mongodb-schema.ts'

/** Creates a database; `drop` removes it. */
const newDatabase = async (mongodb: EngineSettings) => {
  const url = mongodb('CAIRN_MONGODB_URL')
  const database = `cairn_test_${randomBytes(6).toString('hex')}`
  const drop = async () => {
    const client = new MongoClient(url)
    await client.db(database).dropDatabase()
    await client.close()
  }
  await migrateMongodb({ url, database, log: () => undefined })
  return { url, database, drop }
}

describeWithEngine('mongodb', (mongodb) => {
  storeContract({
    open: async () => {
      const { url, database, drop } = await newDatabase(mongodb)
      let shiftMs = 0
      const options = { url, database, timeShift: () => shiftMs }
      const store = mongodbStore(options)
      const { execute, close } = mongodbConnection(options)
      return {
        store: {
          ...store,
          close: async () => {
            await Promise.all([close(), store.close()])
            await drop()
          },
        },
        advance: (ms) => {
          shiftMs += ms
        },
        stall: (step, call, { element, aheadMs } = {}) =>
          stalled((hooks) => storeByStep({ apply: (one) => execute(one), ...hooks, elementTurns: true, aheadMs }), {
            step,
            element,
            call,
          }),
      }
    },
    lacks: {},
  })

  /** Opens a database for the running test. */
  const open = async () => {
    const { drop, ...at } = await newDatabase(mongodb)
    const clock = { shiftMs: 0 }
    const options = { url: at.url, database: at.database, timeShift: () => clock.shiftMs }
    const store = mongodbStore(options)
    const { execute, close } = mongodbConnection(options)
    onTestFinished(async () => {
      await Promise.all([close(), store.close()])
      await drop()
    })
    return { ...at, options, store, execute, clock }
  }

  engineContract(async () => (await open()).execute)

  it('loses no count and passes no limit under 200 callers', async () => {
    const { store } = await open()
    const scene = await createScene(store)
    const accepted = await settledAs(
      times(200, (index) => store.accept(scene.acceptInput([`d${index}`], { limit: 120 }))),
      ({ outcome }) => outcome === 'accepted',
    )
    expect(accepted).toBe(120)
    await scene.expectExact()
    const created = await settledAs(
      times(200, () => store.createNamespace({ ...namespaceInput(scene.accountId), limit: 11 })),
      (result) => result === 'created',
    )
    expect(created).toBe(10)
    const counted = await settledAs(
      times(200, () => store.usage.addWithin(scene.accountId, '2026-01', 2, 150)),
      (usage) => usage !== undefined,
    )
    expect(counted).toBe(150)
    expect(await store.usage.get(scene.accountId, '2026-01')).toMatchObject({ requests: 150, credits: 300 })
    expect(await scene.account()).toMatchObject({
      counts: { documents: 120, namespaces: 11 },
      held: { documents: 120, namespaces: 11 },
    })
  })

  it('ends calls in progress when it is closed, and rejects later ones', async () => {
    const { store } = await open()
    const scene = await createScene(store)
    const underWay = store.accept(scene.acceptInput(times(30, (index) => `d${index}`)))
    await Promise.all([store.close(), store.close()])
    await expect(underWay).resolves.toMatchObject({ outcome: 'accepted' })
    await expect(store.accounts.get(scene.accountId)).rejects.toMatchObject({ code: 'unavailable' })
    await store.close()
  })

  it('can be closed before it was used', async () => {
    const { url, database } = await open()
    const store = mongodbStore({ url, database })
    await store.close()
    await expect(store.now()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is repaired by sweeps wherever a method is interrupted, before any step or element', async () => {
    const { store, execute, clock } = await open()
    /**
     * Runs the call and interrupts it before the step of this number; resolves to whether the call reached that step.
     */
    const dieBefore = async (number: number, call: (cut: Store) => Promise<unknown>): Promise<boolean> => {
      const { promise: died, resolve: die } = Promise.withResolvers<boolean>()
      const { began, ended, quiet } = stepsUnderWay()
      let left = number
      const turn = () => {
        left -= 1
        if (left > 0) return began()
        void quiet().then(() => die(true))
        return new Promise<never>(() => undefined)
      }
      const finished = call(
        storeByStep({ apply: (step: Step) => execute(step), turn, ended, elementTurns: true }),
      ).then(() => false)
      return Promise.race([died, finished])
    }
    const scene = await createScene(store)
    const calls: Record<string, (cut: Store) => Promise<unknown>> = {
      upload: (cut) => cut.accept(scene.acceptInput(['a', 'b', 'c'])),
      delete: (cut) => cut.deleteItems(scene.deleteInput(['a', 'c'])),
      namespace: (cut) => cut.createNamespace(namespaceInput(scene.accountId)),
      adoption: async (cut) => {
        const { deletionId, ...input } = scene.deleteInput(['a', 'b'])
        await stalled((hooks) => storeByStep({ apply: (step: Step) => execute(step), ...hooks }), {
          step: 'delete: remove items',
          call: (other) => other.deleteItems({ ...input, deletionId }),
        })
        clock.shiftMs += allOverdueMs
        await cut.deletions.takeOver(deletionId, mint('lease'))
      },
    }
    const cuts: Record<string, number> = {}
    for (const [name, call] of Object.entries(calls)) {
      for (let number = 1; ; number += 1) {
        await scene.accepted(['a', 'b'])
        if (!(await dieBefore(number, call))) break
        cuts[name] = number
        clock.shiftMs += allOverdueMs
        await sweep(scene)
        await scene.expectExact()
      }
    }
    expect(cuts).toEqual({
      upload: expect.any(Number),
      delete: expect.any(Number),
      namespace: expect.any(Number),
      adoption: expect.any(Number),
    })
    for (const count of Object.values(cuts)) expect(count).toBeGreaterThanOrEqual(6)
  })
})

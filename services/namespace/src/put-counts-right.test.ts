import { AppError } from '@cairn/contracts/errors'
import { createScene, mint, namespaceInput, wallAt } from '@cairn/ports/metadata/contract/scene'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseData, stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { expect, it } from 'vitest'
import { putCountsRight } from './put-counts-right.ts'

const setUp = async () => {
  const { clock, pass } = createManualClock(wallAt)
  const data = stepwiseData()
  const now = clock.monotonic
  const metadata = stepwiseMetadata({ data, now })
  const scene = await createScene(metadata)
  /** A process that dies, or one that stands still, before a step. */
  const dyingAt = (at: string) =>
    stepwiseMetadata({
      data,
      now,
      turn: (step) => {
        if (step === at) throw new AppError('unavailable', 'died')
      },
    })
  const die = async (at: string, ids: readonly string[]) => {
    await expect(dyingAt(at).accept(scene.acceptInput(ids))).rejects.toThrow('died')
  }
  const sweep = putCountsRight({ metadata, clock })
  const open = async () => ({ namespace: (await scene.namespace()).openCount, account: (await scene.account()).reservationCount })
  return { ...scene, dyingAt, die, sweep, open, pass }
}

it('leaves operations that are under way alone', async () => {
  const { die, sweep, open, pass } = await setUp()
  await die('accept: leave namespace', ['a'])
  await sweep()
  pass(59_999)
  await sweep()
  expect(await open()).toEqual({ namespace: 1, account: 1 })
})

it.each([
  ['before it wrote anything', 'accept: record', 0],
  ['between record and items', 'accept: insert items', 0],
  ['before it left the namespace', 'accept: leave namespace', 2],
  ['before it left the account', 'accept: leave account', 2],
])('counts again once a request that died %s is overdue', async (_, step, items) => {
  const { die, sweep, open, pass, namespace, account, expectExact } = await setUp()
  await die(step, ['a', 'b'])
  pass(60_000)
  await sweep()
  expect(await open()).toEqual({ namespace: 0, account: 0 })
  expect([(await namespace()).itemCount, (await account()).held.documents]).toEqual([items, items])
  await expectExact()
})

it('gives back the slot of a namespace that was never made', async () => {
  const { dyingAt, accountId, sweep, pass, expectExact } = await setUp()
  await expect(dyingAt('create namespace: insert').createNamespace(namespaceInput(accountId))).rejects.toThrow('died')
  pass(60_000)
  await sweep()
  await expectExact()
})

it('closes the entry for a moment when a busy namespace has had no quiet one for a minute', async () => {
  const { die, accepted, dyingAt, acceptInput, sweep, open, pass, namespace, account, expectExact } = await setUp()
  await die('accept: leave namespace', ['dead'])
  pass(60_000)
  /** There is always a request that has entered and not yet left. */
  const busy = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      await expect(dyingAt('accept: leave namespace').accept(acceptInput([mint('busy')]))).rejects.toThrow('died')
      await sweep()
      pass(5_000)
    }
  }
  await busy(60)
  expect((await namespace()).entryClosedUntil).toBe(0)
  expect((await open()).namespace).toBe(13)
  await busy(5)
  expect((await namespace()).entryClosedUntil).toBeGreaterThan(0)
  expect((await account()).entryClosedUntil).toBeGreaterThan(0)
  await expect(accepted(['refused'])).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
  pass(10_000)
  await accepted(['let in'])
  pass(50_000)
  await sweep()
  expect(await open()).toEqual({ namespace: 0, account: 0 })
  await expectExact()
})

it('forgets how long a namespace was busy once it came to rest', async () => {
  const { die, dyingAt, acceptInput, sweep, pass, namespace } = await setUp()
  for (let round = 0; round < 4; round += 1) {
    await die('accept: leave namespace', [mint('dead')])
    pass(40_000)
    await expect(dyingAt('accept: leave namespace').accept(acceptInput([mint('late')]))).rejects.toThrow('died')
    pass(20_000)
    await sweep()
    pass(40_000)
    await sweep()
    expect((await namespace()).openCount).toBe(0)
  }
  expect((await namespace()).entryClosedUntil).toBe(0)
})

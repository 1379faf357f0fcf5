import { AppError } from '@cairn/contracts/errors'
import { createScene, namespaceInput, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { recoverCounts } from './recover-counts.ts'

const setUp = async () => {
  const { clock, pass } = createManualClock(wallAt)
  const data = stepwiseData()
  const now = clock.monotonic
  const store = stepwiseStore({ data, now })
  const scene = await createScene(store)
  /** Returns metadata that fails before a step, as if the process died. */
  const dyingAt = (at: string) =>
    stepwiseStore({
      data,
      now,
      turn: (step) => {
        if (step === at) throw new AppError('unavailable', 'died')
      },
    })
  const die = async (at: string, ids: readonly string[]) => {
    await expect(dyingAt(at).accept(scene.acceptInput(ids))).rejects.toThrow('died')
  }
  const sweep = recoverCounts({ store, clock })
  const open = async () => ({
    namespace: (await scene.namespace()).openCount,
    account: (await scene.account()).reservationCount,
  })
  return { ...scene, dyingAt, die, sweep, open, pass }
}

it('leaves operations that are under way alone', async () => {
  const { die, sweep, open, pass } = await setUp()
  await die('accept: leave account', ['a'])
  await sweep()
  pass(59_999)
  await sweep()
  expect(await open()).toEqual({ namespace: 1, account: 1 })
})

it.each([
  ['before it wrote anything', 'accept: record', 0],
  ['between record and items', 'accept: insert items', 0],
  ['before it left the account', 'accept: leave account', 2],
  ['before it left the namespace', 'accept: leave namespace', 2],
])('counts what a request that died %s has written once it is overdue', async (_, step, items) => {
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

it('needs no quiet moment: a busy namespace is recovered while others come and go, and nobody is refused', async () => {
  const { die, dyingAt, acceptInput, accepted, sweep, open, pass, store, namespace, account } = await setUp()
  await die('accept: leave account', ['dead'])
  pass(59_000)
  await expect(dyingAt('accept: leave account').accept(acceptInput(['busy']))).rejects.toThrow('died')
  pass(1_000)
  await sweep()
  expect(await open()).toEqual({ namespace: 1, account: 1 })
  expect(await namespace()).toMatchObject({ itemCount: 1, entryClosedUntil: 0 })
  expect(await account()).toMatchObject({ counts: { documents: 1 } })
  await accepted(['others'])
  expect(await store.createNamespace(namespaceInput((await account()).id))).toBe('created')
})

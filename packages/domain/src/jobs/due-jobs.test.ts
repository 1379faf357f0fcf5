import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Upload } from '../items/record.ts'
import { createScene, times } from '../protocol/scene.fixture.ts'
import type { JobStore } from '../store.ts'
import { DueJobs } from './due-jobs.ts'
import type { Lane } from './record.ts'

const lanes: readonly Lane[] = ['short', 'long']

/**
 * Creates accounts with the given numbers of jobs. `choose` leases the next job; `callsOf` counts the store calls of an
 * action.
 */
const setUp = async (jobsOf: readonly number[]) => {
  const store = stepwiseStore({ now: () => 0 })
  const scenes = await Promise.all(jobsOf.map(() => createScene(store)))
  for (const [index, jobs] of jobsOf.entries())
    for (const job of times(jobs, String)) await scenes[index]?.accepted([job])
  const accounts = scenes.map(({ accountId }) => accountId)
  let calls = 0
  const counted: Pick<JobStore<Upload>, 'dueAccount' | 'dueOf'> = {
    dueAccount: (...args) => {
      calls += 1
      return store.uploads.dueAccount(...args)
    },
    dueOf: (...args) => {
      calls += 1
      return store.uploads.dueOf(...args)
    },
  }
  const dueJobs = new DueJobs(counted)
  /** Chooses and leases a job; returns the index of its account, or the result of `next` if it finds no job. */
  const choose = async (isFreeFor = (_account: string): boolean => true) => {
    const from = await dueJobs.next(lanes, isFreeFor)
    const [job] = typeof from === 'string' ? [] : from.jobs
    if (typeof from === 'string' || !job) return from
    expect(await store.uploads.lease(job.id, 'lease')).toBeDefined()
    dueJobs.recordStarted(from, job)
    return accounts.indexOf(from.account)
  }
  const callsOf = async (what: () => Promise<unknown>): Promise<number> => {
    const before = calls
    await what()
    return calls - before
  }
  return { store, scenes, accounts, dueJobs, choose, callsOf }
}

it('takes a job of each account in turn', async () => {
  const { choose } = await setUp([3, 2, 1])
  const chosen: unknown[] = []
  for (const _ of times(7, String)) chosen.push(await choose())
  expect(new Set(chosen.slice(0, 4))).toEqual(new Set([0, 1, 2]))
  expect(chosen.slice(0, 6).toSorted()).toEqual([0, 0, 0, 1, 1, 2])
  expect(chosen.at(-1)).toBe('none')
})

it('comes to an account that is new before it comes again to one that has many jobs', async () => {
  const { choose, store, accounts } = await setUp([20])
  expect([await choose(), await choose()]).toEqual([0, 0])
  const late = await createScene(store)
  await late.accepted(['a'])
  accounts.push(late.accountId)
  expect(await choose()).toBe(1)
})

it('says that jobs are blocked when their accounts have no free slot, and takes those of others', async () => {
  const { choose, accounts } = await setUp([1, 1])
  const isFree = (account: string) => account !== accounts[0]
  expect([await choose(isFree), await choose(isFree), await choose(), await choose()]).toEqual([
    1,
    'blocked',
    0,
    'none',
  ])
})

it('goes on to others when the lease on a job is refused', async () => {
  const { dueJobs } = await setUp([1, 1])
  const first = await dueJobs.next(lanes, () => true)
  if (typeof first === 'string') throw new Error('nothing is due')
  dueJobs.recordMissed(first)
  const next = await dueJobs.next(lanes, () => true)
  expect(typeof next === 'string' ? next : next.account).not.toBe(first.account)
})

it('looks up a few things for each choice, however many accounts have due jobs', async () => {
  const { choose, callsOf } = await setUp(times(300, () => 1))
  const costs: number[] = []
  const chosen = new Set<unknown>()
  for (const _ of times(300, String)) costs.push(await callsOf(async () => chosen.add(await choose())))
  expect(chosen.size).toBe(300)
  expect(Math.max(...costs)).toBeLessThanOrEqual(12)
  expect(await choose()).toBe('none')
})

it('lets namespaces of an account take turns in each lane', async () => {
  const queue = (namespaceId: string, lane: Lane, count: number) =>
    times(count, (index) => ({
      id: `${namespaceId} ${lane} ${index}`,
      namespaceId,
      lane,
      nextAttemptAt: index,
      bytes: 1,
    }))
  let due = [...queue('first', 'long', 9), ...queue('second', 'short', 9), ...queue('second', 'long', 1)]
  const dueJobs = new DueJobs({
    dueAccount: async (_, after) => (after === '' ? 'account' : undefined),
    dueOf: async (_, lane, after) => {
      const jobs = due.filter((job) => job.lane === lane)
      return jobs.filter(({ namespaceId }) => namespaceId > after).concat(jobs)
    },
  })
  const chosen: string[] = []
  for (const lane of ['short', 'long', 'short', 'long'] as const) {
    const from = await dueJobs.next([lane], () => true)
    const [job] = typeof from === 'string' ? [] : from.jobs
    if (typeof from === 'string' || !job) throw new Error('nothing is due')
    dueJobs.recordStarted(from, job)
    due = due.filter(({ id }) => id !== job.id)
    chosen.push(job.id)
  }
  expect(chosen).toEqual(['second short 0', 'first long 0', 'second short 1', 'second long 0'])
})

import type { JobStore } from '../store.ts'
import type { DueJob } from './jobs.ts'
import type { Job, Lane } from './record.ts'
import { createTurnOrder } from './turn-order.ts'

type Candidates = { readonly account: string; readonly lane: Lane; readonly jobs: readonly DueJob[] }

type IsFree = (account: string, lane: Lane) => boolean

/** More than one, because another process may lease the first at the same moment. */
const candidates = 4
/** Accounts per lane read ahead of each choice. With no more accounts than this, a new one is found at once. */
const maxReadAhead = 4

/** `last`: namespace whose job was started last, by lane. */
type AccountState = { readonly lanes: Set<Lane>; readonly last: Record<Lane, string> }

/**
 * Orders due jobs: accounts take turns by bytes, namespaces within an account. A choice costs a few look-ups however
 * many accounts there are. The lease decides who runs a job. Calls must not overlap.
 */
export const createDueJobs = (jobStore: Pick<JobStore<Job>, 'dueAccount' | 'dueOf'>) => {
  const order = createTurnOrder()
  const accounts = new Map<string, AccountState>()
  const cursors: Record<Lane, string> = { short: '', long: '' }

  const addAccount = (account: string, lane: Lane) => {
    const { lanes } = accounts.get(account) ?? { lanes: new Set<Lane>() }
    if (lanes.size === 0) accounts.set(account, { lanes, last: { short: '', long: '' } })
    lanes.add(lane)
    order.add(account)
  }
  const removeAccount = (account: string, lane: Lane) => {
    const { lanes } = accounts.get(account) ?? {}
    lanes?.delete(lane)
    if (lanes?.size !== 0) return
    accounts.delete(account)
    order.remove(account)
  }

  /** Continues after the last call, wrapping around, until it finds an unknown account. */
  const readAhead = async (lane: Lane) => {
    const start = cursors[lane]
    let hasTurned = start === ''
    for (let reads = 0; reads < maxReadAhead; reads += 1) {
      const account = await jobStore.dueAccount(lane, cursors[lane])
      cursors[lane] = account ?? ''
      if (account === undefined && hasTurned) return
      if (account === undefined) hasTurned = true
      else if (!accounts.get(account)?.lanes.has(lane)) return addAccount(account, lane)
      else if (start !== '' && hasTurned && account >= start) return
    }
  }

  /** Reads from the first account on; at most as many accounts as slots have none free. */
  const findFreeAccount = async (lane: Lane, isFreeFor: IsFree): Promise<'found' | 'blocked' | 'none'> => {
    let result: 'blocked' | 'none' = 'none'
    for (let after = ''; ; result = 'blocked') {
      const account = await jobStore.dueAccount(lane, after)
      if (account === undefined) return result
      addAccount(account, lane)
      if (isFreeFor(account, lane)) return 'found'
      after = account
    }
  }

  const dueOf = async (account: string, lane: Lane): Promise<Candidates | undefined> => {
    const jobs = await jobStore.dueOf(account, lane, accounts.get(account)?.last[lane] ?? '', candidates)
    if (jobs.length > 0) return { account, lane, jobs }
    removeAccount(account, lane)
    return undefined
  }

  const nextJob = async (lanes: readonly Lane[], isFreeFor: IsFree) => {
    for (;;) {
      const open = (account: string) =>
        lanes.filter((lane) => accounts.get(account)?.lanes.has(lane) && isFreeFor(account, lane))
      const account = order.next((one) => open(one).length > 0)
      if (account === undefined) return undefined
      const found = (await Promise.all(open(account).map((lane) => dueOf(account, lane)))).filter(
        (one) => one !== undefined,
      )
      const dueAt = ({ jobs: [first] }: Candidates) => first?.nextAttemptAt ?? 0
      const [oldest] = found.toSorted((a, b) => dueAt(a) - dueAt(b))
      if (oldest) return oldest
    }
  }

  return {
    /** `blocked`: jobs are due, but none has a slot. `none`: nothing is due in these lanes. */
    next: async (lanes: readonly Lane[], isFreeFor: IsFree): Promise<Candidates | 'blocked' | 'none'> => {
      await Promise.all(lanes.map(readAhead))
      for (;;) {
        const found = await nextJob(lanes, isFreeFor)
        if (found) return found
        const results = await Promise.all(lanes.map((lane) => findFreeAccount(lane, isFreeFor)))
        if (!results.includes('found')) return results.includes('blocked') ? 'blocked' : 'none'
      }
    },
    recordStarted: ({ account, lane }: Candidates, { namespaceId, bytes }: DueJob): void => {
      const one = accounts.get(account)
      if (one) one.last[lane] = namespaceId
      order.charge(account, bytes)
    },
    /** Removes the account from the lane, as other processes hold all candidates. */
    recordMissed: ({ account, lane }: Candidates): void => removeAccount(account, lane),
  }
}

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
export class DueJobs {
  readonly #jobStore: Pick<JobStore<Job>, 'dueAccount' | 'dueOf'>
  readonly #order = createTurnOrder()
  readonly #accounts = new Map<string, AccountState>()
  readonly #cursors: Record<Lane, string> = { short: '', long: '' }

  constructor(jobStore: Pick<JobStore<Job>, 'dueAccount' | 'dueOf'>) {
    this.#jobStore = jobStore
  }

  /** `blocked`: jobs are due, but none has a slot. `none`: nothing is due in these lanes. */
  async next(lanes: readonly Lane[], isFreeFor: IsFree): Promise<Candidates | 'blocked' | 'none'> {
    await Promise.all(lanes.map((lane) => this.#readAhead(lane)))
    for (;;) {
      const found = await this.#nextJob(lanes, isFreeFor)
      if (found) return found
      const results = await Promise.all(lanes.map((lane) => this.#findFreeAccount(lane, isFreeFor)))
      if (!results.includes('found')) return results.includes('blocked') ? 'blocked' : 'none'
    }
  }

  recordStarted({ account, lane }: Candidates, { namespaceId, bytes }: DueJob): void {
    const one = this.#accounts.get(account)
    if (one) one.last[lane] = namespaceId
    this.#order.charge(account, bytes)
  }

  /** Removes the account from the lane, as other processes hold all candidates. */
  recordMissed({ account, lane }: Candidates): void {
    this.#removeAccount(account, lane)
  }

  #hasLane(account: string, lane: Lane): boolean {
    return this.#accounts.get(account)?.lanes.has(lane) ?? false
  }

  #addAccount(account: string, lane: Lane): void {
    const { lanes } = this.#accounts.get(account) ?? { lanes: new Set<Lane>() }
    if (lanes.size === 0) this.#accounts.set(account, { lanes, last: { short: '', long: '' } })
    lanes.add(lane)
    this.#order.add(account)
  }

  #removeAccount(account: string, lane: Lane): void {
    const { lanes } = this.#accounts.get(account) ?? {}
    lanes?.delete(lane)
    if (lanes?.size !== 0) return
    this.#accounts.delete(account)
    this.#order.remove(account)
  }

  /** Continues after the last call, wrapping around, until it finds an unknown account. */
  async #readAhead(lane: Lane): Promise<void> {
    const start = this.#cursors[lane]
    let hasTurned = start === ''
    for (let reads = 0; reads < maxReadAhead; reads += 1) {
      const account = await this.#jobStore.dueAccount(lane, this.#cursors[lane])
      this.#cursors[lane] = account ?? ''
      if (account === undefined && hasTurned) return
      if (account === undefined) hasTurned = true
      else if (!this.#hasLane(account, lane)) return this.#addAccount(account, lane)
      else if (start !== '' && hasTurned && account >= start) return
    }
  }

  async #nextJob(lanes: readonly Lane[], isFreeFor: IsFree): Promise<Candidates | undefined> {
    for (;;) {
      const open = (account: string) => lanes.filter((lane) => this.#hasLane(account, lane) && isFreeFor(account, lane))
      const account = this.#order.next((one) => open(one).length > 0)
      if (account === undefined) return undefined
      const found = await Promise.all(open(account).map((lane) => this.#dueOf(account, lane)))
      const dueAt = ({ jobs: [first] }: Candidates) => first?.nextAttemptAt ?? 0
      const [oldest] = found.filter((one) => one !== undefined).toSorted((a, b) => dueAt(a) - dueAt(b))
      if (oldest) return oldest
    }
  }

  async #dueOf(account: string, lane: Lane): Promise<Candidates | undefined> {
    const last = this.#accounts.get(account)?.last[lane] ?? ''
    const jobs = await this.#jobStore.dueOf(account, lane, last, candidates)
    if (jobs.length > 0) return { account, lane, jobs }
    this.#removeAccount(account, lane)
    return undefined
  }

  /** Reads from the first account on; at most as many accounts as slots have none free. */
  async #findFreeAccount(lane: Lane, isFreeFor: IsFree): Promise<'found' | 'blocked' | 'none'> {
    let result: 'blocked' | 'none' = 'none'
    for (let after = ''; ; result = 'blocked') {
      const account = await this.#jobStore.dueAccount(lane, after)
      if (account === undefined) return result
      this.#addAccount(account, lane)
      if (isFreeFor(account, lane)) return 'found'
      after = account
    }
  }
}

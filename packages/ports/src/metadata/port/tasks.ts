import type { Task } from '../records.ts'

/** Leases last 30 s from the last `lease`, `advance` or `renew`. False: the lease is lost, and nothing was written. */
export interface TaskStore {
  get(name: string): Promise<Task | undefined>
  /**
   * Takes the lease of a task that nobody holds and that is due: never done, in the middle of a pass, or last done `everyMs` ago. Undefined
   * when it can't be had. The record is made by the first who asks.
   */
  lease(name: string, token: string, options: { readonly everyMs: number }): Promise<Task | undefined>
  /** Stores how far the pass is. */
  advance(name: string, token: string, cursor: string): Promise<boolean>
  renew(name: string, token: string): Promise<boolean>
  /** The pass has ended; the lease is given back. */
  done(name: string, token: string): Promise<boolean>
  /** Gives the lease back in the middle of a pass. */
  release(name: string, token: string): Promise<void>
}

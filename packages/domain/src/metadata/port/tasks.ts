import type { Task } from '../records.ts'

/** Leases last 30 s from the last `lease`, `advance` or `renew`. False: the lease is lost, and nothing was written. */
export interface TaskStore {
  get(name: string): Promise<Task | undefined>
  /**
   * Takes the lease of a task that is free and due: never done, in the middle of a pass, or last done `everyMs` ago.
   * Undefined when it can't be taken. The first call creates the record.
   */
  lease(name: string, token: string, options: { readonly everyMs: number }): Promise<Task | undefined>
  /** Stores the position of the pass. */
  advance(name: string, token: string, cursor: string): Promise<boolean>
  renew(name: string, token: string): Promise<boolean>
  /** Ends the pass and releases the lease. */
  done(name: string, token: string): Promise<boolean>
  /** Releases the lease in the middle of a pass. */
  release(name: string, token: string): Promise<void>
}

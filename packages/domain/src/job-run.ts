import type { Lease } from '@cairn/ports/metadata/port'
import type { Job } from '@cairn/ports/metadata/records'

/** How outside calls are made. */
export type JobSteps = {
  /**
   * Runs one outside call, with a deadline and the quick retries. A call that hangs ends the job, and with it the renewal of
   * the lease, so that another worker takes over.
   */
  step<T>(name: string, call: (signal: AbortSignal) => Promise<T>, options?: { readonly deadlineMs?: number }): Promise<T>
}

/** One job under its lease. */
export type JobRun<J extends Job> = JobSteps & {
  readonly job: J
  readonly lease: Lease
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal
  /** Milliseconds spent so far, per step name. */
  readonly times: Record<string, number>
  readonly trace: {
    /** Facts of the whole job. */
    set(facts: Readonly<Record<string, string | number | boolean | undefined>>): void
    /** A span around several steps. */
    phase<T>(name: string, work: () => Promise<T>): Promise<T>
  }
  /** Something lasting was done: the count of fruitless starts begins anew at the next renewal. */
  progress(): void
}

/** Nothing: the work wrote its own end. `againMs`: it can't go on yet. `waits`: only because others have work of it to do. */
export type WorkResult = undefined | { readonly againMs: number; readonly because: string; readonly waits?: boolean }

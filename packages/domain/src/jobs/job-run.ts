import type { Job, Lease } from './record.ts'

export type JobSteps = {
  /**
   * Calls another service with a deadline and quick retries. A call that hangs ends the run and the renewal of its
   * lease, so that another worker takes over.
   */
  step<T>(
    name: string,
    call: (signal: AbortSignal) => Promise<T>,
    options?: { readonly deadlineMs?: number },
  ): Promise<T>
}

export type JobRun<J extends Job> = JobSteps & {
  readonly job: J
  readonly lease: Lease
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal
  /** Milliseconds so far, by step. */
  readonly times: Record<string, number>
  readonly trace: {
    set(facts: Readonly<Record<string, string | number | boolean | undefined>>): void
    /** A span around several steps. */
    phase<T>(name: string, work: () => Promise<T>): Promise<T>
  }
  /** Reports durable progress: the next renewal resets the count of starts without progress. */
  progress(): void
}

/** Undefined: the work recorded its own end. `againMs`: retry after this time. `waits`: only other jobs hold it up. */
export type WorkResult = undefined | { readonly againMs: number; readonly because: string; readonly waits?: boolean }

/** `fault`: the work recorded its end, but a part failed by this internal error. */
export type PartialResult = WorkResult | { readonly fault: unknown }

/** The deletion removes the job, usually before it runs again. */
export const namespaceIsBeingDeleted: WorkResult = { againMs: 60_000, because: 'the namespace is being deleted' }

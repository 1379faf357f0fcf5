import type { Job, Lease } from './record.ts'

/** Interface through which a job makes calls to other services. */
export type JobSteps = {
  /**
   * Runs one call to another service with a deadline and quick retries. A call that hangs ends the run and the renewal
   * of its lease, so that another worker takes over.
   */
  step<T>(
    name: string,
    call: (signal: AbortSignal) => Promise<T>,
    options?: { readonly deadlineMs?: number },
  ): Promise<T>
}

/** Run of a job under its lease. */
export type JobRun<J extends Job> = JobSteps & {
  readonly job: J
  readonly lease: Lease
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal
  /** Milliseconds spent so far, by step name. */
  readonly times: Record<string, number>
  readonly trace: {
    /** Sets attributes of the job's span. */
    set(facts: Readonly<Record<string, string | number | boolean | undefined>>): void
    /** Records a span around several steps. */
    phase<T>(name: string, work: () => Promise<T>): Promise<T>
  }
  /** Reports durable progress: the next renewal resets the count of starts without progress. */
  progress(): void
}

/**
 * Undefined: the work recorded its own end. `againMs`: the job can't continue yet and is retried after this time.
 * `waits`: it can't continue only because other jobs do part of its work.
 */
export type WorkResult = undefined | { readonly againMs: number; readonly because: string; readonly waits?: boolean }

/** `fault`: the work recorded its own end, but a part of it failed by this internal error. */
export type PartialResult = WorkResult | { readonly fault: unknown }

/** Result of a job whose namespace is being deleted: the deletion removes the job, usually before it runs again. */
export const namespaceIsBeingDeleted: WorkResult = { againMs: 60_000, because: 'the namespace is being deleted' }

/** A line of a service's log. */
type Entry = {
  readonly level?: string
  readonly msg?: string
  readonly reason?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

const parsed = (line: string): Entry | undefined => {
  try {
    return JSON.parse(line) as Entry
  } catch {
    return undefined
  }
}

/** The logged reason of a process that ended by itself, since only a new start could help. */
export const endingOf = (line: string): string | undefined => {
  const entry = parsed(line)
  return entry?.msg === 'process ends' ? (entry.err?.message ?? 'no reason given') : undefined
}

/** Reasons that only a new start puts right: a lease that was lost, a consumer that takes nothing, and what the bus can't go on from. */
export const isGoodEnding = (reason: string): boolean =>
  /: (unhealthy: (leases|consumer)|Kafka: |Failed to find group coordinator)/.test(reason)

/** Mistakes of the program, whatever the engines did, in output that is not a log line. */
const mistakes = /unhandled|uncaught|fatal error|out of memory|MaxListenersExceeded|DeprecationWarning/i

/** Looked at elsewhere: messages put aside as dead letters, ends of processes and orderly stops by their exit codes. */
const judgedElsewhere = new Set([
  'message dead-lettered',
  'process ends',
  'services did not stop in time',
  'stores did not close in time',
])

/** Content that a log line must never have, whatever the engines do. */
export const faultIn = (line: string): string | undefined => {
  const entry = parsed(line)
  if (!entry) return mistakes.test(line) ? line : undefined
  if (entry.level !== 'error' || judgedElsewhere.has(entry.msg ?? '')) return undefined
  return [entry.msg ?? 'an error without a message', entry.reason, entry.err?.stack ?? entry.err?.message]
    .filter(Boolean)
    .join(': ')
}

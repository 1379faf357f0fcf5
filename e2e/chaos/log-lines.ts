/** A line of a service's log. */
type Entry = {
  readonly level?: string
  readonly msg?: string
  readonly reason?: string
  readonly topic?: string
  readonly partition?: number
  readonly offset?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

const parsed = (line: string): Entry | undefined => {
  try {
    return JSON.parse(line) as Entry
  } catch {
    return undefined
  }
}

/** Returns the logged reason of a process that exited by itself; undefined for any other line. */
export const endingOf = (line: string): string | undefined => {
  const entry = parsed(line)
  return entry?.msg === 'process ends' ? (entry.err?.message ?? 'no reason given') : undefined
}

/** Writes the position of a message on its topic. */
export const positionOf = ({ topic, partition, offset }: Pick<Entry, 'topic' | 'partition' | 'offset'>): string =>
  `${topic}/${partition}/${offset}`

/** Returns the position of the message that a line reports as unreadable; undefined for any other line. */
export const unreadableAt = (line: string): string | undefined => {
  const entry = parsed(line)
  return entry?.msg === 'message unreadable' ? positionOf(entry) : undefined
}

/**
 * Whether only a restart can fix the cause: a lost lease, a consumer that receives nothing, or an unrecoverable error
 * of the message bus.
 */
export const isGoodEnding = (reason: string): boolean =>
  /: (unhealthy: (leases|consumer)|Kafka: |Failed to find group coordinator)/.test(reason)

/** Matches programming errors, whatever the engines did, in output that is not a log line. */
const mistakes = /unhandled|uncaught|fatal error|out of memory|MaxListenersExceeded|DeprecationWarning/i

/** Messages that other checks cover: unreadable messages, process exits, and orderly stops (by exit code). */
const judgedElsewhere = new Set([
  'message unreadable',
  'process ends',
  'services did not stop in time',
  'stores did not close in time',
])

/**
 * Returns the part of an output line that must never occur, whatever the engines do: an error that no other check
 * covers. Undefined if the line has no such error.
 */
export const faultIn = (line: string): string | undefined => {
  const entry = parsed(line)
  if (!entry) return mistakes.test(line) ? line : undefined
  if (entry.level !== 'error' || judgedElsewhere.has(entry.msg ?? '')) return undefined
  return [entry.msg ?? 'an error without a message', entry.reason, entry.err?.stack ?? entry.err?.message]
    .filter(Boolean)
    .join(': ')
}

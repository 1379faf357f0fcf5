import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import type { Step } from '@cairn/domain/ports/store'
import { runStepsAsync } from '@cairn/domain/protocol/steps'
import { begin, readsOf, type Store, storeOver } from '@cairn/domain/store'
import { ThreadLink } from '../threads/link.ts'
import { sharedReads } from './shared-reads.ts'
import { openForReading, SqliteSteps, translateError, unpackDocument } from './sqlite-store.ts'
import type { StoreClock, WriteRequest, WriterOptions } from './sqlite-writer.ts'

export type SqliteStoreOptions = {
  /** Created with its folder if missing. The data directory's lock ensures that only one process opens it. */
  readonly file: string
  /** For tests: one float64, in milliseconds, added to store time and shared with the writer thread. */
  readonly timeShift?: SharedArrayBuffer
  /** For tests. */
  readonly onCommit?: (commits: number) => void
}

const storeClosed = () => new AppError('unavailable', 'The record store is closed.')
const storeStopped = (cause?: unknown) => new AppError('unavailable', 'The record store stopped.', { cause })

/** UTF-16 units of JSON that a read decodes before it yields to the event loop. */
const readBytes = 1_000_000

/** Pauses during long reads, so that the event loop gets a turn. */
const readStep = async (steps: SqliteSteps, step: Step): Promise<unknown> => {
  if (step.op === 'get') return getInTurns(steps, step)
  return step.op === 'find' && step.limit > 1 ? findInTurns(steps, step) : steps.execute(step)
}

const findInTurns = async (steps: SqliteSteps, step: Extract<Step, { op: 'find' }>): Promise<object[]> => {
  const found: object[] = []
  for (let slice = steps.slice(step, readBytes); ; slice = steps.slice(step, readBytes, slice)) {
    for (const text of slice.texts) found.push(unpackDocument(step.in, text))
    if (!slice.after || slice.left === 0) return found
    await nextTurn()
  }
}

const getInTurns = async (steps: SqliteSteps, step: Extract<Step, { op: 'get' }>): Promise<(object | undefined)[]> => {
  const found: (object | undefined)[] = []
  let bytes = 0
  for (const key of step.keys) {
    const text = steps.text(step.in, key)
    found.push(text === undefined ? undefined : unpackDocument(step.in, text))
    bytes += text?.length ?? 0
    if (bytes < readBytes) continue
    bytes = 0
    await nextTurn()
  }
  return found
}

/**
 * One SQLite file at `synchronous=FULL`: acknowledged writes survive a power failure. One thread owns the write
 * connection and commits all queued calls together (group commit). If a method fails, only its changes are undone
 * (`sqlite-group.ts`), so every method is atomic. Reads use a read-only connection.
 */
export const sqliteStore = (options: SqliteStoreOptions): Store => {
  const shift = options.timeShift ? new Float64Array(options.timeShift) : undefined
  const workerData: WriterOptions = { file: options.file, ...(shift ? { shift } : {}) }
  let opened = false
  let closing: Promise<void> | undefined
  let stopped: AppError | undefined
  const writer = new ThreadLink<WriteRequest, never, number>({
    url: new URL('./sqlite-writer.ts', import.meta.url),
    workerData,
    owner: 'record store',
    onNews: (commits) => options.onCommit?.(commits),
    onCrash: (cause) => {
      if (opened) stopped = storeStopped(cause)
    },
  })

  const open = async () => {
    const time = (await writer.call('open')) as StoreClock
    const database = openForReading(options.file)
    opened = true
    const now = () => time.base + Number(process.hrtime.bigint() - time.startedNs) / 1e6 + (shift?.[0] ?? 0)
    return { database, steps: new SqliteSteps(database, now) }
  }
  let opening: ReturnType<typeof open> | undefined
  const engine = () => {
    if (closing) throw storeClosed()
    // The next call tries again: the cause, such as a full disk, may be gone by then.
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const read = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const { steps } = await engine()
    try {
      return await runStepsAsync(begin(name, args), (step) => readStep(steps, step))
    } catch (error) {
      throw closing ? storeClosed() : translateError(error)
    }
  }

  /** Most requests do these reads, often with equal arguments. Other reads differ, and their arguments may be long. */
  const shared = sharedReads(read)
  const isShared = (name: string): boolean => /^(keys|accounts|namespaces)\./.test(name)

  const write = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    await engine()
    // A new thread would void the leases of this process like those of a former process, and start another clock.
    if (stopped) throw stopped
    return writer.call({ name, args })
  }

  const close = async () => {
    // Calls made before `close` that wait for the open file continue first, so they are sent.
    const engine = await opening?.catch(() => undefined)
    // The writer must close last: only it can checkpoint the WAL into the file.
    engine?.database.close()
    await writer.close()
  }

  return storeOver(
    'sqlite',
    (name, args) => (readsOf(name) ? (isShared(name) ? shared : read)(name, args) : write(name, args)),
    () => (closing ??= close()),
  )
}

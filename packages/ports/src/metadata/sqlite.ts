import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import type { Metadata } from './port.ts'
import { begin, metadataOver, readsOf } from './protocol/metadata.ts'
import type { Step } from './protocol/steps.ts'
import { openForReading, sqliteSteps, translated, unpacked } from './sqlite-store.ts'
import type { Call, Failure, FromWriter, ToWriter, WriterOptions } from './sqlite-writer.ts'

export type SqliteMetadataOptions = {
  /**
   * The database file; its folder is created. One process at a time may open it (the lock of the data directory ensures
   * that).
   */
  readonly file: string
  /** One float64 in milliseconds, added to store time and shared with the writer thread, for tests. */
  readonly timeShift?: SharedArrayBuffer
  /** Receives the number of commits so far after each commit; the benchmark of group commit uses it. */
  readonly onCommit?: (commits: number) => void
}

const storeClosed = () => new AppError('unavailable', 'The metadata store is closed.')
const storeStopped = (cause?: unknown) => new AppError('unavailable', 'The metadata store stopped.', { cause })

/** Bytes that a read decodes before it yields to the event loop. */
const readBytes = 1_000_000

const asError = ({ message, code, body, retryAfterSeconds }: Failure): Error =>
  code
    ? new AppError(code, message, {
        ...(body ? { body } : {}),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      })
    : new Error(message)

/**
 * Creates the metadata store in one SQLite file at `synchronous=FULL`: acknowledged writes survive a power failure. One
 * thread owns the write connection and commits all queued calls together (group commit). A failed method is undone by
 * itself (`sqlite-group.ts`), so every method of several steps is atomic. Reads use a read-only connection.
 */
export const sqliteMetadata = (options: SqliteMetadataOptions): Metadata => {
  const shift = options.timeShift ? new Float64Array(options.timeShift) : undefined
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  let nextId = 0
  let closed = false

  const openReader = (worker: Worker) => {
    try {
      return openForReading(options.file)
    } catch (error) {
      worker.postMessage('close' satisfies ToWriter)
      throw error
    }
  }

  const open = async () => {
    const workerData: WriterOptions = { file: options.file, ...(shift ? { shift } : {}) }
    const worker = new Worker(new URL('./sqlite-writer.ts', import.meta.url), { workerData })
    let stopped = false
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    const time = await new Promise<{ base: number; startedNs: bigint }>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('message', (message: FromWriter) => {
        if ('ready' in message) resolve(message)
        else if ('failed' in message) reject(asError(message.failed))
      })
    })
    const failAll = (error: unknown) => {
      stopped = true
      for (const { reject } of waiting.values()) reject(storeStopped(error))
      waiting.clear()
    }
    worker.on('error', failAll)
    worker.on('exit', failAll)
    worker.on('message', (message: FromWriter) => {
      if (!('answers' in message)) return
      options.onCommit?.(message.commits)
      for (const { id, value, failure } of message.answers) {
        const call = waiting.get(id)
        waiting.delete(id)
        if (failure) call?.reject(asError(failure))
        else call?.resolve(value)
      }
    })
    let outbox: Call[] = []
    const post = () => {
      if (outbox.length > 0) worker.postMessage(outbox satisfies ToWriter)
      outbox = []
    }
    /** Sends the calls of one turn of the event loop together: waking a thread costs more than a call. */
    const send = (call: Call) => {
      if (outbox.push(call) === 1) setImmediate(post)
    }
    const end = () => {
      post()
      worker.postMessage('close' satisfies ToWriter)
    }
    const database = openReader(worker)
    const now = () => time.base + Number(process.hrtime.bigint() - time.startedNs) / 1e6 + (shift?.[0] ?? 0)
    return { send, end, database, steps: sqliteSteps(database, now), hasStopped: () => stopped, exited }
  }
  let opening: ReturnType<typeof open> | undefined
  const engine = () => {
    if (closed) throw storeClosed()
    // The next call retries a failed open: the cause, such as a full disk, may be gone by then.
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const readStep = async (steps: Awaited<ReturnType<typeof open>>['steps'], step: Step): Promise<unknown> => {
    if (step.op === 'find' && step.limit > 1) {
      const found: object[] = []
      for (let slice = steps.slice(step, readBytes); ; slice = steps.slice(step, readBytes, slice)) {
        for (const text of slice.texts) found.push(unpacked(step.in, text))
        if (!slice.after || slice.left === 0) return found
        await nextTurn()
      }
    }
    if (step.op !== 'get') return steps.execute(step)
    const found: (object | undefined)[] = []
    let bytes = 0
    for (const key of step.keys) {
      const text = steps.text(step.in, key)
      found.push(text === undefined ? undefined : unpacked(step.in, text))
      bytes += text?.length ?? 0
      if (bytes < readBytes) continue
      bytes = 0
      await nextTurn()
    }
    return found
  }

  const read = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const { steps } = await engine()
    try {
      const running = begin(name, args)
      let next = running.next()
      while (!next.done) next = running.next(await readStep(steps, next.value))
      return next.value
    } catch (error) {
      throw closed ? storeClosed() : translated(error)
    }
  }

  const write = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const { send, hasStopped } = await engine()
    // A message to a thread that has ended is dropped silently, so the promise would never settle.
    if (hasStopped()) throw closed ? storeClosed() : storeStopped()
    return new Promise((resolve, reject) => {
      nextId += 1
      waiting.set(nextId, { resolve, reject })
      send({ id: nextId, name, args })
    })
  }

  const close = async () => {
    if (closed) return
    closed = true
    const engine = await opening?.catch(() => undefined)
    if (!engine) return
    // The writer must close last: only it can checkpoint the WAL into the file.
    engine.database.close()
    engine.end()
    await engine.exited
  }

  return metadataOver((name, args) => (readsOf(name) ? read(name, args) : write(name, args)), close)
}

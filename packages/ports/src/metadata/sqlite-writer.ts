import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { AppError } from '@cairn/contracts/errors'
import { begin } from './protocol/metadata.ts'
import type { Protocol, Step } from './protocol/steps.ts'
import type { Account, Job, Namespace } from './records.ts'
import { createGroup } from './sqlite-group.ts'
import { openForWriting, sqliteSteps, translated } from './sqlite-store.ts'

/** Options of the thread that owns the write connection. */
export type WriterOptions = {
  readonly file: string /** Milliseconds added to store time. */
  readonly shift?: Float64Array
}
export type Call = { readonly id: number; readonly name: string; readonly args: readonly unknown[] }
/** Calls sent in one message, in order. */
export type ToWriter = readonly Call[] | 'close'
export type Failure = {
  readonly message: string
  readonly code?: AppError['code']
  readonly body?: AppError['body']
  readonly retryAfterSeconds?: number | undefined
}
export type Answer = { readonly id: number; readonly value?: unknown; readonly failure?: Failure }
export type FromWriter =
  | {
      readonly ready: true /** Store time at `startedNs` of the process's monotonic clock. */
      readonly base: number
      readonly startedNs: bigint
    }
  | { readonly failed: Failure }
  | { readonly answers: readonly Answer[]; readonly commits: number }

/** Limits of the calls in one transaction, so that the first does not wait long for the last. */
const batchMs = 20
const batchCalls = 512
/** Limits the documents to write before the commit, which takes time as well. */
const batchDocuments = 2_000

const port = parentPort as MessagePort
const { file, shift } = workerData as WriterOptions

const failureOf = (error: unknown): Failure => {
  const known = translated(error)
  if (known instanceof AppError)
    return { message: known.message, code: known.code, body: known.body, retryAfterSeconds: known.retryAfterSeconds }
  return { message: known instanceof Error ? (known.stack ?? known.message) : String(known) }
}

const finishSteps = <T>(steps: Protocol<T>, execute: (step: Step) => unknown): T => {
  let next = steps.next()
  while (!next.done) next = steps.next(execute(next.value))
  return next.value
}

const start = () => {
  const database = openForWriting(file)
  const startedNs = process.hrtime.bigint()
  const last = Number(database.prepare('SELECT at FROM store_time').get()?.at)
  // If the machine's clock went back, time continues from the last commit: store time never goes back.
  const base = Math.max(Date.now(), last)
  const now = () => base + Number(process.hrtime.bigint() - startedNs) / 1e6 + (shift?.[0] ?? 0)
  const store = sqliteSteps(database, now)
  const group = createGroup(database, store)
  const keepTime = database.prepare('UPDATE store_time SET at = ?')
  let commits = 0
  let closing = false
  const close = () => {
    database.close()
    port.close()
  }

  const run = ({ name, args }: Call): unknown => group.run((execute) => finishSteps(begin(name, args), execute))

  const waiting: Call[] = []
  const take = (message: ToWriter | undefined) => {
    if (message === 'close') closing = true
    else if (message) waiting.push(...message)
  }
  const nextCall = (): Call | undefined => {
    if (waiting.length === 0) take(receiveMessageOnPort(port)?.message as ToWriter | undefined)
    return waiting.shift()
  }

  const runBatch = () => {
    const calls: Call[] = []
    const answers: Answer[] = []
    const from = performance.now()
    const hasRoom = () =>
      calls.length < batchCalls && group.waiting() < batchDocuments && performance.now() - from < batchMs
    try {
      database.exec('BEGIN IMMEDIATE')
      for (let call = nextCall(); call; call = hasRoom() ? nextCall() : undefined) {
        calls.push(call)
        try {
          answers.push({ id: call.id, value: run(call) })
        } catch (error) {
          // After a disk failure no transaction remains to roll back to: the whole batch fails.
          if (!database.isTransaction) throw error
          answers.push({ id: call.id, failure: failureOf(error) })
        }
      }
      group.flush()
      keepTime.run(now())
      database.exec('COMMIT')
      commits += 1
      port.postMessage({ answers, commits } satisfies FromWriter)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      const failure: Failure = { ...failureOf(error), code: 'unavailable' }
      port.postMessage({ answers: calls.map(({ id }) => ({ id, failure })), commits } satisfies FromWriter)
    } finally {
      group.forget()
    }
  }

  /**
   * Ends leases and entries of the previous process. Only one process at a time holds the file, so their owners are
   * gone.
   */
  const voidFormerBoot = () => {
    database.exec('BEGIN IMMEDIATE')
    const all = <T>(collection: 'uploads' | 'deletions' | 'namespaces' | 'accounts', sql: string): T[] =>
      database
        .prepare(`SELECT document FROM ${collection} WHERE ${sql}`)
        .all()
        .map((row) => JSON.parse(String(row.document)) as T)
    const set = (
      collection: 'uploads' | 'deletions' | 'namespaces' | 'accounts',
      id: string,
      change: Record<string, unknown>,
    ) =>
      store.execute({
        op: 'update',
        step: 'boot',
        in: collection,
        updates: [{ key: [id], where: {}, change: { set: change } }],
      })
    for (const collection of ['uploads', 'deletions'] as const) {
      for (const job of all<Job>(collection, "state IN ('accepting', 'running')"))
        set(collection, job.id, { overdueAt: 0, nextAttemptAt: 0, ...(job.lease ? { 'lease.until': 0 } : {}) })
      for (const job of all<Job>(collection, "state = 'rechecking'"))
        if (job.lease) set(collection, job.id, { 'lease.until': 0, nextAttemptAt: 0 })
    }
    for (const { id, open } of all<Namespace>('namespaces', 'openCount > 0'))
      set('namespaces', id, Object.fromEntries(Object.keys(open).map((token) => [`open.${token}.overdueAt`, 0])))
    for (const { id, reservations } of all<Account>('accounts', 'reservationCount > 0'))
      set(
        'accounts',
        id,
        Object.fromEntries(Object.keys(reservations).map((token) => [`reservations.${token}.overdueAt`, 0])),
      )
    database.exec('COMMIT')
  }

  voidFormerBoot()
  port.on('message', (message: ToWriter) => {
    take(message)
    while (waiting.length > 0) runBatch()
    if (closing) close()
  })
  port.postMessage({ ready: true, base, startedNs } satisfies FromWriter)
}

try {
  start()
} catch (error) {
  port.postMessage({ failed: failureOf(error) } satisfies FromWriter)
  port.close()
}

import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import type { Account } from '@cairn/domain/accounts/record'
import type { Job } from '@cairn/domain/jobs/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Collection } from '@cairn/domain/protocol/collections'
import { runSteps } from '@cairn/domain/protocol/steps'
import { begin } from '@cairn/domain/store'
import { type Answer, type Call, toFailure } from '../threads/messages.ts'
import { runWriter, type Writer } from '../threads/run-writer.ts'
import { WriteGroup } from './sqlite-group.ts'
import { openForWriting, SqliteSteps, translateError } from './sqlite-store.ts'

export type WriterOptions = {
  readonly file: string /** Milliseconds added to store time. */
  readonly shift?: Float64Array
}
/** The answer to `open` is the store's clock, so that the reader uses the same time. */
export type WriteRequest = 'open' | { readonly name: string; readonly args: readonly unknown[] }
/** Store time (milliseconds) at `startedNs` of the process's monotonic clock. */
export type StoreClock = { readonly base: number; readonly startedNs: bigint }

/** For all calls of a transaction, so that the first does not wait long for the last. */
const batchMs = 20
const batchCalls = 512
/** Documents in a batch: a limit of calls is not enough, because writing documents takes time too. */
const batchDocuments = 2_000

const { file, shift } = workerData as WriterOptions

/** Only one process at a time uses the file, so the holders of leases and entries are gone. */
const voidFormerBoot = (database: DatabaseSync, store: SqliteSteps) => {
  database.exec('BEGIN IMMEDIATE')
  const all = <T>(collection: Collection, sql: string): T[] =>
    database
      .prepare(`SELECT document FROM ${collection} WHERE ${sql}`)
      .all()
      .map((row) => JSON.parse(String(row.document)) as T)
  const set = (collection: Collection, id: string, change: Record<string, unknown>) =>
    store.execute({
      op: 'update',
      step: 'boot',
      in: collection,
      updates: [{ key: [id], where: {}, change: { set: change } }],
    })
  for (const collection of ['uploads', 'deletions', 'files'] as const) {
    for (const job of all<Job>(collection, "state IN ('accepting', 'running', 'rechecking')")) {
      // The next re-check keeps its time unless it was in progress.
      if (job.state === 'rechecking' && !job.lease) continue
      set(collection, job.id, { overdueAt: 0, nextAttemptAt: 0, ...(job.lease && { 'lease.until': 0 }) })
    }
  }
  const overdue = (field: string, entries: object) =>
    Object.fromEntries(Object.keys(entries).map((token) => [`${field}.${token}.overdueAt`, 0]))
  for (const { id, open } of all<Namespace>('namespaces', 'openCount > 0')) set('namespaces', id, overdue('open', open))
  for (const { id, reservations } of all<Account>('accounts', 'reservationCount > 0'))
    set('accounts', id, overdue('reservations', reservations))
  database.exec('COMMIT')
}

const openStore = (): Writer<WriteRequest, number> => {
  const database = openForWriting(file)
  const startedNs = process.hrtime.bigint()
  const last = Number(database.prepare('SELECT at FROM store_time').get()?.at)
  // If the machine's clock went back, time continues from the last commit: store time never goes back.
  const base = Math.max(Date.now(), last)
  const now = () => base + Number(process.hrtime.bigint() - startedNs) / 1e6 + (shift?.[0] ?? 0)
  const store = new SqliteSteps(database, now)
  const group = new WriteGroup(database, store)
  const keepTime = database.prepare('UPDATE store_time SET at = ?')
  let commits = 0

  const run = (request: WriteRequest): unknown =>
    request === 'open'
      ? ({ base, startedNs } satisfies StoreClock)
      : group.run((execute) => runSteps(begin(request.name, request.args), execute))

  const commit: Writer<WriteRequest, number>['commit'] = (next) => {
    const calls: Call<WriteRequest>[] = []
    const answers: Answer[] = []
    const from = performance.now()
    const hasCapacity = () =>
      calls.length < batchCalls && group.waiting() < batchDocuments && performance.now() - from < batchMs
    try {
      database.exec('BEGIN IMMEDIATE')
      for (let call = next(); call; call = hasCapacity() ? next() : undefined) {
        calls.push(call)
        try {
          answers.push({ id: call.id, value: run(call.request) })
        } catch (error) {
          // After a disk failure no transaction remains to roll back to: the whole batch fails.
          if (!database.isTransaction) throw error
          answers.push({ id: call.id, failure: toFailure(translateError(error)) })
        }
      }
      group.flush()
      keepTime.run(now())
      database.exec('COMMIT')
      commits += 1
      return { answers, news: commits }
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      const failure = { ...toFailure(translateError(error)), code: 'unavailable' as const }
      return { answers: calls.map(({ id }) => ({ id, failure })), news: commits }
    } finally {
      group.forget()
    }
  }

  voidFormerBoot(database, store)
  return { commit, close: () => database.close() }
}

runWriter(openStore)

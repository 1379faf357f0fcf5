import { accounts } from './accounts/accounts.ts'
import { dailyUsage } from './accounts/daily-usage.ts'
import { keys } from './accounts/keys.ts'
import { storedBytes } from './accounts/storage.ts'
import { usage } from './accounts/usage.ts'
import { events } from './events/events.ts'
import { chunks } from './files/chunks.ts'
import { deleteFile } from './files/delete-file.ts'
import { files } from './files/files.ts'
import { grants } from './files/grants.ts'
import { installation, orphans } from './files/object-owners.ts'
import { accept } from './items/accept.ts'
import { deleteItems } from './items/delete-items.ts'
import { beginNamespaceDeletion, deletions } from './items/deletions.ts'
import { items } from './items/items.ts'
import { uploads } from './items/uploads.ts'
import type { jobs } from './jobs/jobs.ts'
import type { Job } from './jobs/record.ts'
import { repeatableRequests } from './jobs/repeatable-requests.ts'
import { tasks } from './jobs/tasks.ts'
import {
  closeEntry,
  countSlice,
  createNamespace,
  recoverAccount,
  recoverNamespace,
  sumAccount,
} from './namespaces/counts.ts'
import { evaluations } from './namespaces/evaluations.ts'
import { indexAudit } from './namespaces/index-audit.ts'
import { modelProbes } from './namespaces/model-probes.ts'
import { namespaces } from './namespaces/namespaces.ts'
import type { ReadLevel } from './ports/store.ts'
import { now, type Protocol, read } from './protocol/steps.ts'

type Method = ((...args: never[]) => Protocol<unknown>) & { readonly reads?: ReadLevel }
type Methods = { readonly [name: string]: Method }

const stores = {
  accounts,
  keys,
  namespaces,
  items,
  uploads,
  files,
  chunks,
  grants,
  deletions,
  usage,
  dailyUsage,
  installation,
  orphans,
  tasks,
  modelProbes,
  repeatableRequests,
  evaluations,
  events,
  indexAudit,
}
const spans = {
  /** Returns store time in milliseconds, which only moves forward; every due time is store time. */
  now: read(() => now()),
  storedBytes,
  createNamespace,
  accept,
  deleteItems,
  deleteFile,
  beginNamespaceDeletion,
  recoverNamespace,
  recoverAccount,
  countSlice,
  sumAccount,
  closeEntry,
}

const named = (prefix: string, methods: Methods): [string, Method][] =>
  Object.entries(methods).map(([name, method]) => [prefix + name, method])

const methods: ReadonlyMap<string, Method> = new Map([
  ...named('', spans),
  ...Object.entries(stores).flatMap(([store, methods]) => named(`${store}.`, methods)),
])

export const methodNames: readonly string[] = [...methods.keys()]

/** Returns undefined for a method that writes. */
export const readsOf = (name: string): ReadLevel | undefined => methods.get(name)?.reads

/** Called by an engine that runs the protocol in another thread. */
export const begin = (name: string, args: readonly unknown[]): Protocol<unknown> => {
  const method = methods.get(name)
  if (!method) throw new Error(`no method ${name}`)
  return method(...(args as never[]))
}

type Run = (name: string, args: readonly unknown[]) => Promise<unknown>
export type StoreOf<T> = {
  [M in keyof T]: T[M] extends (...args: infer A) => Protocol<infer R> ? (...args: A) => Promise<R> : never
}

export type JobStore<J extends Job> = StoreOf<ReturnType<typeof jobs<J>>>

/**
 * The source of truth: one small store per collection, and methods that span stores. Every method is atomic per
 * document and safe to repeat. An operation of several steps is one method; a sweep completes an interrupted one
 * (docs/architecture.md). A missing record is undefined. If the engine fails, methods reject with AppError
 * `unavailable`; the outcome of a write is then unknown.
 */
export type Store = StoreOf<typeof spans> & {
  readonly [S in keyof typeof stores]: StoreOf<(typeof stores)[S]>
} & {
  /** Engine name in traces (`db.system.name`). */
  readonly system: string
  close(): Promise<void>
}

const bind = <T extends Methods>(run: Run, prefix: string, methods: T): StoreOf<T> => {
  const bound = Object.keys(methods).map((name) => [name, (...args: unknown[]) => run(prefix + name, args)])
  return Object.fromEntries(bound) as StoreOf<T>
}

/** `run` runs a protocol method by its dotted name. */
export const storeOver = (system: string, run: Run, close: () => Promise<void>): Store => ({
  system,
  ...bind(run, '', spans),
  ...(Object.fromEntries(
    Object.entries(stores).map(([name, methods]) => [name, bind<Methods>(run, `${name}.`, methods)]),
  ) as Pick<Store, keyof typeof stores>),
  close,
})

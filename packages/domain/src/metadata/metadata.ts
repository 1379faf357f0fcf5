import { accept } from './accept.ts'
import { chunks } from './chunks.ts'
import { closeEntry, countSlice, createNamespace, recoverAccount, recoverNamespace, sumAccount } from './counts.ts'
import { dailyUsage } from './daily-usage.ts'
import { deleteFile } from './delete-file.ts'
import { deleteItems } from './delete-items.ts'
import { beginNamespaceDeletion, deletions } from './deletions.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { grants } from './grants.ts'
import { indexAudit } from './index-audit.ts'
import { items } from './items.ts'
import type { ProtocolOf } from './jobs.ts'
import { installation, orphans } from './object-owners.ts'
import type { Metadata } from './port.ts'
import { accounts, deadLetters, keys, namespaces, usage } from './registry.ts'
import { repeatableRequests } from './repeatable-requests.ts'
import { now, type Protocol, type Reads, read } from './steps.ts'
import { storedBytes } from './storage.ts'
import { tasks } from './tasks.ts'
import { uploads } from './uploads.ts'

type Method = ((...args: never[]) => Protocol<unknown>) & { readonly reads?: Reads }
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
  deadLetters,
  usage,
  dailyUsage,
  installation,
  orphans,
  tasks,
  repeatableRequests,
  events,
  indexAudit,
} satisfies {
  readonly [S in keyof Omit<Metadata, SpanNames | 'close'>]: ProtocolOf<Metadata[S]>
}
type SpanNames =
  | 'now'
  | 'storedBytes'
  | 'createNamespace'
  | 'accept'
  | 'deleteItems'
  | 'deleteFile'
  | 'beginNamespaceDeletion'
  | 'recoverNamespace'
  | 'recoverAccount'
  | 'countSlice'
  | 'sumAccount'
  | 'closeEntry'
const spans = {
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
} satisfies ProtocolOf<Pick<Metadata, SpanNames>>

const named = (prefix: string, methods: Methods): [string, Method][] =>
  Object.entries(methods).map(([name, method]) => [prefix + name, method])

const methods: ReadonlyMap<string, Method> = new Map([
  ...named('', spans),
  ...Object.entries(stores).flatMap(([store, methods]) => named(`${store}.`, methods)),
])

/** The dotted names of all methods. */
export const methodNames: readonly string[] = [...methods.keys()]

/** Returns how a method reads; undefined for one that writes. */
export const readsOf = (name: string): Reads | undefined => methods.get(name)?.reads

/** Begins a method by its dotted name, for an engine that runs the protocol elsewhere (another thread). */
export const begin = (name: string, args: readonly unknown[]): Protocol<unknown> => {
  const method = methods.get(name)
  if (!method) throw new Error(`no method ${name}`)
  return method(...(args as never[]))
}

type Run = (name: string, args: readonly unknown[]) => Promise<unknown>
type Port<T> = {
  readonly [M in keyof T]: T[M] extends (...args: infer A) => Protocol<infer R> ? (...args: A) => Promise<R> : never
}

const bind = <T extends Methods>(run: Run, prefix: string, methods: T): Port<T> => {
  const bound = Object.keys(methods).map((name) => [name, (...args: unknown[]) => run(prefix + name, args)])
  return Object.fromEntries(bound) as Port<T>
}

/** Creates the port over a function that runs a protocol method by name. */
export const metadataOver = (run: Run, close: () => Promise<void>): Metadata => ({
  ...bind(run, '', spans),
  accounts: bind(run, 'accounts.', stores.accounts),
  keys: bind(run, 'keys.', stores.keys),
  namespaces: bind(run, 'namespaces.', stores.namespaces),
  items: bind(run, 'items.', stores.items),
  uploads: bind(run, 'uploads.', stores.uploads),
  files: bind(run, 'files.', stores.files),
  chunks: bind(run, 'chunks.', stores.chunks),
  grants: bind(run, 'grants.', stores.grants),
  deletions: bind(run, 'deletions.', stores.deletions),
  deadLetters: bind(run, 'deadLetters.', stores.deadLetters),
  usage: bind(run, 'usage.', stores.usage),
  dailyUsage: bind(run, 'dailyUsage.', stores.dailyUsage),
  installation: bind(run, 'installation.', stores.installation),
  orphans: bind(run, 'orphans.', stores.orphans),
  tasks: bind(run, 'tasks.', stores.tasks),
  repeatableRequests: bind(run, 'repeatableRequests.', stores.repeatableRequests),
  events: bind(run, 'events.', stores.events),
  indexAudit: bind(run, 'indexAudit.', stores.indexAudit),
  close,
})

import type { Metadata } from '../port.ts'
import { accept } from './accept.ts'
import { chunks } from './chunks.ts'
import { closeEntry, countSlice, createNamespace, recoverAccount, recoverNamespace, sumAccount } from './counts.ts'
import { deleteFile } from './delete-file.ts'
import { deleteItems } from './delete-items.ts'
import { beginNamespaceDeletion, deletions } from './deletions.ts'
import { files } from './files.ts'
import { grants } from './grants.ts'
import { indexAudit } from './index-audit.ts'
import { items } from './items.ts'
import type { Stepped } from './jobs.ts'
import { installation, orphans } from './object-owners.ts'
import { accounts, deadLetters, keys, namespaces, usage } from './registry.ts'
import { now, type Steps } from './steps.ts'
import { storedBytes } from './storage.ts'
import { tasks } from './tasks.ts'
import { uploads } from './uploads.ts'

type Methods = { readonly [name: string]: (...args: never[]) => Steps<unknown> }

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
  installation,
  orphans,
  tasks,
  indexAudit,
} satisfies {
  readonly [S in keyof Omit<Metadata, SpanNames | 'close'>]: Stepped<Metadata[S]>
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
  now: () => now(),
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
} satisfies Stepped<Pick<Metadata, SpanNames>>

const named = (prefix: string, methods: Methods): [string, Methods[string]][] =>
  Object.entries(methods).map(([name, method]) => [prefix + name, method])

/** Every method by its dotted name: what an engine that runs the protocol elsewhere (another thread) looks up. */
export const protocolMethods: ReadonlyMap<string, (...args: readonly unknown[]) => Steps<unknown>> = new Map(
  [
    ...named('', spans as Methods),
    ...Object.entries(stores).flatMap(([store, methods]) => named(`${store}.`, methods as unknown as Methods)),
  ].map(([name, method]) => [name, method as unknown as (...args: readonly unknown[]) => Steps<unknown>]),
)

/** Only these write nothing: an engine may serve them on a connection that cannot write. */
export const readMethods: ReadonlySet<string> = new Set([
  'now',
  'storedBytes',
  'accounts.get',
  'accounts.page',
  'accounts.reserving',
  'keys.get',
  'keys.ofAccount',
  'namespaces.byName',
  'namespaces.get',
  'namespaces.ofAccount',
  'namespaces.page',
  'namespaces.open',
  'namespaces.deleting',
  'namespaces.isRetired',
  'items.get',
  'items.heads',
  'items.states',
  'items.page',
  'items.lines',
  'items.count',
  'uploads.get',
  'uploads.due',
  'uploads.dueAccount',
  'uploads.dueOf',
  'uploads.abandoned',
  'uploads.unfinished',
  'uploads.countOfNamespace',
  'files.get',
  'files.many',
  'files.heads',
  'files.byName',
  'files.page',
  'files.withFailedBytes',
  'files.due',
  'files.dueAccount',
  'files.dueOf',
  'files.abandoned',
  'files.unfinished',
  'files.countOfNamespace',
  'files.liveCount',
  'chunks.get',
  'chunks.heads',
  'chunks.seen',
  'chunks.ofVersion',
  'chunks.page',
  'chunks.lines',
  'chunks.countOfNamespace',
  'grants.get',
  'grants.page',
  'grants.due',
  'grants.countOfNamespace',
  'deletions.get',
  'deletions.due',
  'deletions.dueAccount',
  'deletions.dueOf',
  'deletions.abandoned',
  'deletions.unfinished',
  'deletions.countOfNamespace',
  'deadLetters.page',
  'deadLetters.get',
  'usage.get',
  'orphans.get',
  'orphans.page',
  'tasks.get',
  'indexAudit.items',
  'indexAudit.chunks',
])

/** The port over whatever runs a protocol method by name. */
export const metadataOver = (run: (name: string, args: readonly unknown[]) => Promise<unknown>, close: () => Promise<void>): Metadata => {
  const bind = (prefix: string, methods: object) =>
    Object.fromEntries(Object.keys(methods).map((name) => [name, (...args: unknown[]) => run(prefix + name, args)]))
  const bound = Object.fromEntries(Object.entries(stores).map(([store, methods]) => [store, bind(`${store}.`, methods)]))
  // The names are taken from tables whose types are checked against the port below.
  return { ...bind('', spans), ...bound, close } as unknown as Metadata
}

import { systemClock } from '@cairn/adapters/clock/system'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { randomIds } from '@cairn/domain/ids'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { createNamespaceTasks } from '@cairn/namespace/service'
import { createLogger } from '@cairn/runtime/process/logger'
import { checkFiles } from '@cairn/testing/file-invariants'
import { checkInvariants } from '@cairn/testing/invariants'
import type { Violation } from '@cairn/testing/ledger-history'
import type { RecordedClient } from '@cairn/testing/recorded-client'
import type { Interval } from './apply-faults.ts'
import type { Account, Place } from './load.ts'
import { endingOf, faultIn, isGoodEnding, unreadableAt } from './log-lines.ts'
import { isSearched, mustSucceed } from './outcomes.ts'
import type { System } from './system.ts'

const deletionsRead = 10_000
const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** The accounts, clients and requests of a system, one process or a cluster. */
export type Looked = Pick<System, 'accounts' | 'ledger'> & {
  client(account: Account, number: number): RecordedClient
}

/**
 * Reads what clients see once the system is idle: every page of every text namespace, and a sample of documents and
 * vectors, each searched for by its own content. Resolves to the faults.
 */
export const lookAround = async ({ accounts, client, ledger }: Looked, places: readonly Place[]): Promise<string[]> => {
  const faults: string[] = []
  const vectorOf = new Map(
    ledger.entries.flatMap(({ request }) =>
      request.kind === 'upload'
        ? request.documents.flatMap(({ text, vector }) => (vector ? [[text, vector] as const] : []))
        : [],
    ),
  )
  for (const [number, account] of accounts.entries()) {
    const api = client(account, number)
    for (const { name, dimension } of places) {
      const ids = new Set(
        ledger.entries.flatMap(({ accountId, request }) =>
          accountId === account.accountId && request.kind === 'upload' && request.namespace === name
            ? request.documents.map(({ id }) => id)
            : [],
        ),
      )
      const searched = [...ids].filter(isSearched).slice(0, 100)
      // Vector namespaces have no pages.
      if (dimension === undefined) mustSucceed(await api.walk(name, 100))
      if (searched.length === 0) continue
      const { returned = [] } = mustSucceed(await api.get(name, searched)).entry.answered
      for (const { id, text } of returned) {
        const query = dimension === undefined ? text : (vectorOf.get(text) ?? [])
        const [best] = mustSucceed(await api.search([name], query, 3)).entry.answered.returned ?? []
        if (best?.id !== id)
          faults.push(`I2: ${name}/${id} is not the best hit for what it holds, but ${best?.id ?? 'nothing'} is`)
      }
    }
    api.close()
  }
  return faults
}

export type StoreCheck = {
  readonly system: System
  readonly store: Store
  readonly vectors: VectorIndex
  readonly files: FileStore
  /** Times at which gateways were killed. A killed gateway may have lost a second of usage counts. */
  readonly gatewaysKilledAt: readonly number[]
  readonly storeTroubled: readonly Interval[]
  /** Whether the ledger has all requests, and all were counted. */
  readonly countsUsage: boolean
}

const countsMs = 2_000
/** Duration after which a write of usage counts is considered failed. */
const writeMs = 35_000

/** Returns the number of requests answered while their usage counts may have been lost. */
const mayBeUncounted = ({ system, gatewaysKilledAt, storeTroubled }: StoreCheck): number => {
  const windows = [
    ...gatewaysKilledAt.map((at) => ({ from: at - countsMs, to: at + countsMs })),
    ...storeTroubled.map(({ from, to }) => ({ from: from - writeMs, to: to + writeMs })),
  ]
  let lost = 0
  for (const [{ answered }, at] of system.endedAt)
    if (windows.some(({ from, to }) => at >= from && at <= to)) lost += answered.requests ?? 1
  return lost
}

/** Checks I1 to I10 in the stores. `audited`: points that an expired worker had left and the audit removed. */
export const checkStores = async (
  check: StoreCheck,
): Promise<{ readonly violations: readonly Violation[]; readonly audited: number }> => {
  const { system, store, vectors, files } = check
  const clock = systemClock()
  const bus = {
    system: 'silent',
    publish: async () => undefined,
    subscribe: () => ({ close: async () => undefined }),
    check: async () => undefined,
    close: async () => undefined,
  }
  const log = createLogger({ level: 'silent', name: 'audit' })
  // The hourly audit: a worker whose lease expired may have written points after another one finished its job.
  const tasks = createNamespaceTasks({
    bus,
    store,
    vectors,
    clock,
    ids: randomIds(clock.now),
    log,
    jobRetentionMs: 30 * 86_400_000,
  })
  const { removed: audited } = await tasks.audit(new AbortController().signal)
  const removedNamespaces = (await store.deletions.unfinished(deletionsRead)).filter(
    ({ target }) => target === 'namespace',
  )
  const embedder = lexicalEmbedder()
  const violations = await checkInvariants({
    store,
    vectors,
    ledger: system.ledger,
    embeddingSpaceOf,
    limitsOf: ({ tier }) => system.tiers[tier] ?? { documents: null, vectors: null, namespaces: null },
    everSeen: removedNamespaces.map(({ namespaceId, space }) => ({ id: namespaceId, space })),
    vectorsOf: async ({ id, body, indexed }) => {
      const { text, vector } = indexed?.body ?? body
      if (!isSearched(id)) return []
      if (vector) return [vector]
      return indexed?.passages === 1 ? embedder.embed([text], { kind: 'document' }) : []
    },
    ...(check.countsUsage ? { usage: { period: periodOf(Date.now()), lost: mayBeUncounted(check) } } : {}),
  })
  return { violations: [...violations, ...(await checkFiles({ store, vectors, files, embeddingSpaceOf }))], audited }
}

/** Checks that the messages logged as unreadable are exactly those that no service can read (B29). */
export const checkUnreadable = (
  { lines }: Pick<System, 'lines'>,
  rubbishAt: ReadonlySet<string>,
): { readonly faults: readonly string[]; readonly unreadable: number } => {
  const logged = new Set(lines.flatMap(({ line }) => unreadableAt(line) ?? []))
  return {
    faults: [
      ...[...logged.difference(rubbishAt)].map((at) => `B29: ${at} was logged as unreadable and is a good message`),
      ...[...rubbishAt.difference(logged)].map((at) => `B29: ${at} is unreadable and was not logged`),
    ],
    unreadable: logged.size,
  }
}

/**
 * Checks that the logs have no errors except those that other checks cover, and that each process that exited by itself
 * logged a reason that only a restart can fix. `ends`: the logged reasons.
 */
export const checkLogs = ({
  lines,
  ended,
}: Pick<System, 'lines' | 'ended'>): { readonly faults: readonly string[]; readonly ends: readonly string[] } => {
  const faults = lines.flatMap(({ name, line }) => {
    const fault = faultIn(line)
    return fault === undefined ? [] : [`I11: ${name} logged: ${fault.slice(0, 600)}`]
  })
  const ends = lines.flatMap(({ name, line }) => {
    const reason = endingOf(line)
    return reason === undefined ? [] : [`${name}: ${reason}`]
  })
  faults.push(...ends.filter((end) => !isGoodEnding(end)).map((end) => `I11: no reason to end: ${end}`))
  if (ended.length > ends.length)
    faults.push(
      `I11: ${ended.length} processes ended by themselves (${ended.map(({ name, how }) => `${name} with ${how}`).join(', ')}), ${ends.length} of them said why`,
    )
  return { faults, ends }
}

const distinct = (messages: readonly string[], form: RegExp): number =>
  new Set(messages.flatMap((message) => form.exec(message)?.[1] ?? [])).size

/**
 * Returns how many documents of these violations users would call lost, and how many duplicated; each document counts
 * once.
 */
export const tallyOf = (messages: readonly string[]): { readonly lost: number; readonly doubled: number } => ({
  lost: distinct(messages, /(\S+) (?:is missing, although|is indexed but has no points)/),
  doubled: distinct(messages, /(an orphan point [^#]+|walk \d+ repeats ids)/),
})

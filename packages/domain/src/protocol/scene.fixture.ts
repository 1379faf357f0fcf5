import { expect } from 'vitest'
import type { Account } from '../accounts/record.ts'
import type { AcceptInput } from '../items/accept.ts'
import type { DeleteItemsInput } from '../items/delete-items.ts'
import type { Item, Upload } from '../items/record.ts'
import type { Evaluation, Namespace, NamespaceType, Reextraction, Reindex } from '../namespaces/record.ts'
import type { Store } from '../store.ts'

let minted = 0

/** Returns an id that is unique in this run. */
export const mint = (prefix: string): string => {
  minted += 1
  return `${prefix}_${minted}`
}

/** Wall time in tests that don't test wall time. */
export const wallAt = 1_700_000_000_000

/** Time after which every entry and record of an operation is overdue. */
export const allOverdueMs = 61_000

export const account = (id: string) => ({
  id,
  name: `Account ${id}`,
  tier: 'community',
  subscriptionEndsAt: null,
  createdAt: wallAt,
})

export const namespaceInput = (accountId: string, type: NamespaceType = 'text', name = mint('name')) => ({
  id: mint('ns'),
  accountId,
  name,
  type,
  dimension: type === 'vector' ? 4 : null,
  embedding: type === 'text' ? ({ provider: 'lexical', model: 'words', dimension: 256 } as const) : null,
  createdAt: wallAt,
  limit: null,
})

export const newReextraction = (more: Partial<Reextraction> = {}): Reextraction => ({
  id: mint('reextraction'),
  startedAt: wallAt,
  endedAt: null,
  cursor: '',
  underWay: [],
  total: 3,
  extracted: 0,
  failed: 0,
  withoutBytes: 0,
  ...more,
})

export const newEvaluation = (namespaceId: string, more: Partial<Evaluation> = {}): Evaluation => ({
  namespaceId,
  id: mint('evaluation'),
  at: wallAt,
  questionsHash: 'a'.repeat(64),
  mode: 'hybrid',
  model: { provider: 'lexical', model: 'words', dimension: 256 },
  itemCount: 3,
  questions: 2,
  ndcg: 0.5,
  recall: 0.5,
  withoutHit: 1,
  change: null,
  detail: '{}',
  ...more,
})

/** Creates a reindex that has just begun. */
export const newReindex = (more: Partial<Reindex> = {}): Reindex => ({
  id: mint('reindex'),
  embedding: { provider: 'openai', model: 'other', dimension: 64 },
  phase: 'filling',
  isAutomatic: true,
  keepMs: 86_400_000,
  startedAt: wallAt,
  phaseAt: wallAt,
  flippedAt: null,
  cursor: null,
  total: 0,
  passed: 0,
  written: 0,
  rejected: 0,
  error: null,
  queries: null,
  comparison: null,
  ...more,
})

const space = { key: 'lexical-words-256', dimension: 256 }

export type Document = AcceptInput['documents'][number]

export const documents = (ids: readonly string[], text = 'text'): Document[] =>
  ids.map((id) => ({ id, body: { text: `${text} of ${id}`, metadata: '{}' } }))

/** Creates an account with a namespace, and the operations that tests need most. */
export const createScene = async (store: Store, type: NamespaceType = 'text') => {
  const accountId = mint('acc')
  await store.accounts.insert(account(accountId))
  const input = namespaceInput(accountId, type)
  expect(await store.createNamespace(input)).toBe('created')
  const namespaceId = input.id

  const acceptInput = (
    what: readonly string[] | readonly Document[],
    more: Partial<AcceptInput> = {},
  ): AcceptInput => ({
    uploadId: mint('up'),
    kind: type === 'text' ? 'text' : 'vectors',
    accountId,
    namespaceId,
    documents: what.flatMap((one) => (typeof one === 'string' ? documents([one]) : [one])),
    rejected: [],
    limit: null,
    correlationId: 'request-1',
    traceparent: null,
    at: wallAt,
    ...more,
  })
  const deleteInput = (ids: readonly string[], more: Partial<DeleteItemsInput> = {}): DeleteItemsInput => ({
    deletionId: mint('del'),
    accountId,
    namespaceId,
    namespaceName: input.name,
    space,
    ids,
    correlationId: 'request-2',
    traceparent: null,
    at: wallAt,
    ...more,
  })

  /** Uploads documents and returns the job's record. Fails the test unless the upload is accepted. */
  const accepted = async (
    what: readonly string[] | readonly Document[],
    more: Partial<AcceptInput> = {},
  ): Promise<Upload> => {
    const result = await store.accept(acceptInput(what, more))
    if (result.outcome !== 'accepted') throw new Error(`not accepted: ${result.outcome}`)
    return result.job
  }
  /** Uploads documents, marks them as indexed and returns the version. */
  const indexed = async (what: readonly string[] | readonly Document[], passages = 1): Promise<string> => {
    const { id, ids } = await accepted(what)
    const marks = ids.map((item) => ({ id: item, passages }))
    await store.items.markIndexed(namespaceId, id, marks)
    const states = await store.items.latestStates(namespaceId, ids)
    expect(states).toMatchObject(ids.map((item) => ({ id: item, version: id, status: 'completed' })))
    return id
  }
  const item = async (id: string): Promise<Item | undefined> => (await store.items.get(namespaceId, [id]))[0]
  const held = async (): Promise<Account> => (await store.accounts.get(accountId)) as Account
  const namespace = async (): Promise<Namespace> => (await store.namespaces.get(namespaceId)) as Namespace
  /** Expects counters to match the stored records, with no request in progress. */
  const expectExact = async (): Promise<void> => {
    const sums = { documents: 0, vectors: 0, namespaces: 0 }
    for (const one of (await store.namespaces.ofAccount(accountId)) as Namespace[]) {
      expect(one.itemCount).toBe((await store.items.count(one.id)) + (await store.files.countPublished(one.id)))
      expect(one).toMatchObject({ open: {}, openCount: 0 })
      sums[one.type === 'text' ? 'documents' : 'vectors'] += one.itemCount
      sums.namespaces += 1
    }
    expect(await held()).toMatchObject({ counts: sums, held: sums, reservations: {}, reservationCount: 0 })
  }
  return {
    store,
    accountId,
    namespaceId,
    name: input.name,
    acceptInput,
    deleteInput,
    accepted,
    indexed,
    item,
    account: held,
    namespace,
    expectExact,
  }
}

export type Scene = Awaited<ReturnType<typeof createScene>>

/**
 * Recovers the scene's interrupted operations that are overdue: takes over records, recovers the counts and removes
 * marked items. Expects no marked item to be left.
 */
export const sweep = async ({ store, namespaceId, accountId }: Scene): Promise<void> => {
  for (const { id, state, namespaceId: of } of await store.uploads.due(10_000)) {
    if (of === namespaceId && state === 'accepting') await store.uploads.takeOver(id, wallAt)
  }
  const deletions = (await store.deletions.due(10_000)).filter((deletion) => deletion.namespaceId === namespaceId)
  for (const { id } of deletions) await store.deletions.takeOver(id, mint('lease'))
  await store.recoverNamespace(namespaceId, wallAt)
  await store.recoverAccount(accountId)
  for (const { id } of deletions) expect(await store.deletions.removeMarked(id)).toBe(0)
}

/** Runs a full count of a namespace without operations in progress, and returns how far the count was off. */
export const countAll = async ({ store, namespaceId }: Pick<Scene, 'store' | 'namespaceId'>): Promise<number> => {
  for (;;) {
    const result = await store.countSlice(namespaceId)
    if (result.outcome === 'counted') return result.off
    expect(result).toEqual({ outcome: 'more' })
  }
}

/**
 * Returns how many promises resolved to a value that `is` accepts. Fails the test on a rejection other than
 * `unavailable`.
 */
export const settledAs = async <T>(calls: readonly Promise<T>[], is: (value: T) => boolean): Promise<number> => {
  let count = 0
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === 'fulfilled' && is(outcome.value)) count += 1
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unavailable' })
  }
  return count
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

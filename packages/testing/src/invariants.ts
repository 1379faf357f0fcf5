import type { Account, Counts } from '@cairn/domain/accounts/record'
import { isFileVersion } from '@cairn/domain/files/record'
import { compareText } from '@cairn/domain/items/documents'
import { asUpload, type Item } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { EmbeddingSpace, PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { checkEvents } from './event-invariants.ts'
import type { LedgerEntry } from './ledger.ts'
import {
  atTheEnd,
  type Body,
  type Invariant,
  type ItemPlace,
  type LedgerHistory,
  ledgerHistory,
  type Violation,
} from './ledger-history.ts'
import { allById, allPoints } from './read-all.ts'

export type InvariantInput = {
  readonly store: Store
  readonly vectors: VectorIndex
  /** Ledger of all requests of all accounts in `metadata`. */
  readonly ledger: { readonly entries: readonly LedgerEntry[] }
  readonly embeddingSpaceOf: (namespace: Namespace) => EmbeddingSpace
  /** Returns the limits of an account; null: unlimited. If not set, limits are not checked. */
  readonly limitsOf?: (account: Account) => { readonly [C in keyof Counts]: number | null }
  /** Namespaces that are known to have existed. Nothing may remain of deleted namespaces. */
  readonly everSeen?: readonly { readonly id: string; readonly space: EmbeddingSpace }[]
  /**
   * Returns the vectors of an item's indexed body, one per passage. If set, a search for each vector must return the
   * item with the best score, which others may share.
   */
  readonly vectorsOf?: (item: Item, namespace: Namespace) => Promise<readonly Float32Array[]>
  /**
   * If set, the requests counted in this period must be at least the ledger's answered requests minus `lost` (a crash
   * may lose a second of counts), and at most its answered and unknown requests.
   */
  readonly usage?: { readonly period: string; readonly lost: number }
}

const scoreTolerance = 1e-5

type Report = (invariant: Invariant, message: string) => void
type Scope = InvariantInput & {
  readonly history: LedgerHistory
  readonly report: Report
  /** Reports a violation found by the ledger's history, under the violation's invariant. */
  readonly judge: (violation: Violation | undefined, where?: string) => void
}

const bodyOf = ({ text, metadata, vector }: Item['body']): Body => ({
  text,
  metadata: JSON.parse(metadata) as unknown,
  vector,
})

const checkItem = ({ history, report, judge }: Scope, place: ItemPlace, item: Item): void => {
  const where = `${place.namespace}/${place.id}`
  const { version, status, reason, indexed, stale } = item
  judge(history.notThere(place, bodyOf(item.body), atTheEnd, { latest: true }))
  const writer = history.sentAs(item.body.text)?.entry
  const { uploadId } = writer?.answered ?? {}
  if (uploadId !== undefined && uploadId !== version)
    report('I3', `${where} has the body of ${writer?.name} under version ${version}`)
  if (status === 'processing') report('I1', `${where} is still processing (${version})`)
  if (status === 'failed' && reason === null) report('I1', `${where} failed without a reason`)
  if (stale.length > 0) report('I4', `${where} still lists stale versions: ${stale.join(', ')}`)
  if (status === 'completed' && indexed?.version !== version)
    report('I2', `${where} is completed, but indexed as ${indexed?.version ?? 'nothing'}`)
  if (!indexed) return
  if (indexed.version === version && indexed.body)
    report('I2', `${where} keeps a second body although its latest is indexed`)
  if (indexed.version === version) return
  if (!indexed.body) {
    report('I2', `${where} shows the body of ${version} for what is indexed as ${indexed.version}`)
    return
  }
  judge(history.notThere(place, bodyOf(indexed.body), atTheEnd, { latest: false }))
  const former = history.sentAs(indexed.body.text)?.entry.answered.uploadId
  if (former !== undefined && former !== indexed.version)
    report('I2', `${where} is indexed as ${indexed.version} with the body of ${former}`)
}

const checkPoints = (
  report: Report,
  namespace: Namespace,
  items: ReadonlyMap<string, Item>,
  points: readonly PointAddress[],
): void => {
  const expected = new Map<string, { readonly missing: Set<number> }>()
  for (const item of items.values()) {
    if (!item.indexed) continue
    expected.set(`${item.id} ${item.indexed.version}`, {
      missing: new Set(Array.from({ length: item.indexed.passages }, (_, index) => index)),
    })
  }
  for (const { itemId, version, passage } of points) {
    const missing = expected.get(`${itemId} ${version}`)?.missing
    if (missing?.delete(passage)) continue
    const why = items.has(itemId)
      ? missing
        ? 'its version has fewer passages'
        : 'another version is indexed'
      : 'the item is gone'
    report('I4', `${namespace.name}: an orphan point ${itemId}@${version}#${passage}: ${why}`)
  }
  for (const [point, { missing }] of expected) {
    if (missing.size > 0)
      report('I2', `${namespace.name}: ${point} is indexed but has no points ${[...missing].join(', ')}`)
  }
}

const checkFound = async (scope: Scope, namespace: Namespace, item: Item): Promise<void> => {
  const { vectors, vectorsOf, embeddingSpaceOf, report } = scope
  if (!vectorsOf || !item.indexed) return
  for (const vector of await vectorsOf(item, namespace)) {
    const hits = await vectors.search(embeddingSpaceOf(namespace), {
      namespaceIds: [namespace.id],
      vector,
      limit: 4_096,
    })
    const best = hits[0]?.score ?? 0
    const own = hits.find(({ itemId, version }) => itemId === item.id && version === item.indexed?.version)
    if (!own || own.score < best - scoreTolerance || own.score < 1 - 1e-3)
      report(
        'I2',
        `${namespace.name}/${item.id} is not the best hit for its own passage (${own?.score ?? 'not found'} against ${best})`,
      )
  }
}

const checkNamespace = async (scope: Scope, namespace: Namespace): Promise<ReadonlyMap<string, Item>> => {
  const { store, vectors, history, report, judge, embeddingSpaceOf } = scope
  const { accountId, name } = namespace
  const items = new Map((await allById((page) => store.items.page(namespace.id, page))).map((item) => [item.id, item]))
  if (namespace.state !== 'active') report('I5', `namespace ${name} (${namespace.id}) is still ${namespace.state}`)
  judge(history.nameNotTaken(accountId, name, atTheEnd))
  if (namespace.openCount !== 0 || Object.keys(namespace.open).length > 0)
    report(
      'I4',
      `namespace ${name} still has operations open: ${Object.keys(namespace.open).join(', ') || namespace.openCount}`,
    )
  // Published file content counts as well; `checkFiles` verifies that it exists.
  const content = items.size + (await store.files.countPublished(namespace.id))
  if (namespace.itemCount !== content)
    report('I4', `namespace ${name} counts ${namespace.itemCount} items and has ${content}`)
  for (const item of items.values()) {
    checkItem(scope, { accountId, namespace: name, id: item.id }, item)
    await checkFound(scope, namespace, item)
  }
  for (const place of history.placesIn(accountId, name))
    if (!items.has(place.id)) judge(history.notAbsent(place, atTheEnd))
  const points = await allPoints(vectors, embeddingSpaceOf(namespace), namespace.id)
  const ofDocuments = points.filter(({ version }) => !isFileVersion(version))
  checkPoints(report, namespace, items, ofDocuments)
  return items
}

const checkAccount = (scope: Scope, account: Account, namespaces: readonly Namespace[]): void => {
  const { report, limitsOf } = scope
  const found = { documents: 0, vectors: 0, namespaces: namespaces.length }
  for (const { type, itemCount } of namespaces) found[type === 'text' ? 'documents' : 'vectors'] += itemCount
  if (account.reservationCount !== 0 || Object.keys(account.reservations).length > 0)
    report(
      'I4',
      `account ${account.id} still has reservations: ${Object.keys(account.reservations).join(', ') || account.reservationCount}`,
    )
  for (const what of ['documents', 'vectors', 'namespaces'] as const) {
    if (account.counts[what] !== found[what])
      report('I4', `account ${account.id} counts ${account.counts[what]} ${what} and has ${found[what]}`)
    if (account.held[what] !== account.counts[what])
      report('I4', `account ${account.id} holds ${account.held[what]} ${what} and counts ${account.counts[what]}`)
    const limit = limitsOf?.(account)[what] ?? null
    if (limit !== null && found[what] > limit)
      report('I9', `account ${account.id} has ${found[what]} ${what}, its limit is ${limit}`)
  }
}

const outcomeFault = (
  history: LedgerHistory,
  place: ItemPlace,
  entry: LedgerEntry,
  outcome: string,
  item: Item | undefined,
): string | undefined => {
  const own = item !== undefined && item.version === entry.answered.uploadId
  if (outcome === 'deleted') {
    if (own) return 'is there'
    return history.deletionsOf(place).some((one) => one.outcome !== 'refused' && one.endedAt >= entry.startedAt)
      ? undefined
      : 'was not deleted'
  }
  if (outcome === 'superseded') {
    if (own) return 'is of this upload'
    const other = history
      .uploadsOf(place)
      .some((one) => one.entry !== entry && !one.refused && one.entry.endedAt >= entry.startedAt)
    return other ? undefined : 'was not uploaded again'
  }
  return own && item.status !== outcome ? `is ${item.status}` : undefined
}

const checkUpload = async (
  scope: Scope,
  entry: LedgerEntry,
  itemsOf: (accountId: string, name: string) => ReadonlyMap<string, Item>,
): Promise<void> => {
  const { store, history, report } = scope
  const { accountId, request, answered, name } = entry
  if (request.kind !== 'upload' || entry.outcome !== 'acknowledged' || answered.uploadId === undefined) return
  const record = asUpload(await store.uploads.get(answered.uploadId))
  const gone = history
    .deletionsOfName(accountId, request.namespace)
    .some((one) => one.outcome !== 'refused' && one.endedAt >= entry.startedAt)
  if (!record) {
    if (!gone) report('I1', `the record of ${name} is lost`)
    return
  }
  if (record.state !== 'completed' && record.state !== 'failed') return report('I1', `${name} is still ${record.state}`)
  const outcomes = new Map(record.outcomes.map((outcome) => [outcome.id, outcome]))
  const items = itemsOf(accountId, request.namespace)
  for (const { id } of request.documents) {
    if (answered.refusedIds?.includes(id)) continue
    const { outcome = 'pending', reason } = outcomes.get(id) ?? {}
    if (outcome === 'pending') report('I1', `${id} of ${name} has no outcome`)
    if (outcome === 'failed' && reason === undefined) report('I1', `${id} of ${name} failed without a reason`)
    const fault = outcomeFault(history, { accountId, namespace: request.namespace, id }, entry, outcome, items.get(id))
    if (fault) report('I1', `${id} of ${name} is said to be ${outcome}, but it ${fault}`)
  }
}

/**
 * Checks the content or the rejection in an answer against earlier and concurrent requests, and the order of a walk.
 */
const checkAnswer = (
  { history, report, judge }: Pick<Scope, 'history' | 'report' | 'judge'>,
  entry: LedgerEntry,
): void => {
  const { accountId, request, answered, name, startedAt: from, endedAt: to } = entry
  const { returned } = answered
  const namespaces = request.kind === 'search' ? request.namespaces : [request.namespace]
  if (entry.outcome === 'refused' && answered.notFound) {
    const missing = namespaces.map((namespace) => history.nameNotFree(accountId, namespace, { from, to }))
    if (missing.every((violation) => violation !== undefined)) judge(missing[0], name)
  }
  if (!returned || entry.outcome !== 'acknowledged') return
  const latest = request.kind !== 'search'
  for (const document of returned) {
    judge(
      history.notThere(
        { accountId, namespace: document.namespace, id: document.id },
        document,
        { from, to },
        { latest },
      ),
      name,
    )
  }
  const ids = new Set(returned.map(({ id }) => id))
  if (request.kind === 'get') {
    for (const id of request.ids) {
      if (!ids.has(id)) judge(history.notAbsent({ accountId, namespace: request.namespace, id }, { from, to }), name)
    }
  }
  if (request.kind !== 'walk') return
  if (returned.some(({ id }, index) => index > 0 && compareText(returned[index - 1]?.id ?? '', id) >= 0))
    report('I10', `${name} repeats ids or goes back: ${returned.map(({ id }) => id).join(', ')}`)
  for (const place of history.placesIn(accountId, request.namespace)) {
    const fault = ids.has(place.id) ? undefined : history.notAbsent(place, { from, to })
    if (fault) report('I10', `${name}: ${fault.message}`)
  }
}

const checkUsage = async ({ store, ledger, usage, report }: Scope, accountId: string): Promise<void> => {
  if (!usage) return
  const counted = (await store.usage.get(accountId, usage.period))?.requests ?? 0
  let answered = 0
  let unknown = 0
  for (const entry of ledger.entries) {
    if (entry.accountId !== accountId) continue
    if (entry.outcome === 'unknown') unknown += entry.answered.requests ?? 1
    else answered += entry.answered.requests ?? 1
  }
  if (counted < answered - usage.lost || counted > answered + unknown)
    report(
      'I9',
      `account ${accountId} is charged ${counted} requests, ${answered} were answered and ${unknown} may have been counted`,
    )
}

const checkGone = async (
  { store, vectors, everSeen = [], report }: Scope,
  living: ReadonlySet<string>,
): Promise<void> => {
  for (const { id, space } of everSeen) {
    if (living.has(id)) continue
    const left = {
      points: await vectors.count(space, id),
      items: await store.items.count(id),
      files: await store.files.countOfNamespace(id),
      chunks: await store.chunks.countOfNamespace(id),
      grants: await store.grants.countOfNamespace(id),
      uploads: await store.uploads.countOfNamespace(id),
      deletions: await store.deletions.countOfNamespace(id),
      evaluations: await store.evaluations.countOfNamespace(id),
      events: await store.events.countOfNamespace(id),
    }
    const some = Object.entries(left).filter(([, count]) => count > 0)
    if (some.length > 0)
      report(
        'I5',
        `of the deleted namespace ${id} there are left: ${some.map(([store, count]) => `${count} ${store}`).join(', ')}`,
      )
  }
}

const collector = () => {
  const found: Violation[] = []
  const report: Report = (invariant, message) => void found.push({ invariant, message })
  const judge: Scope['judge'] = (violation, where) =>
    violation && report(violation.invariant, where === undefined ? violation.message : `${where}: ${violation.message}`)
  return { found, report, judge }
}

/**
 * Checks I1 to I7, I9, I10 and I12 on an idle system: no request in progress, no work left, sweeps and an audit done.
 * Compares the stores with the answers to clients. Returns the violations. `checkFiles` checks I8.
 */
export const checkInvariants = async (input: InvariantInput): Promise<Violation[]> => {
  const { found, report, judge } = collector()
  const scope: Scope = { ...input, history: ledgerHistory(input.ledger.entries), report, judge }
  const { store, history, ledger } = scope
  for (const entry of ledger.entries) checkAnswer(scope, entry)
  const namespaces = await allById((page) => store.namespaces.page(page))
  const items = new Map<string, ReadonlyMap<string, Item>>()
  for (const namespace of namespaces)
    items.set(`${namespace.accountId} ${namespace.name}`, await checkNamespace(scope, namespace))
  for (const account of await allById((page) => store.accounts.page(page))) {
    const own = namespaces.filter(({ accountId }) => accountId === account.id)
    checkAccount(scope, account, own)
    await checkUsage(scope, account.id)
    const ofItems = own.map((namespace) => ({
      namespace,
      items: items.get(`${account.id} ${namespace.name}`) ?? new Map<string, Item>(),
    }))
    await checkEvents(store, account.id, ofItems, (message) => report('I12', message))
    for (const name of history.names(account.id))
      if (!own.some((namespace) => namespace.name === name)) judge(history.nameNotFree(account.id, name, atTheEnd))
  }
  const itemsOf = (accountId: string, name: string) => items.get(`${accountId} ${name}`) ?? new Map<string, Item>()
  for (const entry of ledger.entries) await checkUpload(scope, entry, itemsOf)
  await checkGone(scope, new Set(namespaces.map(({ id }) => id)))
  return found
}

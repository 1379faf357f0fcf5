import type { Change, Step, Where } from '@cairn/domain/ports/store'
import type { VectorHit, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { StepName } from '@cairn/domain/protocol/step-names'
import type { Store } from '@cairn/domain/store'
import { withoutCondition } from '@cairn/testing/stepwise-store'

export type ServiceName = 'gateway' | 'ingestion' | 'deletion' | 'namespace'

/** A fault that removes one clause of the protocol from outside; the product's code is unchanged. */
export type PlantedFault = {
  readonly name: string
  /** The removed clause, in the words of docs/architecture.md. */
  readonly clause: string
  readonly intercept?: (step: Step) => Step
  readonly metadata?: (store: Store, service: ServiceName) => Store
  readonly vectors?: (vectors: VectorIndex, service: ServiceName) => VectorIndex
}

type Update = Extract<Step, { op: 'update' }>['updates'][number]

/** Returns a function that rewrites the updates of one step. */
const rewritten =
  (name: StepName, rewrite: (update: Update) => { readonly where?: Where; readonly change?: Change }) =>
  (step: Step): Step =>
    step.step === name && step.op === 'update'
      ? { ...step, updates: step.updates.map((update) => ({ ...update, ...rewrite(update) })) }
      : step

const chained =
  (...intercepts: readonly ((step: Step) => Step)[]) =>
  (step: Step): Step =>
    intercepts.reduce((next, intercept) => intercept(next), step)

const withoutSet = (change: Change, path: string): Change => {
  const { [path]: _, ...set } = change.set ?? {}
  return { ...change, set }
}

/** Returns a function that makes one step read nothing. */
const withoutKeys =
  (name: StepName) =>
  (step: Step): Step =>
    step.step === name && step.op === 'get' ? { ...step, keys: [] } : step

/** Returns an index that answers a repeated search of the same request from the first result. */
const lookingOnce = (vectors: VectorIndex): VectorIndex => {
  const found = new Map<string, Promise<VectorHit[]>>()
  return {
    ...vectors,
    search: (space, query) => {
      const key = JSON.stringify([space.key, query.namespaceIds, query.limit, query.except ?? []])
      const hits = found.get(key) ?? vectors.search(space, query)
      found.set(key, hits)
      return hits
    },
  }
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'mark-without-version',
    clause: 'a mark is conditional on the version being mine',
    intercept: withoutCondition('mark indexed', 'version'),
  },
  {
    name: 'mark-without-status',
    clause: 'a mark is conditional on the status being processing',
    intercept: withoutCondition('mark indexed', 'status'),
  },
  {
    name: 'overwrite-by-version-alone',
    clause: 'an item is overwritten on condition of version and indexed.version as read',
    intercept: withoutCondition('accept: overwrite items', 'indexed.version'),
  },
  {
    name: 'overwrite-loses-body',
    clause: 'an overwrite saves the body that is indexed',
    intercept: rewritten('accept: overwrite items', ({ change }) => ({ change: withoutSet(change, 'indexed.body') })),
  },
  {
    name: 'clean-up-by-item',
    clause: 'points are removed one version at a time, never by item alone',
    vectors: (vectors) => ({
      ...vectors,
      removeVersions: async (space, targets) => {
        const all = targets.map(async (target) => {
          const points = await vectors.list(space, { namespaceIds: [target.namespaceId], limit: 4_096 })
          return points.filter(({ itemId }) => itemId === target.itemId).map(({ version }) => ({ ...target, version }))
        })
        return vectors.removeVersions(space, (await Promise.all(all)).flat())
      },
    }),
  },
  {
    name: 'deletion-removes-live-points',
    clause: 'a deletion removes points of a listed version only if a read made just before finds it dead',
    metadata: (store, service) =>
      service === 'deletion' ? { ...store, items: { ...store.items, latestStates: async () => [] } } : store,
  },
  {
    name: 'deletion-without-second-look',
    clause: 'a live deletion reads an id again whose version moved',
    intercept: withoutKeys('delete: read moved items'),
  },
  {
    name: 'removed-record-goes-early',
    clause: 'the record of a removed item stays until its upload and its deletion have left the namespace',
    intercept: withoutKeys('items: read open requests'),
  },
  {
    name: 'removal-forgets-who-inserted',
    clause: 'an item says for ever which upload inserted it',
    intercept: rewritten('delete: remove items', ({ change }) => ({ change: { ...change, unset: ['insertedBy'] } })),
  },
  {
    name: 'removed-twice',
    clause: 'an item is marked by one deletion',
    intercept: withoutCondition('delete: remove items', 'status'),
  },
  {
    name: 'overwrites-what-is-removed',
    clause: 'an upload overwrites only items that are there',
    intercept: withoutCondition('accept: overwrite items', 'status'),
  },
  {
    name: 'recovery-before-decision',
    clause: 'an overdue entry is taken out only once its record has decided what it changes',
    intercept: withoutKeys('recover: read upload'),
  },
  {
    name: 'account-recovered-alone',
    clause: 'an entry of an account that its namespace has, too, is settled with it',
    intercept: withoutKeys('recover: read its namespace'),
  },
  {
    name: 'leave-without-entry',
    clause: 'leaving is conditional on the entry still being there, so it may be repeated',
    intercept: chained(withoutCondition('accept: leave namespace'), withoutCondition('delete: leave namespace')),
  },
  {
    name: 'give-back-without-note',
    clause: 'the account gets back what a deleted namespace held once, noting the deletion',
    intercept: withoutCondition('release namespace: give back'),
  },
  {
    name: 'deletion-does-not-wait',
    clause: 'the deletion of a namespace waits until open is empty',
    metadata: (store, service) =>
      service === 'deletion'
        ? {
            ...store,
            namespaces: {
              ...store.namespaces,
              get: async (id) => {
                const namespace = await store.namespaces.get(id)
                return namespace && { ...namespace, openCount: 0 }
              },
            },
          }
        : store,
  },
  {
    name: 'no-re-check',
    clause: 'what belongs to a deleted namespace is removed again after 1 min, 5 min, 30 min and 24 h',
    metadata: (store, service) =>
      service === 'deletion'
        ? {
            ...store,
            deletions: {
              ...store.deletions,
              abandoned: async (limit) =>
                (await store.deletions.abandoned(limit)).filter(({ state }) => state !== 'rechecking'),
            },
          }
        : store,
  },
  {
    name: 'stale-not-drained',
    clause: 'a job takes the stale versions it has removed out of the item',
    intercept: rewritten('drop stale', () => ({ change: {} })),
  },
  {
    name: 'search-looks-once',
    clause: 'a search runs once more when a hit is dropped though its item exists',
    vectors: (vectors, service) => (service === 'gateway' ? lookingOnce(vectors) : vectors),
  },
  {
    name: 'no-re-open',
    clause: 'a slow sweep re-opens a final upload that still has an item processing',
    metadata: (store, service) =>
      service === 'namespace'
        ? { ...store, uploads: { ...store.uploads, reopen: async () => ({ reopened: [], next: null }) } }
        : store,
  },
  {
    name: 'no-audit',
    clause: 'an audit removes points of dead versions',
    vectors: (vectors, service) => (service === 'namespace' ? { ...vectors, list: async () => [] } : vectors),
  },
  {
    name: 'stream-skips-a-number',
    clause: 'a reader of events stops before a missing number, whose record may still come',
    metadata: (store) => ({
      ...store,
      events: {
        ...store.events,
        after: async (...args) => {
          const page = await store.events.after(...args)
          return page.next === 'missing' ? { ...page, last: page.last + 1, next: 'more' } : page
        },
      },
    }),
  },
  {
    name: 'deletion-recorded-without-looking',
    clause: 'a deletion says nothing of what is there again and told so',
    intercept: withoutKeys('record event: read deleted items'),
  },
  {
    name: 'reserve-without-limit',
    clause: 'one conditional update reserves the absent ids',
    intercept: withoutCondition('accept: enter account', 'held.documents', 'held.vectors'),
  },
  {
    name: 'vanished-not-reserved',
    clause: 'an id that vanished meanwhile is reserved in addition',
    intercept: rewritten('accept: reserve one more', ({ where, change }) => ({
      where: { id: where['id'] ?? { ne: null } },
      change: { inc: { seq: change.inc?.['seq'] ?? 0 } },
    })),
  },
]

import type {
  Account,
  ApiKey,
  Chunk,
  DeadLetter,
  Deletion,
  FileRecord,
  Grant,
  Installation,
  Namespace,
  Orphan,
  RetiredNamespace,
  StoredItem,
  Task,
  Upload,
  Usage,
} from '../records.ts'

/** The documents of each collection. */
export type Documents = {
  accounts: Account
  apiKeys: ApiKey
  namespaces: Namespace
  items: StoredItem
  uploads: Upload
  files: FileRecord
  chunks: Chunk
  grants: Grant
  deletions: Deletion
  deadLetters: DeadLetter
  usage: Usage
  installation: Installation
  retiredNamespaces: RetiredNamespace
  orphans: Orphan
  tasks: Task
}
export type Collection = keyof Documents

/**
 * What an engine must know of a collection: the fields of its key in order, what else is unique, and what it is searched by.
 * A condition of `find`, `count` and `sum` may name only these fields, and only these are summed.
 */
export const collections: {
  readonly [C in Collection]: {
    readonly key: readonly string[]
    readonly unique?: readonly string[]
    readonly indexes: readonly (readonly string[])[]
  }
} = {
  accounts: { key: ['id'], indexes: [['reservationCount']] },
  apiKeys: { key: ['id'], indexes: [['accountId', 'id']] },
  namespaces: { key: ['id'], unique: ['accountId', 'name'], indexes: [['openCount'], ['state', 'id'], ['accountId', 'state', 'name']] },
  items: { key: ['namespaceId', 'id'], indexes: [['status', 'updatedAt']] },
  uploads: {
    key: ['id'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['state', 'updatedAt'],
      ['namespaceId', 'id'],
    ],
  },
  files: {
    key: ['id'],
    unique: ['namespaceId', 'name'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['namespaceId', 'id'],
      ['namespaceId', 'idBase'],
      ['accountId', 'bytes'],
    ],
  },
  chunks: {
    key: ['id'],
    indexes: [
      ['namespaceId', 'itemId'],
      ['version', 'id'],
    ],
  },
  grants: {
    key: ['namespaceId', 'name'],
    indexes: [['nextLookAt'], ['namespaceId', 'expiresAt'], ['accountId', 'reservedUntil', 'reservedBytes']],
  },
  deletions: {
    key: ['id'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['state', 'updatedAt'],
      ['namespaceId', 'target', 'id'],
    ],
  },
  deadLetters: { key: ['id'], indexes: [] },
  usage: { key: ['accountId', 'period'], indexes: [] },
  installation: { key: ['id'], indexes: [] },
  retiredNamespaces: { key: ['id'], indexes: [] },
  orphans: { key: ['key'], indexes: [['lastSeenAt']] },
  tasks: { key: ['name'], indexes: [] },
}

export type Key = readonly string[]
/** Dotted path to what it must be. A plain value means equal; a missing field equals null. */
export type Where = { readonly [path: string]: Condition }
export type Condition =
  | string
  | number
  | boolean
  | null
  | { readonly lte?: number | string; readonly lt?: number | string; readonly gt?: number | string; readonly ne?: string | number | null }
/** Dotted paths; every engine applies it atomically to one document. */
export type Change = {
  readonly set?: { readonly [path: string]: unknown }
  readonly unset?: readonly string[]
  readonly inc?: { readonly [path: string]: number }
  readonly push?: { readonly [path: string]: readonly unknown[] }
  readonly pull?: { readonly [path: string]: readonly string[] }
}

/**
 * One step of the protocol: what an engine does at once. Elements of a bulk step are atomic one by one, not together.
 * `step` names the step: it is where a test may cut the protocol off, and where a simulation may let others run.
 * `only` names the fields that are looked at: texts are long, and an engine that is far away may leave out all others.
 */
export type Step =
  | { readonly op: 'now'; readonly step: string }
  | {
      readonly op: 'get'
      readonly step: string
      readonly in: Collection
      readonly keys: readonly Key[]
      readonly only?: readonly string[]
    }
  | {
      readonly op: 'find'
      readonly step: string
      readonly in: Collection
      readonly where: Where
      readonly order: readonly string[]
      readonly limit: number
      readonly only?: readonly string[]
    }
  | { readonly op: 'count'; readonly step: string; readonly in: Collection; readonly where: Where }
  /** Of a field that is a number, null or missing; an index with all fields named here answers it alone. */
  | { readonly op: 'sum'; readonly step: string; readonly in: Collection; readonly field: string; readonly where: Where }
  | { readonly op: 'insert'; readonly step: string; readonly in: Collection; readonly documents: readonly object[] }
  | {
      readonly op: 'update'
      readonly step: string
      readonly in: Collection
      readonly updates: readonly { readonly key: Key; readonly where: Where; readonly change: Change }[]
      readonly only?: readonly string[]
      /** Nobody looks at the result: an engine that is far away may send all of them at once and give nothing back. */
      readonly blind?: true
    }
  | {
      readonly op: 'remove'
      readonly step: string
      readonly in: Collection
      readonly removals: readonly { readonly key: Key; readonly where: Where }[]
    }

/** A protocol method: yields steps, is resumed with their results. One text serves every engine. */
export type Steps<T> = Generator<Step, T, unknown>

export function* now(step = 'now'): Steps<number> {
  return (yield { op: 'now', step }) as number
}

type Field<C extends Collection> = Extract<keyof Documents[C], string>

/** Undefined where there is none, in the order of the keys. */
export function get<C extends Collection>(step: string, from: C, keys: readonly Key[]): Steps<(Documents[C] | undefined)[]>
export function get<C extends Collection, F extends Field<C>>(
  step: string,
  from: C,
  keys: readonly Key[],
  only: readonly F[],
): Steps<(Pick<Documents[C], F> | undefined)[]>
export function* get(step: string, from: Collection, keys: readonly Key[], only?: readonly string[]): Steps<unknown> {
  return yield { op: 'get', step, in: from, keys, ...(only ? { only } : {}) }
}

export function* getOne<C extends Collection>(step: string, from: C, ...key: string[]): Steps<Documents[C] | undefined> {
  return (yield* get(step, from, [key]))[0]
}

export function find<C extends Collection>(
  step: string,
  from: C,
  where: Where,
  order: readonly string[],
  limit: number,
): Steps<Documents[C][]>
export function find<C extends Collection, F extends Field<C>>(
  step: string,
  from: C,
  where: Where,
  order: readonly string[],
  limit: number,
  only: readonly F[],
): Steps<Pick<Documents[C], F>[]>
export function* find(
  step: string,
  from: Collection,
  where: Where,
  order: readonly string[],
  limit: number,
  only?: readonly string[],
): Steps<unknown> {
  return yield { op: 'find', step, in: from, where, order, limit, ...(only ? { only } : {}) }
}

export function* count(step: string, from: Collection, where: Where): Steps<number> {
  return (yield { op: 'count', step, in: from, where }) as number
}

export function* sum<C extends Collection>(step: string, from: C, field: Field<C>, where: Where): Steps<number> {
  return (yield { op: 'sum', step, in: from, field, where }) as number
}

/** False where the key, or what else is unique, is taken. */
export function* insert<C extends Collection>(step: string, into: C, documents: readonly Documents[C][]): Steps<boolean[]> {
  return (yield { op: 'insert', step, in: into, documents }) as boolean[]
}

export function* insertOne<C extends Collection>(step: string, into: C, document: Documents[C]): Steps<boolean> {
  return (yield* insert(step, into, [document]))[0] === true
}

type Updates = readonly { readonly key: Key; readonly where: Where; readonly change: Change }[]

/** The document after each update, undefined where there is none or the condition did not hold. */
export function update<C extends Collection>(step: string, into: C, updates: Updates): Steps<(Documents[C] | undefined)[]>
export function update<C extends Collection, F extends Field<C>>(
  step: string,
  into: C,
  updates: Updates,
  only: readonly F[],
): Steps<(Pick<Documents[C], F> | undefined)[]>
export function* update(step: string, into: Collection, updates: Updates, only?: readonly string[]): Steps<unknown> {
  return yield { op: 'update', step, in: into, updates, ...(only ? { only } : {}) }
}

/** The same updates, without word of which of them met its condition. */
export function* updateBlindly(step: string, into: Collection, updates: Updates): Steps<void> {
  yield { op: 'update', step, in: into, updates, blind: true }
}

export function updateOne<C extends Collection>(
  step: string,
  into: C,
  key: Key,
  where: Where,
  change: Change,
): Steps<Documents[C] | undefined>
export function updateOne<C extends Collection, F extends Field<C>>(
  step: string,
  into: C,
  key: Key,
  where: Where,
  change: Change,
  only: readonly F[],
): Steps<Pick<Documents[C], F> | undefined>
export function* updateOne(
  step: string,
  into: Collection,
  key: Key,
  where: Where,
  change: Change,
  only?: readonly string[],
): Steps<unknown> {
  const updated = (yield { op: 'update', step, in: into, updates: [{ key, where, change }], ...(only ? { only } : {}) }) as unknown[]
  return updated[0]
}

/** Whether each was there, met the condition and is gone. */
export function* remove(
  step: string,
  from: Collection,
  removals: readonly { readonly key: Key; readonly where: Where }[],
): Steps<boolean[]> {
  return (yield { op: 'remove', step, in: from, removals }) as boolean[]
}

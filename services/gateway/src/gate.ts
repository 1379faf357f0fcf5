import { namespaceNotFound, notFound } from '@cairn/contracts/api/failures'
import { isNamespaceName } from '@cairn/contracts/http/common'
import type { Account } from '@cairn/domain/accounts/record'
import type { FileRecord } from '@cairn/domain/files/record'
import type { Deletion, IndexJob } from '@cairn/domain/items/record'
import type { Namespace, NamespaceType } from '@cairn/domain/namespaces/record'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'

declare const passed: unique symbol

/** Id of an account or namespace that the request may read; only this file makes one. */
export type ReadableId = string & { readonly [passed]: true }
export type ReadableNamespace = Namespace & { readonly id: ReadableId }
/** An upload of a readable namespace. */
export type ReadableUpload = IndexJob & { readonly namespaceId: ReadableId }

const asReadable = (namespace: Namespace): ReadableNamespace => namespace as ReadableNamespace

/**
 * What a request may read, by the account of its key. Every read of content begins here: the gateway's store and index take only ids
 * that this class has returned, so that an endpoint which forgets to ask does not compile. What may not be read looks
 * as if it did not exist.
 */
class Readable {
  readonly accountId: ReadableId
  readonly #store: Store

  constructor(store: Store, { id }: Pick<Account, 'id'>) {
    this.#store = store
    this.accountId = id as ReadableId
  }

  /** Returns an active namespace. AppError `notFound`. */
  async namespace(name: string, type?: NamespaceType): Promise<ReadableNamespace> {
    const namespace = await this.namespaceInAnyState(name)
    if (namespace?.state !== 'active' || (type !== undefined && namespace.type !== type))
      throw namespaceNotFound(name, type)
    return namespace
  }

  /** Returns a namespace that may be being deleted. Does not look for what can't be a name. */
  async namespaceInAnyState(name: string): Promise<ReadableNamespace | undefined> {
    const namespace = isNamespaceName(name) ? await this.#store.namespaces.byName(this.accountId, name) : undefined
    return namespace && asReadable(namespace)
  }

  /** Returns the active namespaces, by name. */
  async namespaces(): Promise<ReadableNamespace[]> {
    return (await this.#store.namespaces.ofAccount(this.accountId)).map(asReadable)
  }

  /** Returns a namespace in any state, by an id from a record. */
  async namespaceById(id: string): Promise<ReadableNamespace | undefined> {
    const namespace = await this.#store.namespaces.get(id)
    return namespace?.accountId === this.accountId ? asReadable(namespace) : undefined
  }

  /** AppError `notFound`. */
  async upload(namespace: ReadableNamespace, id: string): Promise<ReadableUpload> {
    const job = await this.#store.uploads.get(id)
    if (job?.namespaceId !== namespace.id) throw notFound('upload')
    return job as ReadableUpload
  }

  /** AppError `notFound`. */
  async deletion(id: string): Promise<Deletion> {
    const job = await this.#store.deletions.get(id)
    if (job?.accountId !== this.accountId) throw notFound('deletion')
    return job
  }

  /** Returns a file of an active namespace; undefined once either is deleted. */
  async file(id: string): Promise<FileRecord | undefined> {
    const file = await this.#store.files.get(id)
    return file && (await this.namespaceById(file.namespaceId))?.state === 'active' ? file : undefined
  }
}

export type { Readable }

export type Gate = (account: Pick<Account, 'id'>) => Readable

export const createGate =
  (store: Store): Gate =>
  (account) =>
    new Readable(store, account)

type ByReadableId<S, M extends keyof S> = Omit<S, M> & {
  readonly [K in M]: S[K] extends (id: string, ...rest: infer R) => infer P ? (id: ReadableId, ...rest: R) => P : never
}
type Gated = {
  readonly namespaces: ByReadableId<Omit<Store['namespaces'], 'byName' | 'ofAccount'>, 'get'>
  readonly items: ByReadableId<Store['items'], 'get' | 'states' | 'page' | 'pageWithoutBodies' | 'count'>
  readonly chunks: ByReadableId<Store['chunks'], 'published' | 'page' | 'pageWithoutBodies' | 'countOfNamespace'>
  readonly files: ByReadableId<Omit<Store['files'], 'get'>, 'byName' | 'page' | 'countOutdated'>
  readonly uploads: ByReadableId<Omit<Store['uploads'], 'get'>, 'newest'>
  readonly deletions: Omit<Store['deletions'], 'get'>
  readonly evaluations: ByReadableId<Store['evaluations'], 'get' | 'ofNamespace'>
  readonly events: ByReadableId<Store['events'], 'after' | 'bounds'>
}

/** The store as endpoints have it: what they read of a namespace, they read by a `ReadableId`. */
export type GatedStore = Omit<Store, keyof Gated> & Gated

type Searches = 'search' | 'searchWords' | 'frequencies' | 'list'

/** The index as endpoints have it: it is asked only in readable namespaces. */
export type GatedVectors = Omit<VectorIndex, Searches> & {
  readonly [K in Searches]: VectorIndex[K] extends (space: infer S, query: infer Q, ...rest: infer R) => infer P
    ? (space: S, query: Q & { readonly namespaceIds: readonly ReadableId[] }, ...rest: R) => P
    : never
}

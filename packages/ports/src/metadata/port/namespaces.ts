import type { EmbeddingModel } from '../../embedder/port.ts'
import type { Namespace } from '../records.ts'
import type { Limit, Page } from './common.ts'

export type CreateNamespaceInput = Pick<
  Namespace,
  'id' | 'accountId' | 'name' | 'type' | 'dimension' | 'embedding' | 'language' | 'createdAt'
> & {
  readonly limit: Limit
}

export type CreateNamespaceResult = 'created' | 'exists' | { readonly overLimit: number }

/**
 * Outcome of a count. `more`: there are further slices. `busy`: operations are in progress; try again. `counted`: the
 * count is assigned, and the old one was off by `off`.
 */
export type CountResult =
  | { readonly outcome: 'more' | 'busy' | 'gone' }
  | { readonly outcome: 'counted'; readonly off: number }

export interface NamespaceStore {
  byName(accountId: string, name: string): Promise<Namespace | undefined>
  get(id: string): Promise<Namespace | undefined>
  /** Returns the active ones, by name. */
  ofAccount(accountId: string): Promise<Namespace[]>
  /** Returns every namespace of the store, by id. */
  page(page: Page): Promise<Namespace[]>
  /** Returns those with operations in progress, by their number and id. */
  open(page: {
    readonly limit: number
    readonly after?: Pick<Namespace, 'openCount' | 'id'> | undefined
  }): Promise<Namespace[]>
  /** Returns those being deleted. */
  deleting(limit: number): Promise<Namespace[]>
  /** Changes the embedding of an active text namespace from `from`, whose points the caller replaces. False when it is another one. */
  setEmbedding(id: string, from: EmbeddingModel, to: EmbeddingModel): Promise<boolean>
  /** Records that all points have the fields of their metadata. */
  setHasFields(id: string): Promise<void>
  /** Whether a namespace of this id has been deleted. */
  isRetired(id: string): Promise<boolean>
}

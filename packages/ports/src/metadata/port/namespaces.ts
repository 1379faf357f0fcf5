import type { EmbeddingModel } from '../../embedder/port.ts'
import type { Namespace } from '../records.ts'
import type { Limit, Page } from './common.ts'

export type CreateNamespaceInput = Pick<Namespace, 'id' | 'accountId' | 'name' | 'type' | 'dimension' | 'embedding' | 'createdAt'> & {
  readonly limit: Limit
}

export type CreateNamespaceResult = 'created' | 'exists' | { readonly overLimit: number }

/**
 * What a count came to. `more`: there are further slices. `busy`: operations are under way; try again. `counted`: it is assigned, and was
 * off by so many before.
 */
export type CountResult = { readonly outcome: 'more' | 'busy' | 'gone' } | { readonly outcome: 'counted'; readonly off: number }

export interface NamespaceStore {
  byName(accountId: string, name: string): Promise<Namespace | undefined>
  get(id: string): Promise<Namespace | undefined>
  /** Active ones, by name. */
  ofAccount(accountId: string): Promise<Namespace[]>
  /** Every namespace of the store, by id. */
  page(page: Page): Promise<Namespace[]>
  /** Those with operations under way. */
  open(limit: number): Promise<Namespace[]>
  /** Those being deleted. */
  deleting(limit: number): Promise<Namespace[]>
  /** Changes the embedding of an active text namespace from `from`, whose points the caller replaces. False when it is another one. */
  setEmbedding(id: string, from: EmbeddingModel, to: EmbeddingModel): Promise<boolean>
  /** Whether a namespace of this id has been deleted. */
  isRetired(id: string): Promise<boolean>
}

import type { EmbeddingModel } from '../../ports/embedder.ts'
import type { Namespace, Reextraction, Reindex } from '../records.ts'
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
  /**
   * Changes the embedding of an active text namespace from `from`, whose points the caller replaces. False when it is
   * another one, or when the namespace has a reindex.
   */
  setEmbedding(id: string, from: EmbeddingModel, to: EmbeddingModel): Promise<boolean>
  /** Returns those with a reindex in this phase, by id. They may be being deleted. */
  reindexing(page: Page & { readonly phase: Reindex['phase'] }): Promise<Namespace[]>
  /** Begins a reindex of an active text namespace. False when it has one, or another embedding than `from`. */
  beginReindex(id: string, from: EmbeddingModel, reindex: Reindex): Promise<boolean>
  /**
   * Changes the reindex if it is still this one, in this phase since this time; resolves to the new record, else
   * undefined.
   */
  changeReindex(
    id: string,
    expected: Pick<Reindex, 'id' | 'phase' | 'phaseAt'>,
    change: Partial<Omit<Reindex, 'id' | 'embedding'>>,
  ): Promise<Namespace | undefined>
  /** Adds a query for the comparison of a reindex that keeps queries and is still in this phase. */
  keepQuery(
    id: string,
    expected: Pick<Reindex, 'id'> & { readonly phase: 'filling' | 'filled' },
    text: string,
  ): Promise<void>
  /**
   * Lets the models of a reindex in `closing` change places, at once: the phase becomes `former`. False when it is no
   * longer in `closing` since that time. `at`: wall time.
   */
  flipReindex(id: string, expected: Pick<Reindex, 'id' | 'phaseAt'>, at: number): Promise<boolean>
  /** Ends a reindex in `removing`, whose model is remembered in `formerEmbeddings`. */
  endReindex(id: string, reindexId: string): Promise<boolean>
  /** Returns those with a running re-extraction, by its id: `after` is one. They may be being deleted. */
  reextracting(page: Page): Promise<Namespace[]>
  /** Begins a re-extraction of an active namespace. False while one is running. */
  beginReextraction(id: string, reextraction: Reextraction): Promise<boolean>
  /** Replaces the running re-extraction of this id, and ends it if `endedAt` is set. False when it is not running. */
  changeReextraction(id: string, reextraction: Reextraction): Promise<boolean>
  /** Records that all points have the fields of their metadata. */
  setHasFields(id: string): Promise<void>
  /** Whether a namespace of this id has been deleted. */
  isRetired(id: string): Promise<boolean>
}

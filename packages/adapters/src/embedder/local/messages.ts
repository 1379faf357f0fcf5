import type { LocalModel } from '../model/local-models.ts'

/**
 * Kinds of tasks, by urgency. Queries overtake everything. Requests for tokens are cheap and lead to more work, so they
 * come before documents.
 */
export type Kind = 'query' | 'tokens' | 'document'
export const kinds: readonly Kind[] = ['query', 'tokens', 'document']

export type Answer = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

export type ToWorker =
  | { readonly type: 'task'; readonly id: number; readonly kind: Kind; readonly text: string }
  | { readonly type: 'stop' }

export type FromWorker =
  | { readonly type: 'ready' }
  /** Says that the model can't be loaded; the thread ends. */
  | { readonly type: 'unusable'; readonly reason: string }
  | { readonly type: 'done'; readonly id: number; readonly answer: Answer }
  /** Says that this text crashed the runtime; the thread ends without having started its other texts. */
  | { readonly type: 'broken'; readonly id: number; readonly reason: string }

export type WorkerData = Pick<LocalModel, 'dimension' | 'window' | 'pooling' | 'prefixes'> & {
  readonly modelDir: string
}

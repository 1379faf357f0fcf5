import type { LocalModel } from '../model/local-models.ts'

/** By urgency: queries overtake everything; tokens are cheap and lead to more work, so they come before documents. */
export type Kind = 'query' | 'tokens' | 'document'
export const kinds: readonly Kind[] = ['query', 'tokens', 'document']

export type Answer = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

export type ToWorker =
  | { readonly type: 'task'; readonly id: number; readonly kind: Kind; readonly text: string }
  | { readonly type: 'stop' }

export type FromWorker =
  | { readonly type: 'ready' }
  /** The model can't be loaded; the thread ends. */
  | { readonly type: 'unusable'; readonly reason: string }
  | { readonly type: 'done'; readonly id: number; readonly answer: Answer }
  /** This text crashed the runtime; the thread ends without having started its other texts. */
  | { readonly type: 'broken'; readonly id: number; readonly reason: string }

export type WorkerData = Pick<LocalModel, 'dimension' | 'window' | 'pooling' | 'prefixes'> & {
  readonly modelDir: string
}

import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'

export type IndexDeps = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly embedders: Embedders
  readonly textWorker: TextWorker
  readonly clock: Clock
}

import type { Clock } from '@cairn/ports/clock/port'
import type { Embedders } from '@cairn/ports/embedder/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'

export type IndexDeps = {
  readonly metadata: Metadata
  readonly vectors: VectorIndex
  readonly embedders: Embedders
  readonly clock: Clock
}

import type { FileType } from '@cairn/contracts/files/file-rules'
import type { Tiers } from '@cairn/domain/accounts/tiers'
import type { Ids } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { ExtractEvent, ExtractOptions } from '@cairn/extract/block'
import type { Used } from '@cairn/extract/child/run-extractor'
import type { Logger } from '@cairn/runtime/process/logger'
import type { Summariser } from './chunk/summarise.ts'

/** Implemented by `extractIn`, or by a test. */
export type Extract = (
  request: { readonly type: FileType; readonly path: string; readonly options: ExtractOptions },
  options: {
    readonly signal: AbortSignal
    readonly scratch: string
    readonly onUsed?: (used: Used) => void
    readonly pausedMs?: () => number
  },
) => AsyncIterable<ExtractEvent>

export type PipelineDeps = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly files: FileStore
  readonly bus: MessageBus
  readonly embedders: Embedders
  readonly textWorker: TextWorker
  readonly clock: Clock
  readonly ids: Ids
  readonly tiers: Tiers
  readonly log: Logger
  readonly extract: Extract
  /** Called each time a reader process has ended. */
  readonly observeReading?: (type: FileType, used: Used) => void
  readonly summarise: Summariser
  /** Only this process uses this folder. */
  readonly scratch: string
}

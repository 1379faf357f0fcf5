import type { Tiers } from '@cairn/domain/accounts/tiers'
import type { Ids } from '@cairn/domain/ids'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { Reranker } from '@cairn/domain/ports/reranker'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import type { Store } from '@cairn/domain/store'
import type { CoverageOf } from '@cairn/runtime/process/language-coverage'
import type { Logger } from '@cairn/runtime/process/logger'
import type { Estimates } from './estimates.ts'
import type { BytesInFlight } from './files/bytes-in-flight.ts'
import type { GatedStore, GatedVectors } from './gate.ts'

export type GatewayPorts = {
  readonly store: GatedStore
  readonly vectors: GatedVectors
  readonly embedders: Embedders
  readonly textWorker: TextWorker
  readonly reranker?: Reranker | undefined
  readonly bus: MessageBus
  readonly clock: Clock
  readonly ids: Ids
  readonly tiers: Tiers
  readonly log: Logger
  readonly estimates: Estimates
  readonly coverageOf: CoverageOf
  /** Aborted when the service stops: requests that wait for the end of work respond at once. Missing: never. */
  readonly stopping?: AbortSignal | undefined
}

export type AnswerPorts = GatewayPorts & {
  /** Undefined without a language model: answers are then quoted. */
  readonly answerer: Answerer | undefined
  /** Compares parts of texts with the question at almost no cost. */
  readonly lexicalEmbedder: Pick<Embedder, 'embed'>
}

export type FilePorts = GatewayPorts & {
  readonly files: FileStore
  readonly inFlight: BytesInFlight
  /** For records of stored objects, which are found by object key; never for a key or id that a client sent. */
  readonly ungatedStore: Store
}

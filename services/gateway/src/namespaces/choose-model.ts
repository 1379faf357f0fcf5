import { invalidField } from '@cairn/contracts/api/failures'
import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'

/** Returns the current model by default. AppError `invalid` for an unknown name lists the available ones. */
export const chooseModel = (embedders: Embedders, name: string | undefined): Embedder => {
  const embedder = name === undefined ? embedders.current() : embedders.named(name)
  if (embedder) return embedder
  throw invalidField('model', `must be one of ${embedders.names().join(', ')}, which this server offers`)
}

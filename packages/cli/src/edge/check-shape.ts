import { AppError } from '@cairn/contracts/errors'
import type { EdgeEmbedder, EdgeShape } from './port.ts'

/** Throws before anything is fetched if the models differ: their vectors can't be compared. */
export const checkShape = ({ mode, model, dimension }: EdgeShape, embedder: EdgeEmbedder): void => {
  if (mode === 'vector')
    throw new AppError('conflict', 'The edge store holds vectors, not texts: empty it, or give another one with --edge')
  const ours = embedder.model
  if ((model !== null && model !== ours.model) || (dimension !== null && dimension !== ours.dimension))
    throw new AppError(
      'conflict',
      `The edge store was filled with the model ${model} (${dimension} dimensions), and here texts are embedded by ${ours.model} (${ours.dimension}): choose that model (CAIRN_EMBEDDER), or empty the store`,
    )
}

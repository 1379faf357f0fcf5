import { AppError } from '@cairn/contracts/errors'
import type { Namespace } from '@cairn/ports/metadata/records'
import type { Space } from '@cairn/ports/vector-index/port'

/** Where a namespace's points are: with those of every namespace of the same model, or of the same dimension. */
export const spaceOf = ({ type, dimension, embedding }: Pick<Namespace, 'type' | 'dimension' | 'embedding'>): Space => {
  if (type === 'vector' && dimension !== null) return { key: `vector-${dimension}`, dimension }
  if (!embedding) throw new AppError('internal', 'A text namespace has no model.')
  const model = embedding.model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return { key: `${embedding.provider}-${model}-${embedding.dimension}`, dimension: embedding.dimension }
}

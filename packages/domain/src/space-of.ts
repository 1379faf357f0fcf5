import { createHash } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import type { Namespace } from '@cairn/ports/metadata/records'
import type { Space } from '@cairn/ports/vector-index/port'

/** Safe in a name. Names that become equal by that are distinguished by a hash: points of two models must never meet. */
const slug = (model: string): string => {
  const name = model.toLowerCase()
  const safe = name.replaceAll(/[^a-z0-9]+/g, '-')
  return safe === name && name !== '' ? safe : `${safe}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`
}

/** Where a namespace's points are: with those of every namespace of the same model, or of the same dimension. */
export const spaceOf = ({ type, dimension, embedding }: Pick<Namespace, 'type' | 'dimension' | 'embedding'>): Space => {
  if (type === 'vector' && dimension !== null) return { key: `vector-${dimension}`, dimension }
  if (!embedding) throw new AppError('internal', 'The text namespace has no embedding model.')
  return { key: `${embedding.provider}-${slug(embedding.model)}-${embedding.dimension}`, dimension: embedding.dimension }
}

import { createHash } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import type { Namespace } from '@cairn/ports/metadata/records'
import type { EmbeddingSpace } from '@cairn/ports/vector-index/port'

/** Returns the name in safe characters. A changed name gets a hash: points of two models must never be in one space. */
const slug = (model: string): string => {
  const name = model.toLowerCase()
  const safe = name.replaceAll(/[^a-z0-9]+/g, '-')
  return safe === name && name !== '' ? safe : `${safe}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`
}

/** Returns the embedding space of a namespace's points: that of all namespaces with the same model, or vectors of the same dimension. */
export const embeddingSpaceOf = ({
  type,
  dimension,
  embedding,
}: Pick<Namespace, 'type' | 'dimension' | 'embedding'>): EmbeddingSpace => {
  if (type === 'vector' && dimension !== null) return { key: `vector-${dimension}`, dimension }
  if (!embedding) throw new AppError('internal', 'The text namespace has no embedding model.')
  const { provider, model, dimension: size, weights } = embedding
  return { key: `${provider}-${slug(model)}-${size}${weights === undefined ? '' : `-${weights}`}`, dimension: size }
}

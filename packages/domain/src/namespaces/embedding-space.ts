import { createHash } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import type { Passages } from '../items/record.ts'
import { type EmbeddingModel, identityOf } from '../ports/embedder.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'
import type { Namespace } from './record.ts'

/** Returns the name in safe characters. A changed name gets a hash, because two models must never share a space. */
const slug = (model: string): string => {
  const name = model.toLowerCase()
  const safe = name.replaceAll(/[^a-z0-9]+/g, '-')
  return safe === name && name !== '' ? safe : `${safe}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`
}

/** Returns the embedding space for all points of this model. */
export const spaceOfModel = ({ provider, model, dimension, weights }: EmbeddingModel): EmbeddingSpace => ({
  key: `${provider}-${slug(model)}-${dimension}${weights === undefined ? '' : `-${weights}`}`,
  dimension,
})

/**
 * Returns the embedding space in which a namespace is searched. Namespaces with the same model share it, as do vector
 * namespaces of the same dimension.
 */
export const embeddingSpaceOf = ({
  type,
  dimension,
  embedding,
}: Pick<Namespace, 'type' | 'dimension' | 'embedding'>): EmbeddingSpace => {
  if (type === 'vector' && dimension !== null) return { key: `vector-${dimension}`, dimension }
  if (!embedding) throw new AppError('internal', 'The text namespace has no embedding model.')
  return spaceOfModel(embedding)
}

type InSpaces = Parameters<typeof embeddingSpaceOf>[0] & Pick<Namespace, 'reindex' | 'formerEmbeddings'>

/** Returns the model of the second space that writers must fill too; undefined without a reindex that needs it. */
export const secondModelOf = ({ reindex }: Pick<Namespace, 'reindex'>): EmbeddingModel | undefined =>
  reindex && reindex.phase !== 'removing' ? reindex.embedding : undefined

/** Returns the spaces that may have points of live items: first the searched one, then the second. */
export const spacesOf = (namespace: InSpaces): EmbeddingSpace[] => [
  embeddingSpaceOf(namespace),
  ...(namespace.reindex ? [spaceOfModel(namespace.reindex.embedding)] : []),
]

/** Returns the spaces of former reindexes that are not in use; a late writer may have left points there. */
export const formerSpacesOf = (namespace: InSpaces): EmbeddingSpace[] => {
  const used = [namespace.embedding, namespace.reindex?.embedding].flatMap((model) =>
    model ? [identityOf(model)] : [],
  )
  return (namespace.formerEmbeddings ?? []).filter((model) => !used.includes(identityOf(model))).map(spaceOfModel)
}

/** Returns all spaces that may have points of the namespace, the searched one first. */
export const allSpacesOf = (namespace: InSpaces): EmbeddingSpace[] => [
  ...spacesOf(namespace),
  ...formerSpacesOf(namespace),
]

/** Returns the passage count in this space. */
export const passagesIn = ({ passages, second }: Passages, { key }: EmbeddingSpace): number =>
  second?.space === key ? second.passages : passages

/**
 * Returns the passage counts with the count of `space` replaced. `searched`: the space of the namespace's `embedding`.
 */
export const withPassages = (
  { passages, second }: Passages,
  searched: EmbeddingSpace,
  { key }: EmbeddingSpace,
  count: number,
): Passages => {
  if (second?.space === key) return { passages, second: { space: key, passages: count } }
  if (searched.key === key) return { passages: count, ...(second && { second }) }
  return {
    passages: second?.space === searched.key ? second.passages : passages,
    second: { space: key, passages: count },
  }
}

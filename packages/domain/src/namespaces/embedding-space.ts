import { createHash } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import type { Passages } from '../items/record.ts'
import { type EmbeddingModel, identityOf } from '../ports/embedder.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'
import type { Namespace } from './record.ts'

/** A changed name gets a hash: two models must never share a space. */
const slug = (model: string): string => {
  const name = model.toLowerCase()
  const safe = name.replaceAll(/[^a-z0-9]+/g, '-')
  return safe === name && name !== '' ? safe : `${safe}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`
}

export const spaceOfModel = ({ provider, model, dimension, weights }: EmbeddingModel): EmbeddingSpace => ({
  key: `${provider}-${slug(model)}-${dimension}${weights === undefined ? '' : `-${weights}`}`,
  dimension,
})

/** Returns the searched space, shared by namespaces of the same model or vector dimension. */
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

/** Returns the model of the second space that writers must fill too, if any. */
export const secondModelOf = ({ reindex }: Pick<Namespace, 'reindex'>): EmbeddingModel | undefined =>
  reindex && reindex.phase !== 'removing' ? reindex.embedding : undefined

/** Spaces that may have points of live items, the searched one first. */
export const spacesOf = (namespace: InSpaces): EmbeddingSpace[] => [
  embeddingSpaceOf(namespace),
  ...(namespace.reindex ? [spaceOfModel(namespace.reindex.embedding)] : []),
]

/** Returns unused spaces of former reindexes: a late writer may have left points there. */
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

export const passagesIn = ({ passages, second }: Passages, { key }: EmbeddingSpace): number =>
  second?.space === key ? second.passages : passages

/** Replaces the count of `space`. `searched`: the space of the namespace's `embedding`. */
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

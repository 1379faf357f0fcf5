import { AppError } from '@cairn/contracts/errors'
import type { Indexable, SpaceEntries } from '@cairn/domain/items/write-points'
import { classify } from '@cairn/domain/jobs/job-error'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf, secondModelOf, spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import type { IndexDeps } from './deps.ts'
import { embedItems, type ItemEmbedder, type KnownVectors, vectorsOfTexts } from './embed-items.ts'
import { dropVectors, type KeptVectors } from './kept-vectors.ts'
import { waitingFor } from './waiting-for.ts'

/** Vectors of clients have no model. */
export type Target = { readonly space: EmbeddingSpace; readonly embedder: Embedder | undefined }

/** Passages of the same items for both spaces. */
export type EntriesOfSpaces = {
  readonly namespace: Namespace
  readonly first: SpaceEntries
  readonly second: SpaceEntries | undefined
}

/** A reindex may begin, and later flip, while items are embedded; further changes are not expected. */
const maxRounds = 5
/** A younger record need not be read again: a flip comes much later than the change that it waits for. */
const freshMs = 10_000

/** Embeds one by one if the model rejects any; resolves to those accepted. The second model fails no item. */
export const embedAccepted = async <I extends Indexable>(
  run: JobSteps,
  items: readonly I[],
  by: ItemEmbedder,
  known?: KnownVectors,
): Promise<Awaited<ReturnType<typeof embedItems<I>>>> => {
  try {
    return await embedItems(run, items, by, known)
  } catch (error) {
    if (classify(error).kind !== 'permanent') throw error
    if (items.length === 1) return []
  }
  const accepted = []
  for (const item of items) accepted.push(...(await embedAccepted(run, [item], by, known)))
  return accepted
}

/**
 * Returns the second space, if it must be written now. While its model is not ready, the pass before the flip will
 * write the points instead; in `closing` there is no later pass, so the job has to wait.
 */
const secondTarget = (namespace: Namespace, embedders: IndexDeps['embedders']): Target | undefined => {
  const model = secondModelOf(namespace)
  if (!model) return undefined
  const embedder = embedders.of(model)
  if (embedder?.status().state === 'ready') return { space: spaceOfModel(model), embedder }
  if (namespace.reindex?.phase !== 'closing') return undefined
  throw new AppError('unavailable', `The namespace changes its model; ${waitingFor(embedder, model)}.`)
}

const firstTarget = (namespace: Namespace, embedders: IndexDeps['embedders']): Target => {
  const { embedding } = namespace
  const embedder = embedding ? embedders.of(embedding) : undefined
  if (embedding && !embedder) throw new AppError('unavailable', waitingFor(embedder, embedding))
  return { space: embeddingSpaceOf(namespace), embedder }
}

/** Returns the spaces that writers must fill now: the searched one, and the second. */
export const targetsOf = (namespace: Namespace, embedders: IndexDeps['embedders']): Target[] => {
  const second = secondTarget(namespace, embedders)
  return [firstTarget(namespace, embedders), ...(second ? [second] : [])]
}

const uncounted = () => ({ reused: 0, embedded: 0 })

/**
 * If the record was read (`readAt`, by `Clock.monotonic`) some time ago, it is read again afterwards: embedding may
 * take longer than the flip waits.
 */
export const embedForSpaces =
  ({ store, vectors, embedders, textWorker, clock }: IndexDeps, kept: KeptVectors) =>
  async <I extends Indexable>(
    run: JobSteps,
    begun: { readonly namespace: Namespace; readonly readAt: number },
    items: readonly I[],
    counts: KnownVectors['counts'],
  ): Promise<EntriesOfSpaces> => {
    const embedded = new Map<string, SpaceEntries>()
    let { namespace, readAt } = begun
    for (let round = 0; round < maxRounds; round += 1) {
      const [first, second] = targetsOf(namespace, embedders) as [Target, Target?]
      for (const target of second ? [first, second] : [first]) {
        const { space } = target
        if (embedded.has(space.key)) continue
        const isFirst = target === first
        const ofTexts = vectorsOfTexts(kept, vectors, { space, namespaceId: namespace.id })
        const known = { ...ofTexts, counts: isFirst ? counts : uncounted() }
        const entries = await (isFirst ? embedItems : embedAccepted)(run, items, { ...target, textWorker }, known)
        embedded.set(space.key, { space, entries })
      }
      if (clock.monotonic() - readAt < freshMs) {
        const entriesOf = ({ space }: Target) => embedded.get(space.key) as SpaceEntries
        return { namespace, first: entriesOf(first), second: second && entriesOf(second) }
      }
      readAt = clock.monotonic()
      namespace = (await run.step('read', () => store.namespaces.get(begun.namespace.id))) ?? namespace
    }
    throw new AppError('unavailable', 'The namespace changed its model while items were embedded; retry.')
  }

/** Requires that the vectors were written to both spaces. */
export const dropOfSpaces = (
  kept: KeptVectors,
  embedders: IndexDeps['embedders'],
  { namespace, first, second }: EntriesOfSpaces,
): void => {
  const models = [
    [namespace.embedding, first],
    [secondModelOf(namespace), second],
  ] as const
  for (const [model, written] of models) {
    const embedder = model && embedders.of(model)
    if (embedder && written) dropVectors(kept, embedder, written.entries)
  }
}

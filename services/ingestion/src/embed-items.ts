import { isAppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import { permanentError } from '@cairn/contracts/permanent-error'
import type { PassageCounts } from '@cairn/domain/items/record'
import type { Indexable, IndexedPassage } from '@cairn/domain/items/write-points'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import type { EmbeddingSpace, VectorIndex } from '@cairn/domain/ports/vector-index'
import { windowOf } from '@cairn/domain/text/cut-passages'
import { passageTerm } from '@cairn/domain/text/passage-term'
import type { KeptVectors } from './kept-vectors.ts'

type Embedded<I extends Indexable> = { readonly item: I; readonly passages: readonly IndexedPassage[] }

type Cut<I extends Indexable> = { readonly item: I; readonly text: string }

/** Looked up before a text is embedded. */
export type KnownVectors = {
  /** Returns known vectors by text. The passages of an item are in order. */
  readonly find: (
    run: JobSteps,
    passages: readonly Cut<Indexable>[],
    model: EmbeddingModel,
  ) => Promise<Map<string, Float32Array>>
  /** Caches a vector until it is written. */
  readonly keep?: (model: EmbeddingModel, text: string, vector: Float32Array) => void
  /** The passages are added to these. */
  readonly counts: { -readonly [K in keyof PassageCounts]: PassageCounts[K] }
}

/** Keeps the embedder's workers busy, but takes several steps for a document of 50,000 characters. */
const passagesAtOnce = 64
/** For a slow model: if a call were cut off, its retries would be, too, forever. Embedders detect their own hangs. */
const embedMsPerPassage = 150_000

/** `embedder` is absent for vectors of clients. */
export type ItemEmbedder = { readonly embedder: Embedder | undefined; readonly textWorker: TextWorker }

const cut = async <I extends Indexable>(
  run: JobSteps,
  embedder: Embedder,
  textWorker: TextWorker,
  items: readonly I[],
): Promise<Cut<I>[]> => {
  const texts = items.map((item) => item.body.text)
  const tokens = await run.step('cut', () => embedder.tokens(texts))
  const passages: Cut<I>[] = []
  for (const [index, item] of items.entries()) {
    const { text } = item.body
    const stretches = await run.step('cut', (signal) =>
      textWorker.cut(text, tokens[index] as Uint32Array, windowOf(embedder), { caller: item.namespaceId, signal }),
    )
    for (const { start, end } of stretches) passages.push({ item, text: text.slice(start, end) })
  }
  return passages
}

type Place = { readonly space: EmbeddingSpace; readonly namespaceId: string }

/** Adds vectors of the namespace's points for texts that are not `known` yet. */
const addVectorsOfTexts = async (
  run: JobSteps,
  vectors: Pick<VectorIndex, 'vectorsOf'>,
  { space, namespaceId }: Place,
  texts: Iterable<string>,
  known: Map<string, Float32Array>,
): Promise<void> => {
  const others = [...new Set(texts)].filter((text) => !known.has(text))
  const found = await run.step('reuse', () => vectors.vectorsOf(space, namespaceId, others.map(passageTerm)))
  for (const [index, text] of others.entries()) {
    const vector = found[index]
    if (vector) known.set(text, vector)
  }
}

/** Looks first among vectors not written yet, then in the namespace. */
export const vectorsOfTexts = (
  kept: KeptVectors,
  vectors: Pick<VectorIndex, 'vectorsOf'>,
  of: Place,
): Omit<KnownVectors, 'counts'> => ({
  find: async (run, passages, model) => {
    const known = new Map<string, Float32Array>()
    const texts = new Set(passages.map(({ text }) => text))
    for (const text of texts) {
      const vector = kept.get(model, text)
      if (vector) known.set(text, vector)
    }
    await addVectorsOfTexts(run, vectors, of, texts, known)
    return known
  },
  keep: kept.put,
})

/** Looks in the namespace alone. */
export const vectorsOfPoints = (vectors: Pick<VectorIndex, 'vectorsOf'>, of: Place): Omit<KnownVectors, 'counts'> => ({
  find: async (run, passages) => {
    const known = new Map<string, Float32Array>()
    const texts = passages.map(({ text }) => text)
    await addVectorsOfTexts(run, vectors, of, texts, known)
    return known
  },
})

/** Throws a permanent error for a text that the embedder rejects. */
const rejectText = (error: unknown): never => {
  throw isAppError(error, 'invalid') ? permanentError('embedding_refused', error.message, { cause: error }) : error
}

/**
 * Embeds across documents, so that the embedder's workers are busy whatever the sizes. A vector item is its own
 * passage. No text is embedded twice, or if its vector is `known`; new vectors are cached until they are written.
 */
export const embedItems = async <I extends Indexable>(
  run: JobSteps,
  items: readonly I[],
  { embedder, textWorker }: ItemEmbedder,
  known?: KnownVectors,
): Promise<Embedded<I>[]> => {
  if (!embedder)
    return items.flatMap((item) =>
      item.body.vector ? [{ item, passages: [{ text: item.body.text, vector: item.body.vector }] }] : [],
    )
  const passages = await cut(run, embedder, textWorker, items)
  const texts = [...new Set(passages.map(({ text }) => text))]
  const vectorOf = known ? await known.find(run, passages, embedder.model) : new Map<string, Float32Array>()
  const missing = texts.filter((text) => !vectorOf.has(text))
  for (const some of slices(missing, passagesAtOnce)) {
    const embed = (signal: AbortSignal) => embedder.embed(some, { kind: 'document', signal }).catch(rejectText)
    const vectors = await run.step('embed', embed, {
      deadlineMs: Math.max(600_000, some.length * embedMsPerPassage),
    })
    for (const [index, text] of some.entries()) {
      const vector = vectors[index] as Float32Array
      vectorOf.set(text, vector)
      known?.keep?.(embedder.model, text, vector)
    }
  }
  if (known) {
    known.counts.embedded += missing.length
    known.counts.reused += passages.length - missing.length
  }
  // Two versions of a chunk have one id.
  const byItem = Map.groupBy(passages, ({ item }) => item)
  return items.map((item) => ({
    item,
    passages: (byItem.get(item) ?? []).map(({ text }) => ({ text, vector: vectorOf.get(text) as Float32Array })),
  }))
}

import { cutForModel } from '@cairn/domain/cut-passages'
import type { Indexable, IndexedPassage } from '@cairn/domain/index-items'
import type { JobSteps } from '@cairn/domain/job-run'
import type { Embedder } from '@cairn/ports/embedder/port'
import type { KeptVectors } from './kept-vectors.ts'

type Embedded<I extends Indexable> = { readonly item: I; readonly passages: readonly IndexedPassage[] }

/**
 * Passages per call of the embedder: enough to keep its workers busy, few enough that a document of 50,000 characters
 * takes several steps.
 */
const passagesAtOnce = 64
/**
 * Deadline per passage, for a slow model. If a slow call were cut off, its retry would be too, forever. Embedders
 * detect their own hangs.
 */
const embedMsPerPassage = 150_000

const cut = async <I extends Indexable>(
  run: JobSteps,
  embedder: Embedder,
  items: readonly I[],
): Promise<{ readonly item: I; readonly text: string }[]> => {
  const texts = items.map((item) => item.body.text)
  const tokens = await run.step('cut', () => embedder.tokens(texts))
  return items.flatMap((item, index) =>
    cutForModel(item.body.text, tokens[index] as Uint32Array, embedder.maxTokens).map(({ start, end }) => ({
      item,
      text: item.body.text.slice(start, end),
    })),
  )
}

/**
 * Cuts and embeds passages across documents, so that the embedder's workers are busy whatever the documents' sizes. A
 * vector item is its own passage. Vectors in `kept` are not computed again; new ones are added to it.
 */
export const embedItems = async <I extends Indexable>(
  run: JobSteps,
  items: readonly I[],
  embedder: Embedder | undefined,
  kept?: KeptVectors,
): Promise<Embedded<I>[]> => {
  if (!embedder)
    return items.flatMap((item) =>
      item.body.vector ? [{ item, passages: [{ text: item.body.text, vector: item.body.vector }] }] : [],
    )
  const passages = await cut(run, embedder, items)
  const { model } = embedder
  const vectorOf = new Map(passages.map((passage) => [passage, kept?.get(model, passage.text)]))
  const missing = passages.filter((passage) => !vectorOf.get(passage))
  for (let from = 0; from < missing.length; from += passagesAtOnce) {
    const some = missing.slice(from, from + passagesAtOnce)
    const vectors = await run.step(
      'embed',
      (signal) =>
        embedder.embed(
          some.map(({ text }) => text),
          { kind: 'document', signal },
        ),
      { deadlineMs: Math.max(600_000, some.length * embedMsPerPassage) },
    )
    for (const [index, passage] of some.entries()) {
      const vector = vectors[index] as Float32Array
      vectorOf.set(passage, vector)
      kept?.put(model, passage.text, vector)
    }
  }
  const byItem = Map.groupBy(passages, ({ item }) => item.id)
  return items.map((item) => ({
    item,
    passages: (byItem.get(item.id) ?? []).map((passage) => ({
      text: passage.text,
      vector: vectorOf.get(passage) as Float32Array,
    })),
  }))
}

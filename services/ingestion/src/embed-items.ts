import type { Embedder } from '@cairn/ports/embedder/port'
import { cutPassages } from '@cairn/runtime/cut-passages'
import type { Indexable, IndexedPassage } from '@cairn/runtime/index-items'
import type { Steps } from '@cairn/runtime/jobs'

type Embedded<I extends Indexable> = { readonly item: I; readonly passages: readonly IndexedPassage[] }

/** Passages handed to the embedder at once: enough to keep its workers busy, few enough that a document of 50,000 characters is several steps. */
const passagesAtOnce = 64
/** A slow model is slow, not hung: were a call cut off that only takes its time, the next one would be too, for ever. Embedders notice for themselves when they hang. */
const embedMsPerPassage = 150_000

const overlapShare = 0.125

const cut = async <I extends Indexable>(
  run: Steps,
  embedder: Embedder,
  items: readonly I[],
): Promise<{ readonly item: I; readonly text: string }[]> => {
  const texts = items.map((item) => item.body.text)
  const tokens = await run.step('cut', () => embedder.tokens(texts))
  const { maxTokens } = embedder
  return items.flatMap((item, index) =>
    cutPassages(item.body.text, tokens[index] as Uint32Array, { maxTokens, overlapTokens: Math.floor(maxTokens * overlapShare) }).map(
      ({ start, end }) => ({
        item,
        text: item.body.text.slice(start, end),
      }),
    ),
  )
}

/** Cuts and embeds across documents, so that the embedder's workers are kept busy whatever the documents' sizes. A vector item is its own passage. */
export const embedItems = async <I extends Indexable>(
  run: Steps,
  items: readonly I[],
  embedder: Embedder | undefined,
): Promise<Embedded<I>[]> => {
  if (!embedder)
    return items.flatMap((item) => (item.body.vector ? [{ item, passages: [{ text: item.body.text, vector: item.body.vector }] }] : []))
  const passages = await cut(run, embedder, items)
  const byItem = new Map<string, IndexedPassage[]>(items.map((item) => [item.id, []]))
  for (let from = 0; from < passages.length; from += passagesAtOnce) {
    const some = passages.slice(from, from + passagesAtOnce)
    const vectors = await run.step(
      'embed',
      (signal) =>
        embedder.embed(
          some.map(({ text }) => text),
          { kind: 'document', signal },
        ),
      { deadlineMs: Math.max(600_000, some.length * embedMsPerPassage) },
    )
    for (const [index, { item, text }] of some.entries()) byItem.get(item.id)?.push({ text, vector: vectors[index] as Float32Array })
  }
  return items.map((item) => ({ item, passages: byItem.get(item.id) ?? [] }))
}

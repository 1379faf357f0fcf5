import type { Language } from '@cairn/contracts/text/languages'
import { isFileVersion } from '../files/record.ts'
import type { JobSteps } from '../jobs/job-run.ts'
import type { TextWorker } from '../ports/text-worker.ts'
import type { EmbeddingSpace, Point, VectorIndex } from '../ports/vector-index.ts'
import type { ItemTexts } from '../text/item-words.ts'
import type { Item } from './record.ts'

export type IndexedPassage = { readonly text: string; readonly vector: Float32Array }
/** An item, or a chunk of a file. */
export type Indexable = Pick<Item, 'namespaceId' | 'id' | 'version' | 'body'>
export type Entry = { readonly item: Indexable; readonly passages: readonly IndexedPassage[] }
export type SpaceEntries = { readonly space: EmbeddingSpace; readonly entries: readonly Entry[] }

/** UTF-16 units whose points are made and written together: packing them takes about 10 ms. */
const batchLength = 50_000

/** Metadata becomes terms and fields, which cost less than words. */
const lengthOf = ({ item: { body } }: Entry): number => body.text.length + body.metadata.length / 4

function* batchesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = []
  let length = 0
  for (const entry of entries) {
    if (batch.length > 0 && length + lengthOf(entry) > batchLength) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(entry)
    length += lengthOf(entry)
  }
  if (batch.length > 0) yield batch
}

const kindOf = ({ version, body }: Indexable): ItemTexts['kind'] =>
  body.vector ? 'vector' : isFileVersion(version) ? 'chunk' : 'document'

export const pointsOf = async (
  textWorker: Pick<TextWorker, 'words'>,
  entries: readonly Entry[],
  language?: Language,
  signal?: AbortSignal,
): Promise<Point[]> => {
  const words = await textWorker.words(
    entries.map(({ item, passages }) => ({
      kind: kindOf(item),
      metadata: item.body.metadata,
      passages: passages.map((passage) => passage.text),
      language,
    })),
    { caller: entries[0]?.item.namespaceId ?? '', signal },
  )
  return entries.flatMap(({ item: { namespaceId, id: itemId, version }, passages }, index) =>
    passages.flatMap(({ vector }, passage) => {
      const own = words[index]?.[passage]
      return own ? [{ namespaceId, itemId, version, passage, vector, ...own }] : []
    }),
  )
}

/** Resolves to the number of points. Repeatable. */
export const writePoints = async (
  { vectors, textWorker }: { readonly vectors: Pick<VectorIndex, 'upsert'>; readonly textWorker: TextWorker },
  steps: JobSteps,
  { space, entries }: SpaceEntries,
  language?: Language,
): Promise<number> => {
  let written = 0
  for (const batch of batchesOf(entries)) {
    await steps.step('index', async (signal) =>
      vectors.upsert(space, await pointsOf(textWorker, batch, language, signal)),
    )
    written += batch.reduce((sum, { passages }) => sum + passages.length, 0)
  }
  return written
}

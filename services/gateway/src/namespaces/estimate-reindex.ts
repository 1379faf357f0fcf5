import { AppError } from '@cairn/contracts/errors'
import { type Embedder, modelName } from '@cairn/domain/ports/embedder'
import { windowOf } from '@cairn/domain/text/cut-passages'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'

const sampledOfEach = 16
/** Few enough for a slow model, enough to keep its workers busy. */
const embeddedPassages = 32
const embedWithinMs = 15_000

type Sizes = { readonly characters: number; readonly passages: number; readonly tokens: number }

/** Measures the first texts: their lengths, their passages, and the time to embed some of these. */
export const estimateReindex = async (
  { store, clock, textWorker }: Pick<GatewayPorts, 'store' | 'clock' | 'textWorker'>,
  namespace: ReadableNamespace,
  embedder: Embedder,
  signal: AbortSignal,
) => {
  const { id, name, embedding } = namespace
  const [items, chunks, someItems, someChunks] = await Promise.all([
    store.items.count(id),
    store.chunks.countOfNamespace(id),
    store.items.page(id, { limit: sampledOfEach }),
    store.chunks.page(id, { after: '', limit: sampledOfEach }),
  ])
  const passages: string[] = []
  const measure = async (texts: readonly string[], count: number): Promise<Sizes> => {
    const tokens = texts.length === 0 ? [] : await embedder.tokens(texts)
    const sizes: Sizes[] = []
    for (const [index, text] of texts.entries()) {
      const starts = tokens[index] as Uint32Array
      const cut = await textWorker.cut(text, starts, windowOf(embedder), { caller: id, signal })
      passages.push(...cut.map(({ start, end }) => text.slice(start, end)))
      sizes.push({ characters: text.length, passages: cut.length, tokens: starts.length })
    }
    const all = (of: keyof Sizes) =>
      texts.length === 0 ? 0 : (sizes.reduce((sum, size) => sum + size[of], 0) / texts.length) * count
    return { characters: all('characters'), passages: all('passages'), tokens: all('tokens') }
  }
  const ofItems = await measure(
    someItems.map(({ body }) => body.text),
    items,
  )
  const ofChunks = await measure(
    someChunks.map(({ body }) => body.text),
    chunks,
  )
  const total = (of: keyof Sizes): number => Math.round(ofItems[of] + ofChunks[of])

  const msPerPassage = async (): Promise<number> => {
    const some = passages.slice(0, embeddedPassages)
    if (some.length === 0) return 0
    const from = clock.monotonic()
    const late = AbortSignal.timeout(embedWithinMs)
    try {
      await embedder.embed(some, { kind: 'document', signal: AbortSignal.any([late, signal]) })
    } catch (error) {
      if (!late.aborted) throw error
      throw new AppError(
        'unavailable',
        `The model did not embed ${some.length} ${some.length === 1 ? 'passage' : 'passages'} within ${embedWithinMs / 1_000} s; retry when it has less work.`,
      )
    }
    return (clock.monotonic() - from) / some.length
  }
  return {
    namespace_name: name,
    model: embedding ? modelName(embedding) : '',
    other_model: modelName(embedder.model),
    items,
    chunks,
    characters: total('characters'),
    passages: total('passages'),
    tokens: embedder.model.provider === 'openai' ? total('tokens') : null,
    seconds: Math.round((await msPerPassage()) * total('passages')) / 1_000,
    sampled: someItems.length + someChunks.length,
  }
}

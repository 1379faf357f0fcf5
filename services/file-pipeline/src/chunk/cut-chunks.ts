import { decodePlaces, encodePlaces, type PlacedStretch, pageEdge, placesWithin } from '@cairn/domain/text/places'
import type { Block, Place } from '@cairn/extract/block'
import type { Chunk, ChunkState, Heading } from './chunk.ts'
import { commonPath, isUnderParentOf, pathText, withHeading } from './heading-path.ts'
import {
  type Cut,
  headerThatFits,
  isOneWord,
  layOut,
  maxCharacters,
  maxHeaderCharacters,
  type Piece,
  runKind,
  type Sizes,
  type Unit,
} from './lay-out.ts'

export type CutChunksOptions = Sizes & {
  /** Called with many texts at once. */
  readonly tokens: (texts: readonly string[]) => Promise<readonly Uint32Array[]>
  readonly cut: Cut
}

/** A `safe` state covers all chunks before it. */
export type CutChunksEvent = { readonly chunk: Chunk } | { readonly safe: ChunkState }

const batchBlocks = 64
const batchCharacters = 64_000
/** Chunk sizes of running text that are buffered, so that its chunks can overlap. */
const proseWindow = 8

const isElsewhere = (left: Place, right: Place): boolean => left.page !== right.page || left.sheet !== right.sheet

/** Counting tokens costs a round trip. A group never waits for a new page, which may take seconds. */
async function* inBatches(blocks: AsyncIterable<Block>, from: number): AsyncGenerator<Block[]> {
  let batch: Block[] = []
  let characters = 0
  for await (const block of blocks) {
    if (block.seq < from) continue
    const first = batch[0]
    if (first && (batch.length >= batchBlocks || characters >= batchCharacters || isElsewhere(first.at, block.at))) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(block)
    characters += block.text.length
  }
  if (batch.length > 0) yield batch
}

const placeOf = ({ of }: Piece): Chunk['at'] => {
  const places = of.map(({ unit, part }) => {
    const { at, text } = unit.block
    if (at.offset === undefined || at.offset.to - at.offset.from !== text.length) return at
    return { ...at, offset: { from: at.offset.from + part.start, to: at.offset.from + part.end } }
  })
  const first = <K extends 'page' | 'sheet' | 'path'>(key: K): Place[K] | undefined =>
    places.find((place) => place[key] !== undefined)?.[key]
  const span = (key: 'rows' | 'offset') => {
    const found = places.flatMap((place) => place[key] ?? [])
    if (found.length === 0) return {}
    return { [key]: { from: Math.min(...found.map(({ from }) => from)), to: Math.max(...found.map(({ to }) => to)) } }
  }
  const [page, sheet, path] = [first('page'), first('sheet'), first('path')]
  return {
    ...(page === undefined ? {} : { page }),
    ...(sheet === undefined ? {} : { sheet }),
    ...span('rows'),
    ...(path === undefined ? {} : { path }),
    ...span('offset'),
  }
}

/** Headings inside the chunk count only if it has no other text. */
const headingOf = ({ of }: Piece): string => {
  const bodies = of.filter(({ unit }) => unit.block.kind !== 'heading')
  const deepest = of.reduce<readonly Heading[]>(
    (path, { unit }) => (unit.path.length > path.length ? unit.path : path),
    [],
  )
  return pathText(bodies.length > 0 ? commonPath(bodies.map(({ unit }) => unit.path)) : deepest)
}

/** Cells of rows get the distance from the chunk's first row as `y0` and `y1`. */
const belowRow = (places: readonly PlacedStretch[], rows: number): readonly PlacedStretch[] => {
  if (rows === 0) return places
  return rows > pageEdge ? [] : places.map((place) => ({ ...place, y0: rows, y1: rows }))
}

const placesOf = ({ text, of, header }: Piece, firstRow = 0): string | undefined => {
  const own = new Map<Block, readonly PlacedStretch[]>()
  const found = [...(header ? [header] : []), ...of].flatMap(({ unit: { block }, part, at }) => {
    if (block.places === undefined) return []
    const places = own.get(block) ?? decodePlaces(block.places)
    own.set(block, places)
    return belowRow(placesWithin(block.text, places, part, at), (block.at.rows?.from ?? firstRow) - firstRow)
  })
  const start = text.length - text.trimStart().length
  const within = placesWithin(
    text,
    found.sort((a, b) => a.start - b.start),
    { start, end: text.trimEnd().length },
  )
  return within.length > 0 ? encodePlaces(within) : undefined
}

const toChunk = (piece: Piece, index: number): Chunk => {
  const ofPage = (key: 'pageTitle' | 'running') =>
    piece.of.find(({ unit }) => unit.block.at[key] !== undefined)?.unit.block.at[key]
  const [pageTitle, running] = [ofPage('pageTitle'), ofPage('running')]
  const at = placeOf(piece)
  const places = placesOf(piece, at.rows?.from)
  return {
    index,
    text: piece.text.trim(),
    at,
    heading: headingOf(piece),
    ...(pageTitle === undefined ? {} : { pageTitle }),
    ...(running === undefined ? {} : { running }),
    ...(places === undefined ? {} : { places }),
  }
}

/**
 * Buffers only a few blocks. A heading, page, sheet or table begins a new chunk. Text smaller than a quarter of a chunk
 * is joined with the following text under the same parent heading, never across pages, sheets or tables of rows; one
 * word is joined to its neighbor. Headings of several sections are marked as in Markdown. Long text is cut between
 * sentences with overlap, rows between rows. Chunks of rows begin with their header; headings just above come before it
 * in the first one.
 * With the `state` of a `safe` event and the blocks from its `seq`, it continues with the same chunks.
 */
export async function* cutChunks(
  blocks: AsyncIterable<Block>,
  options: CutChunksOptions,
  state: ChunkState = { chunks: 0, seq: 0, headings: [] },
): AsyncGenerator<CutChunksEvent> {
  const { maxTokens, overlapTokens, tokens, cut } = options
  if (!(maxTokens >= 8 && overlapTokens >= 0 && overlapTokens <= maxTokens / 2)) {
    throw new RangeError('a chunk has at least 8 tokens, of which at most half overlap')
  }
  const minTokens = Math.floor(maxTokens / 4)
  const noHeader = { text: '', tokens: 0 }
  let { chunks, headings } = state
  let held: Unit[] = []
  let heldTokens = 0
  let heldCharacters = 0
  let header = noHeader
  let headerOf: string | undefined
  /** First block of the page, blank or not, with which an extractor resumes. */
  let pageStart: { readonly page: number; readonly seq: number } | undefined

  const mustBegin = (block: Block, path: readonly Heading[], size: number): boolean => {
    const first = held[0]
    const last = held.at(-1)
    if (!first || !last) return false
    if (isElsewhere(last.block.at, block.at)) return true
    if (heldCharacters >= maxHeaderCharacters && heldCharacters + block.text.length > maxCharacters) return true
    const kind = runKind(block)
    const continues = runKind(last.block) === kind && kind !== 'table'
    if (continues && kind === 'rows')
      return last.block.header !== block.header || heldTokens + size + header.tokens > maxTokens
    if (continues && block.kind !== 'heading')
      return heldTokens >= minTokens && heldTokens + size > proseWindow * maxTokens
    const isSmall = ({ kind, text }: Block): boolean => kind === 'text' && isOneWord(text)
    if (isSmall(block) || (held.length === 1 && isSmall(first.block))) return false
    if (held.some(({ block: { kind } }) => kind === 'row')) return true
    return heldTokens >= minTokens || !isUnderParentOf(first.path, path)
  }

  const release = async function* (): AsyncGenerator<CutChunksEvent> {
    for (const piece of await layOut(held, header, cut, { maxTokens, overlapTokens, minTokens })) {
      yield { chunk: toChunk(piece, chunks) }
      chunks += 1
    }
    held = []
    heldTokens = 0
    heldCharacters = 0
  }

  for await (const batch of inBatches(blocks, state.seq)) {
    const starts = await tokens(batch.map(({ text }) => text))
    for (const [index, block] of batch.entries()) {
      const { page } = block.at
      if (page !== pageStart?.page) pageStart = page === undefined ? undefined : { page, seq: block.seq }
      if (block.text.trim() === '') continue
      const own = starts[index] as Uint32Array
      const path = block.kind === 'heading' ? withHeading(headings, block.level ?? 1, block.text) : headings
      if (mustBegin(block, path, own.length)) {
        const before = held.at(-1)?.block.at.page
        yield* release()
        if (!pageStart) yield { safe: { chunks, seq: block.seq, headings } }
        else if (page !== before) yield { safe: { chunks, ...pageStart, headings } }
      }
      headings = path
      if (block.kind === 'row' && block.header !== headerOf) {
        headerOf = block.header
        header = headerOf ? headerThatFits(headerOf, (await tokens([headerOf]))[0] as Uint32Array, maxTokens) : noHeader
      }
      held.push({ block, tokens: own, path })
      heldTokens += own.length
      heldCharacters += block.text.length + 2
    }
  }
  yield* release()
}

import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { decodePlaces, encodePlaces } from '@cairn/domain/text/places'
import type { Block } from '@cairn/extract/block'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk, ChunkState } from './chunk.ts'
import { type CutChunksEvent, cutChunks } from './cut-chunks.ts'
import type { Cut } from './lay-out.ts'

/** Counts each word as one token. */
const wordStarts = (text: string) => Uint32Array.from(text.matchAll(/\S+/g), ({ index }) => index)
const tokens = async (texts: readonly string[]) => texts.map(wordStarts)

/** Cuts after every `maxTokens` words, with the requested overlap. */
const everyWords: Cut = async (text, starts, { maxTokens, overlapTokens }) => {
  const found = []
  for (let first = 0; first === 0 || first < starts.length; ) {
    const next = first + maxTokens
    found.push({ start: first === 0 ? 0 : (starts[first] as number), end: starts[next] ?? text.length })
    if (next >= starts.length) break
    first = next - Math.min(overlapTokens, maxTokens - 1)
  }
  return found
}

async function* streamOf(blocks: readonly Block[]) {
  yield* blocks
}

type Draft = Omit<Block, 'seq' | 'at'> & Partial<Pick<Block, 'at'>>
const numbered = (drafts: readonly Draft[]): Block[] => drafts.map((draft, seq) => ({ at: {}, ...draft, seq }))

const run = async (
  blocks: readonly Block[],
  maxTokens: number,
  overlapTokens = 0,
  state?: ChunkState,
): Promise<CutChunksEvent[]> =>
  Array.fromAsync(cutChunks(streamOf(blocks), { maxTokens, overlapTokens, tokens, cut: everyWords }, state))

const chunksOf = (events: readonly CutChunksEvent[]): Chunk[] =>
  events.flatMap((event) => ('chunk' in event ? [event.chunk] : []))
const cut = async (drafts: readonly Draft[], maxTokens: number, overlapTokens = 0) =>
  chunksOf(await run(numbered(drafts), maxTokens, overlapTokens))

const words = (count: number, of = 'w') => Array.from({ length: count }, (_, index) => `${of}${index}`).join(' ')
const heading = (level: number, text: string, at = {}): Draft => ({ kind: 'heading', level, text, at })
const text = (content: string, at = {}): Draft => ({ kind: 'text', text: content, at })

describe('cutChunks', () => {
  it('begins a chunk at each heading, and returns the headings above it', async () => {
    const chunks = await cut(
      [
        heading(1, 'A'),
        text(words(6, 'a')),
        heading(2, 'B'),
        text(words(6, 'b')),
        heading(1, 'C'),
        text(words(6, 'c')),
      ],
      16,
    )
    expect(chunks.map((chunk) => [chunk.heading, chunk.text.split('\n')[0]])).toEqual([
      ['A', 'A'],
      ['A > B', 'B'],
      ['C', 'C'],
    ])
  })

  it('joins tiny pieces under the same parent and names only the headings they share', async () => {
    const chunks = await cut(
      [
        heading(1, 'A'),
        heading(2, 'B'),
        text('one'),
        heading(2, 'C'),
        text('two three'),
        heading(1, 'D'),
        text('four'),
      ],
      32,
    )
    expect(chunks).toMatchObject([{ heading: '', text: '# A\n\n## B\n\none\n\n## C\n\ntwo three\n\n# D\n\nfour' }])
    const under = await cut(
      [
        heading(1, 'A'),
        text(words(20)),
        heading(2, 'B'),
        text('one'),
        heading(2, 'C'),
        text('two'),
        heading(1, 'D'),
        text('three'),
      ],
      32,
    )
    expect(under.map((chunk) => chunk.heading)).toEqual(['A', 'A', 'D'])
  })

  it('keeps the headings of one section as they are, and the places of text below marked ones', async () => {
    const one = await cut([heading(1, 'A'), heading(2, 'B'), text('one two')], 32)
    expect(one.map((chunk) => chunk.text)).toEqual(['A\n\nB\n\none two'])
    const place = (content: string) => encodePlaces([{ start: 0, end: content.length, x0: 1, y0: 2, x1: 3, y1: 4 }])
    const drafts = [heading(2, 'B'), text('one'), heading(3, 'C'), text('two')]
    const [chunk] = await cut(
      drafts.map((draft) => ({ ...draft, places: place(draft.text) })),
      32,
    )
    const at = decodePlaces(chunk?.places ?? '').map(({ start, end }) => chunk?.text.slice(start, end))
    expect([chunk?.text, at]).toEqual(['## B\n\none\n\n### C\n\ntwo', ['B', 'one', 'C', 'two']])
  })

  it('joins single words, numbers and signs to other text of the page', async () => {
    const row = (content: string): Draft => ({ kind: 'row', text: content, header: 'name' })
    const chunksOfTexts = async (drafts: readonly Draft[]) => (await cut(drafts, 8)).map((chunk) => chunk.text)
    const table: Draft = { kind: 'table', text: '| a b | c d |\n| - | - |\n| e f | g h |' }
    const parts = [
      heading(1, 'A'),
      heading(2, 'B'),
      text(words(8)),
      table,
      text('•'),
      heading(1, 'D'),
      text(words(7, 'd')),
    ]
    const found = (await cut(parts, 32)).map((chunk) => chunk.text.split('\n').at(-1))
    expect(found).toEqual([words(8), '•', words(7, 'd')])
    expect(await chunksOfTexts([row(words(6)), text('17')])).toEqual([`name\n${words(6)}\n\n17`])
    expect(await chunksOfTexts([text('Yes')])).toEqual(['Yes'])
    expect(
      await chunksOfTexts([heading(1, words(4)), text('今日は天気がいいです'), heading(1, words(4, 'b'))]),
    ).toHaveLength(2)
  })

  it('never joins pages or sheets', async () => {
    const pages = await cut([text('one', { page: 1 }), text('two', { page: 2, pageTitle: 'Two' })], 32)
    expect(pages).toEqual([
      { index: 0, text: 'one', at: { page: 1 }, heading: '' },
      { index: 1, text: 'two', at: { page: 2 }, heading: '', pageTitle: 'Two' },
    ])
    expect(await cut([text('one', { sheet: 'a' }), text('two', { sheet: 'b' })], 32)).toHaveLength(2)
  })

  it('begins every group of rows with the header, and returns its row numbers', async () => {
    const rows = Array.from(
      { length: 5 },
      (_, index): Draft => ({
        kind: 'row',
        text: words(4, `r${index}-`),
        header: 'name | age',
        at: { sheet: 'S', rows: { from: index + 2, to: index + 2 } },
      }),
    )
    const chunks = await cut([heading(1, 'S', { sheet: 'S' }), ...rows], 12)
    expect(chunks.map((chunk) => [chunk.at.rows, chunk.text.split('\n').slice(0, 3).join('/')])).toEqual([
      [{ from: 2, to: 3 }, 'S//name | age'],
      [{ from: 4, to: 5 }, 'name | age/r2-0 r2-1 r2-2 r2-3/r3-0 r3-1 r3-2 r3-3'],
      [{ from: 6, to: 6 }, 'name | age/r4-0 r4-1 r4-2 r4-3'],
    ])
  })

  it('keeps the column of each cell, and its distance from the first row', async () => {
    const places = encodePlaces([{ start: 0, end: 4, x0: 3, x1: 3, y0: 0, y1: 0 }])
    const rows = [2, 3, 7].map(
      (row): Draft => ({
        kind: 'row',
        text: 'cell other',
        header: 'name',
        at: { sheet: 'S', rows: { from: row, to: row } },
        places,
      }),
    )
    const [chunk] = await cut([heading(1, 'S', { sheet: 'S' }), ...rows], 64)
    expect(chunk?.at.rows).toEqual({ from: 2, to: 7 })
    const found = decodePlaces(chunk?.places ?? '')
    expect(found.map(({ start, end, x0, y0 }) => [chunk?.text.slice(start, end), x0, y0])).toEqual([
      ['cell', 3, 0],
      ['cell', 3, 1],
      ['cell', 3, 5],
    ])
  })

  it('begins a chunk where the header changes', async () => {
    const chunks = await cut(
      [
        { kind: 'row', text: 'x', header: 'a' },
        { kind: 'row', text: 'y', header: 'b' },
      ],
      32,
    )
    expect(chunks.map((chunk) => chunk.text)).toEqual(['a\nx', 'b\ny'])
  })

  it('repeats the header of a Markdown table that is cut', async () => {
    const table = [
      '| a | b |',
      '| - | - |',
      ...Array.from({ length: 6 }, (_, index) => `| x${index} | y${index} |`),
    ].join('\n')
    const chunks = await cut([{ kind: 'table', text: table }], 20)
    expect(chunks.map((chunk) => chunk.text)).toEqual([
      '| a | b |\n| - | - |\n| x0 | y0 |\n| x1 | y1 |',
      '| a | b |\n| - | - |\n| x2 | y2 |\n| x3 | y3 |',
      '| a | b |\n| - | - |\n| x4 | y4 |\n| x5 | y5 |',
    ])
  })

  it('limits a header to half a chunk', async () => {
    const chunks = await cut([{ kind: 'row', text: words(10), header: words(40, 'h') }], 16)
    expect(chunks.map((chunk) => wordStarts(chunk.text).length)).toEqual([16, 10])
  })

  it('returns the offsets of the parts of a long block', async () => {
    const long = words(40)
    const chunks = await cut([text(long, { offset: { from: 100, to: 100 + long.length } })], 16, 4)
    for (const chunk of chunks) {
      const { from, to } = chunk.at.offset as { from: number; to: number }
      expect(long.slice(from - 100, to - 100).trim()).toBe(chunk.text)
    }
    expect(chunks.length).toBe(3)
  })

  it('cuts a text without tokens where it has too many characters, between characters', async () => {
    const none = async (texts: readonly string[]) => texts.map(() => new Uint32Array())
    const all: Cut = async (content) => [{ start: 0, end: content.length }]
    const blocks = numbered([text('x'), text(`.${'😀'.repeat(60_000)}`)])
    const options = { maxTokens: 16, overlapTokens: 0, tokens: none, cut: all }
    const chunks = chunksOf(await Array.fromAsync(cutChunks(streamOf(blocks), options)))
    for (const chunk of chunks) expect(chunk.text.isWellFormed() && Array.from(chunk.text).length <= 50_000).toBe(true)
    expect(
      chunks
        .map((chunk) => chunk.text)
        .join('')
        .replaceAll('\n', ''),
    ).toBe(`x.${'😀'.repeat(60_000)}`)
  })

  it('leaves out blank blocks, and returns no chunks for no blocks', async () => {
    expect(await cut([text(' \n '), text('one')], 16)).toMatchObject([{ text: 'one' }])
    expect(await cut([], 16)).toEqual([])
  })

  it('requests the tokens of many blocks at once, and holds little of a long text', async () => {
    let asked = 0
    let read = 0
    let ahead = 0
    async function* many() {
      for (let seq = 0; seq < 3_000; seq++) {
        read = seq
        yield { seq, kind: 'text', text: words(12), at: {} } as const
      }
    }
    const counting = async (texts: readonly string[]) => {
      asked += 1
      return texts.map(wordStarts)
    }
    for await (const event of cutChunks(many(), {
      maxTokens: 64,
      overlapTokens: 8,
      tokens: counting,
      cut: everyWords,
    })) {
      if ('safe' in event) ahead = Math.max(ahead, read - event.safe.seq)
    }
    expect(asked).toBeLessThan(60)
    expect(ahead).toBeLessThan(128)
  })
})

let minted = 0
const uniqueWords = (count: number) => Array.from({ length: count }, () => `u${minted++}`).join(' ')

/** Generates blocks like those of extractors: page numbers increase, and rows belong to sheets. */
const anyBlocks = fc
  .record({
    paged: fc.constantFrom('page', 'sheet', 'none'),
    drafts: fc.array(
      fc.record({
        kind: fc.constantFrom('heading', 'text', 'text', 'row', 'row', 'table', 'blank'),
        level: fc.integer({ min: 1, max: 4 }),
        length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 })),
        moves: fc.integer({ min: 0, max: 3 }),
        header: fc.constantFrom(undefined, 'name age', 'k', 'a header that has a good many words in it and goes on'),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ paged, drafts }) => {
    let page = 1
    return drafts.map(({ kind, level, length, moves, header }, seq): Block => {
      if (moves === 3) page += 1
      const at = {
        ...(paged === 'page' ? { page } : paged === 'sheet' ? { sheet: `S${page}` } : {}),
        rows: { from: seq, to: seq },
      }
      if (kind === 'blank') return { seq, kind: 'text', text: ' \n', at }
      if (kind === 'heading') return { seq, kind, level, text: uniqueWords(Math.min(length, 8)), at }
      if (kind === 'row')
        return { seq, kind, text: uniqueWords(length), at, ...(header === undefined ? {} : { header }) }
      if (kind === 'text') return { seq, kind, text: uniqueWords(length), at }
      const lines = Array.from({ length: Math.min(length, 12) }, () => uniqueWords(3))
      return { seq, kind: 'table', text: [uniqueWords(3), '--- --- ---', ...lines].join('\n'), at }
    })
  })
const anySizes = fc.integer({ min: 8, max: 40 }).chain((maxTokens) =>
  fc.record({
    maxTokens: fc.constant(maxTokens),
    overlapTokens: fc.integer({ min: 0, max: Math.floor(maxTokens / 2) }),
  }),
)

describe('with tokens that are parts of words', () => {
  const list = Array.from({ length: 700 }, (_, index) => `item-${String(index * 7).padStart(5, '0')}`)
  const partStarts = (content: string) =>
    Uint32Array.from(content.matchAll(/\p{L}{1,3}|\d{1,2}|[^\s\p{L}\d]/gu), ({ index }) => index)
  const sizes = { maxTokens: 254, overlapTokens: 31 }
  const cutParts = async (drafts: readonly Draft[]) => {
    const options = {
      ...sizes,
      tokens: async (contents: readonly string[]) => contents.map(partStarts),
      cut: directTextWorker.cut,
    }
    return chunksOf(await Array.fromAsync(cutChunks(streamOf(numbered(drafts)), options)))
  }

  it.each([
    ['a paragraph', { kind: 'text', text: list.join(' ') }],
    ['a list without blanks', { kind: 'text', text: list.join(',') }],
    ['a record', { kind: 'row', text: `name: ${list.join(' ')}`, header: list.slice(0, 60).join(' | ') }],
    ['a line of a table', { kind: 'table', text: `| a | b |\n| --- | --- |\n| 1 | ${list.join(' ')} |` }],
  ] as const)('cuts no word of %s', async (_, draft) => {
    const chunks = await cutParts([draft])
    expect(chunks.length).toBeGreaterThan(5)
    const found = chunks.flatMap((chunk) => chunk.text.match(/[^\s,|]+/g) ?? [])
    expect(list.filter((item) => !found.includes(item))).toEqual([])
    expect(found.filter((word) => /\d/.test(word) && !list.includes(word) && word !== '1')).toEqual([])
    for (const chunk of chunks) expect(partStarts(chunk.text).length).toBeLessThanOrEqual(sizes.maxTokens)
  })

  it('cuts a text of many characters and few tokens between words', async () => {
    const words = Array.from({ length: 6_000 }, (_, index) => `${'a'.repeat(18)}${index}`)
    const options = {
      ...sizes,
      tokens: async (contents: readonly string[]) => contents.map(() => Uint32Array.of(0)),
      cut: directTextWorker.cut,
    }
    const blocks = numbered([text(words.slice(0, 2_000).join(' ')), text(words.slice(2_000, 4_000).join(' '))])
    const chunks = chunksOf(await Array.fromAsync(cutChunks(streamOf(blocks), options)))
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.flatMap((chunk) => chunk.text.split(/\s+/))).toEqual(words.slice(0, 4_000))
  })
})

describe('for any blocks', () => {
  it('continues from every safe state with exactly the chunks of an uninterrupted run', async () => {
    let points = 0
    await fc.assert(
      fc.asyncProperty(anyBlocks, anySizes, async (blocks, { maxTokens, overlapTokens }) => {
        const events = await run(blocks, maxTokens, overlapTokens)
        const chunks = chunksOf(events)
        expect(chunks.map((chunk) => chunk.index)).toEqual(chunks.map((_, index) => index))
        for (const event of events) {
          if (!('safe' in event)) continue
          points += 1
          const { safe } = event
          if (blocks[0]?.at.page !== undefined)
            expect(blocks.findIndex((block) => block.at.page === safe.page)).toBe(safe.seq)
          const kept = JSON.parse(JSON.stringify(safe)) as ChunkState
          const resumed = await run(blocks.slice(safe.seq), maxTokens, overlapTokens, kept)
          expect(chunksOf(resumed)).toEqual(chunks.slice(safe.chunks))
        }
      }),
      { numRuns: 150 },
    )
    expect(points).toBeGreaterThan(100)
  })

  it('puts every word of every block into a chunk of its page and sheet, in order', async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, anySizes, async (blocks, { maxTokens, overlapTokens }) => {
        const chunks = chunksOf(await run(blocks, maxTokens, overlapTokens))
        const found = new Map<string, Chunk>()
        for (const chunk of chunks)
          for (const word of chunk.text.split(/\s+/)) if (!found.has(word)) found.set(word, chunk)
        const indexes: number[] = []
        for (const { text: content, at } of blocks) {
          for (const word of content.split(/\s+/).filter((part) => part.startsWith('u'))) {
            const chunk = found.get(word)
            expect(chunk?.at).toMatchObject(
              at.page === undefined ? (at.sheet === undefined ? {} : { sheet: at.sheet }) : { page: at.page },
            )
            indexes.push((chunk as Chunk).index)
          }
        }
        expect(indexes).toEqual(indexes.toSorted((left, right) => left - right))
      }),
      { numRuns: 150 },
    )
  })

  it('keeps chunks within their size and never makes an empty one', async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, anySizes, async (blocks, { maxTokens, overlapTokens }) => {
        for (const chunk of chunksOf(await run(blocks, maxTokens, overlapTokens))) {
          expect(wordStarts(chunk.text).length).toBeLessThanOrEqual(maxTokens)
          expect(chunk.text.trim()).not.toBe('')
        }
      }),
      { numRuns: 150 },
    )
  })
})
